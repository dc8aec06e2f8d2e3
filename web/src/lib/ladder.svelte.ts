// The state of a ladder's page: fetched again every few seconds, while its order stays until somebody asks for another.

import type { LadderPage, LadderRow, Meeting, Trend } from "../wire";
import * as api from "./api";
import { inOrder, moves, sorted, type Pinned } from "./ladder";

const SECONDS = 5;
const TOLD = 30_000; // milliseconds between two sentences for screen readers

export class LadderView {
  page = $state.raw<LadderPage | null>(null);
  trouble = $state("");
  /** When the page was last up to date. */
  fresh = $state(0);
  order = $state.raw<readonly number[]>([]);
  pinned = $state.raw<ReadonlyMap<number, Pinned>>(new Map());
  /** Places before the last sorting, of those that have moved. */
  moved = $state.raw<ReadonlyMap<number, number>>(new Map());
  trends = $state.raw<ReadonlyMap<number, Trend["points"]>>(new Map());
  finished = $state.raw<readonly Meeting[]>([]);
  /** Someone is reading the list of finished games. */
  reading = $state(false);
  /** A sentence for screen readers, now and then. */
  said = $state("");

  #told = 0;
  #since = 0;
  #fit: number | null = null;

  constructor(readonly id: number) {}

  get rows(): LadderRow[] {
    return inOrder(this.page?.rows ?? [], this.order);
  }

  /** How many bots would move if the page were sorted now. */
  get moves(): number {
    return this.page ? moves(this.page.rows, this.order) : 0;
  }

  /** Whether ranks and bands are those of an older fit. */
  get stale(): boolean {
    return this.page !== null && this.page.fit !== this.#fit;
  }

  sort(): void {
    if (!this.page) return;
    const before = new Map(this.order.map((bot, i) => [bot, i]));
    this.order = sorted(this.page.rows).map((row) => row.bot);
    this.moved = new Map(this.order.flatMap((bot, i) => (before.has(bot) && before.get(bot) !== i ? [[bot, before.get(bot)! + 1]] : [])));
    this.pinned = new Map(this.page.rows.map((row) => [row.bot, row]));
    this.#fit = this.page.fit;
  }

  async look(): Promise<void> {
    try {
      const page = await api.ladder.page(this.id);
      const first = this.page === null;
      const fit = this.page?.fit;
      this.page = page;
      this.trouble = "";
      this.fresh = Date.now();
      if (first || (page.fit !== null && this.#fit === null)) this.sort();
      if (first) this.moved = new Map();
      if (!this.reading) this.finished = page.finished;
      if (fit !== page.fit && page.fit !== null) void this.#trend();
      this.#tell(page.since);
    } catch (error) {
      this.trouble = api.whyOf(error);
    }
  }

  async #trend(): Promise<void> {
    try {
      this.trends = new Map((await api.ladder.trends(this.id)).map((trend) => [trend.bot, trend.points]));
    } catch {
      // The table is there without them; the next fit brings them.
    }
  }

  #tell(since: number): void {
    const now = Date.now();
    if (this.#told === 0) this.#told = now;
    if (now - this.#told < TOLD) return;
    const fresh = since - this.#since;
    if (fresh > 0) this.said = `${fresh} new ${fresh === 1 ? "result" : "results"}`;
    this.#told = now;
    this.#since = since;
  }

  /** For an $effect: starts fetching, and returns how to stop. */
  watch(): () => void {
    void this.look();
    const timer = setInterval(() => document.hidden || void this.look(), SECONDS * 1000);
    return () => clearInterval(timer);
  }
}
