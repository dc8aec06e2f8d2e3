// Going on turn by turn: files the sheet as it stands, notes what came of it, and stops as soon as there is news.
//
// It lives outside the panels, which come and go with their tabs: the board follows it, and any panel may show it.

import { untrack } from "svelte";
import type { Own, SideProps } from "../games/contract";
import type { Frame } from "../wire";

const PACE = 700; // ms to see a turn, and to stop before the next; also longer than a new sheet refuses to be filed
const AGAIN = 3000; // ms until a sheet that wasn't taken is filed again
const KEPT = 200; // turns of the log

export interface Passed {
  readonly turn: number;
  /** What happened in it that matters. */
  readonly words: readonly string[];
}

/** What a game knows about going on. */
export interface Watch<P extends SideProps = SideProps> {
  /** What matters in a turn, in words. */
  passed(frame: Frame, props: P): readonly string[];
  /** What was known when it began, so that only news stops it. */
  begin(props: P): unknown;
  /** Why it should stop before this sheet is filed; null: it shouldn't. */
  news(props: P, begun: Own): string | null;
}

export class Run<P extends SideProps = SideProps> {
  running = $state(false);
  /** Why it stopped; empty until it has. */
  why = $state("");
  passed = $state.raw<readonly Passed[]>([]);
  private first = 0;
  private noted = 0;
  private begun: unknown = null;

  constructor(private readonly watch: Watch<P>) {}

  start(props: P): void {
    if (!props.orders?.open) return;
    this.first = this.noted = props.frame.number;
    this.begun = this.watch.begin(props); // the turn may be played before this sheet could be filed by itself
    this.passed = [];
    this.why = "";
    this.running = true;
  }

  stop(why: string): void {
    if (!this.running) return;
    this.running = false;
    this.why = why;
  }

  /** Forgets the last run: another table, or the person has read it. */
  clear(): void {
    this.running = false;
    this.why = "";
    this.passed = [];
  }

  /** Drives it as long as the board is there. Call it where effects are allowed. */
  follow(props: () => P): void {
    $effect(() => {
      if (!this.running) return;
      const { orders, frame } = props();
      untrack(() => this.note(props()));
      if (frame.view?.outcome) return this.stop("The game is over.");
      // No sheet while a turn is played or shown, and none that can be filed until the server has checked it.
      if (!orders?.open || orders.pending || orders.state === "filed") return;
      if (frame.number > this.first) {
        const news = this.watch.news(props(), this.begun);
        if (news !== null) return this.stop(news);
      } else this.begun = this.watch.begin(props()); // at the start the server may have been checking the last edit
      let timer = setTimeout(function file() {
        orders.file();
        timer = setTimeout(file, AGAIN);
      }, PACE);
      return () => clearTimeout(timer);
    });
    $effect(() => {
      if (!this.running) return;
      const escape = (event: KeyboardEvent): void => {
        if (event.key !== "Escape") return;
        event.preventDefault();
        event.stopPropagation();
        this.stop("You stopped it.");
      };
      window.addEventListener("keydown", escape, true);
      return () => window.removeEventListener("keydown", escape, true);
    });
    $effect(() => () => this.clear());
  }

  /** Writes the turns since the last look into the log. */
  private note(props: P): void {
    const { frame, frames } = props;
    const found: Passed[] = [];
    for (let n = this.noted + 1; n <= frame.number; n++) {
      const one = n === frame.number ? frame : frames[n];
      if (one)
        found.push({ turn: (n === frame.number ? props.before : frames[n - 1])?.turn ?? one.turn, words: this.watch.passed(one, props) });
    }
    this.noted = Math.max(this.noted, frame.number);
    if (found.length) this.passed = [...this.passed, ...found].slice(-KEPT);
  }
}
