// The state of the search: asks when typing pauses, and forgets answers to older questions.

import { search, whyOf } from "./api";
import { hitsOf, type Hit, type Hits } from "./search";
import { session } from "./session.svelte";
import { name } from "./words";

const PAUSE = 150; // ms without a letter, after which the server is asked

export class Searching {
  text = $state("");
  /** What was found for `asked`. */
  hits = $state.raw<readonly Hits[]>([]);
  /** The last text that was answered. */
  asked = $state("");
  trouble = $state("");
  /** The number of the hit that Enter opens. */
  at = $state(-1);

  #timer: ReturnType<typeof setTimeout> | undefined;
  #asking: AbortController | undefined;

  get all(): Hit[] {
    return this.hits.flatMap(({ hits }) => hits);
  }

  /** Nothing was found for what is written. */
  get vain(): boolean {
    return this.asked !== "" && this.asked === this.text.trim() && !this.hits.length && !this.trouble;
  }

  write(text: string): void {
    this.text = text;
    this.#stop();
    if (!text.trim()) return this.clear();
    this.#timer = setTimeout(() => void this.#ask(text.trim()), PAUSE);
  }

  clear(): void {
    this.#stop();
    this.text = this.asked = this.trouble = "";
    this.hits = [];
    this.at = -1;
  }

  /** The next hit, or the one before; beyond the ends there is none. */
  step(by: number): void {
    const many = this.all.length;
    this.at = ((this.at + 1 + by + many + 1) % (many + 1)) - 1;
  }

  /** What Enter opens: the chosen one, or the best. An answer to an older text opens nothing. */
  get chosen(): Hit | null {
    return this.asked === this.text.trim() ? (this.all[Math.max(0, this.at)] ?? null) : null;
  }

  async #ask(text: string): Promise<void> {
    const asking = (this.#asking = new AbortController());
    try {
      const found = await search(text, asking.signal);
      if (asking.signal.aborted) return;
      this.hits = hitsOf(found, (game) => session.card(game)?.title ?? name(game));
      this.trouble = "";
    } catch (error) {
      if (asking.signal.aborted) return;
      this.hits = [];
      this.trouble = whyOf(error);
    }
    this.asked = text;
    this.at = -1;
  }

  #stop(): void {
    clearTimeout(this.#timer);
    this.#asking?.abort();
  }
}
