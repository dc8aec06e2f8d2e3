// The frames of a match: all at once from a record, or fetched in chunks when needed and in idle time.

import type { Frame } from "../wire";
import { unpacked } from "./unpack";

const CHUNK = 50;

type Fetch = (from: number, to: number) => Promise<Frame[]>;

export class Frames {
  /** By number, with gaps. Read it after `version`, which grows with every change. */
  readonly items: (Frame | undefined)[] = [];
  version = $state(0);
  count = $state(0);
  /** The first error in fetching. */
  trouble = $state.raw<unknown>(null);
  private coming = new Map<number, Promise<void>>();

  constructor(private readonly fetch: Fetch | null = null) {}

  static of(frames: readonly Frame[]): Frames {
    const made = new Frames();
    made.put(frames);
    return made;
  }

  at(number: number): Frame | null {
    void this.version;
    return this.items[number] ?? null;
  }

  get last(): number {
    return this.count - 1;
  }

  get first(): Frame | null {
    return this.at(0);
  }

  /** How many have been loaded. */
  get loaded(): number {
    void this.version;
    let n = 0;
    for (let i = 0; i < this.count; i++) if (this.items[i]) n++;
    return n;
  }

  put(frames: readonly Frame[]): void {
    for (const frame of frames) this.items[frame.number] = unpacked(frame);
    this.count = Math.max(this.count, this.items.length);
    this.version++;
  }

  /** Sets the number of frames to the server's. If there are fewer than before, turns were taken back. */
  resize(count: number): void {
    if (count < this.items.length) this.items.length = count;
    this.count = count;
    this.version++;
  }

  /** Fetches the chunk with this frame, unless it is loaded or on its way. Large frames come in smaller chunks. */
  need(number: number): Promise<void> {
    const chunk = Math.floor(number / CHUNK);
    if (!this.fetch || number < 0 || number >= this.count || this.items[number]) return Promise.resolve();
    const before = this.coming.get(chunk);
    if (before) return before.then(() => this.need(number));
    const asked = this.bring(number, chunk)
      .catch((error: unknown) => {
        this.trouble ??= error;
      })
      .finally(() => this.coming.delete(chunk));
    this.coming.set(chunk, asked);
    return asked;
  }

  private async bring(number: number, chunk: number): Promise<void> {
    let from = chunk * CHUNK;
    while (this.fetch && !this.items[number]) {
      while (this.items[from]) from++;
      const frames = await this.fetch(from, Math.min((chunk + 1) * CHUNK, this.count));
      if (!frames.length) return;
      this.put(frames);
    }
  }

  /** Fetches the missing frames, chunk by chunk, from the end backwards; one at a time, so that a request can overtake it. */
  async fill(): Promise<void> {
    for (let number = this.count - 1; number >= 0 && !this.trouble; number--) {
      if (!this.items[number]) await this.need(number);
    }
  }
}
