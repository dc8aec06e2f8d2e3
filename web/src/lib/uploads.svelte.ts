// An author's uploads: sending files and folders, and following each until its trial is over.

import type { UploadCard } from "../wire";
import { authors, Trouble, whyOf } from "./api";
import { isLeftOut, tar, within, type Packed } from "./tar";
import { count } from "./words";

export const MAX_FILES = 2000;
export const MAX_BYTES = 64 << 20;
const AGAIN = 1000; // milliseconds until a lost server is asked again
/** At most four pictures a second. */
const REST = 250;

export const isOver = (card: UploadCard): boolean => !["arriving", "waiting", "running"].includes(card.state);

/** What the files of a drop or a dialog become: one file as it is, several as a tar. */
export function parcel(files: readonly Packed[]): { called: string; file: Blob } {
  const [first] = files;
  if (files.length === 1 && first && !first.path.includes("/")) return limited(first.path, first.file);
  const kept = files.filter(({ path }) => !isLeftOut(path));
  if (!kept.length) throw new Error("There is nothing to upload in this folder.");
  if (kept.length > MAX_FILES) throw new Error(`That is ${count(kept.length, "file")}. A bot can have at most 2,000.`);
  const { folder, files: inside } = within(kept);
  return limited(`${folder || "bot"}.tar`, tar(inside));
}

function limited(called: string, file: Blob): { called: string; file: Blob } {
  if (file.size > MAX_BYTES) throw new Error(`That is ${Math.ceil(file.size / (1 << 20))} MB. An upload can have at most 64 MB.`);
  return { called, file };
}

export class Uploads {
  cards = $state.raw<readonly UploadCard[]>([]);
  /** Whether something is on its way to the server. */
  sending = $state("");
  trouble = $state("");
  /** For screen readers, at once. */
  said = $state("");
  loaded = $state(false);

  #followed = new Set<number>();
  #stop = new AbortController();

  /** For an $effect: loads the list and follows what is not finished; returns how to stop. */
  watch(): () => void {
    this.#stop = new AbortController();
    this.#followed.clear();
    void this.load();
    return () => this.#stop.abort();
  }

  async load(): Promise<void> {
    try {
      this.cards = await authors.uploads();
      this.loaded = true;
      for (const card of this.cards) this.#follow(card);
    } catch (error) {
      this.trouble = whyOf(error);
    }
  }

  async send(files: readonly Packed[], words: Record<string, string>): Promise<void> {
    this.trouble = "";
    try {
      const { called, file } = parcel(files);
      this.sending = called;
      const card = await authors.send(file, { called, ...words });
      this.#put(card);
      this.#follow(card);
    } catch (error) {
      this.trouble = whyOf(error);
    }
    this.sending = "";
  }

  async cancel(id: number): Promise<void> {
    try {
      this.#put(await authors.cancel(id));
    } catch (error) {
      this.trouble = whyOf(error);
    }
  }

  #put(card: UploadCard): void {
    const known = this.cards.find(({ id }) => id === card.id);
    this.cards = known ? this.cards.map((one) => (one.id === card.id ? card : one)) : [card, ...this.cards];
    if (known && !isOver(known) && isOver(card)) this.said = `${card.name || card.called}: ${card.state}. ${card.words}`;
  }

  #follow(card: UploadCard): void {
    if (isOver(card) || this.#followed.has(card.id)) return;
    this.#followed.add(card.id);
    void this.#ask(card, this.#stop.signal);
  }

  async #ask(card: UploadCard, stop: AbortSignal): Promise<void> {
    while (!isOver(card) && !stop.aborted) {
      try {
        card = await authors.upload(card.id, card.change, stop);
        if (stop.aborted) return;
        this.#put(card);
        this.trouble = "";
        await new Promise((done) => setTimeout(done, card.state === "waiting" ? AGAIN : REST));
      } catch (error) {
        if (stop.aborted) return;
        if (error instanceof Trouble && error.status >= 400 && error.status < 500 && error.status !== 429) return;
        this.trouble = whyOf(error); // it may be restarting: the upload goes on
        await new Promise((done) => setTimeout(done, AGAIN));
      }
    }
  }
}

/** Files and folders that were dropped, with their paths. */
export async function dropped(data: DataTransfer): Promise<Packed[]> {
  const entries = [...data.items].map((item) => item.webkitGetAsEntry()).filter((entry) => entry !== null);
  if (!entries.length) return [...data.files].map((file) => ({ path: file.name, file }));
  const found: Packed[] = [];
  for (const entry of entries) await walk(entry, "", found);
  return found;
}

async function walk(entry: FileSystemEntry, above: string, found: Packed[]): Promise<void> {
  const path = above + entry.name;
  if (found.length > MAX_FILES || isLeftOut(path)) return;
  if (entry.isFile) {
    const file = await new Promise<File>((done, failed) => (entry as FileSystemFileEntry).file(done, failed));
    found.push({ path, file });
    return;
  }
  const reader = (entry as FileSystemDirectoryEntry).createReader();
  for (;;) {
    const some = await new Promise<FileSystemEntry[]>((done, failed) => reader.readEntries(done, failed));
    if (!some.length) return;
    for (const one of some) await walk(one, `${path}/`, found);
  }
}

/** Files of a dialog; those of a folder have its name before theirs. */
export const chosen = (files: FileList): Packed[] => [...files].map((file) => ({ path: file.webkitRelativePath || file.name, file }));
