// The analysis of a finished match: asks how far it is, begins it, and waits for it.

import type { Analysis, AnalysisCard, Look, Standing, TurningPoint } from "../wire";
import { ask, whyOf } from "./api";
import { name } from "./words";

const WAIT = 1000; // ms between two looks at how far it is

/** The address of a match whose analysis can be asked for. */
export const ofTable = (id: string): string => `/tables/${id}/analysis`;
export const ofLadderGame = (id: number): string => `/ladder/games/${id}/analysis`;

export class Analysing {
  card = $state.raw<AnalysisCard | null>(null);
  trouble = $state("");
  private timer: ReturnType<typeof setTimeout> | undefined;

  constructor(private readonly path: string) {}

  get found(): Analysis | null {
    return this.card?.analysis ?? null;
  }

  get busy(): boolean {
    return this.card?.state === "waiting" || this.card?.state === "running";
  }

  /** Nothing was asked for yet, or it failed and can be tried again. */
  get offered(): boolean {
    return this.card?.state === "none" || this.card?.state === "failed";
  }

  look(): Promise<void> {
    return this.heard(ask<AnalysisCard>(this.path));
  }

  begin(): Promise<void> {
    return this.heard(ask<AnalysisCard>(this.path, { method: "POST" }));
  }

  stop(): void {
    clearTimeout(this.timer);
    this.timer = undefined;
  }

  private async heard(answer: Promise<AnalysisCard>): Promise<void> {
    this.stop();
    try {
      this.card = await answer;
      this.trouble = "";
    } catch (error) {
      this.trouble = whyOf(error);
    }
    if (this.busy) this.timer = setTimeout(() => void this.look(), WAIT);
  }
}

const percent = (value: number): number => Math.round(100 * value);

/** How far it is, in words. */
export function progress({ state, done, of }: AnalysisCard): string {
  if (state === "waiting" || !of) return "Waiting for its turn …";
  return `Playing on from every turn: ${percent(done / of)} %`;
}

/** The last estimate up to a frame: long matches have one for every few turns. */
export function standingAt(found: Analysis, step: number): Standing | null {
  let best: Standing | null = null;
  for (const one of found.standings) if (one.step <= step) best = one;
  return best;
}

/** "Red 62 ± 9, Blue 38 ± 9" */
export function said(one: Standing, seats: readonly string[]): string {
  return seats
    .map((seat) => `${name(seat)} ${percent(one.values[seat] ?? 0)}${one.margins[seat] ? ` ± ${percent(one.margins[seat])}` : ""}`)
    .join(", ");
}

export const looksAt = (found: Analysis, step: number): readonly Look[] => found.looks.filter((look) => look.step === step);

/** How often to choose orders: a dash if not at all, nothing if an old analysis doesn't say. */
export function often(share: number | null | undefined): string {
  if (share == null) return "";
  return share === 0 ? "–" : percent(share) ? `${percent(share)} %` : "< 1 %";
}

/** Whether to choose now these orders and now those: otherwise there is nothing to say about how often. */
export const isMixture = ({ share, plans }: Pick<Look, "plans"> & Partial<Pick<Look, "share">>): boolean =>
  [share ?? 0, ...plans.map((plan) => plan.share)].filter((one) => one > 0).length > 1;

/** What a button for a turning point says. */
export const named = (point: TurningPoint, number: number): string => `Turning point ${number}, turn ${point.turn}: ${point.words}`;

export { percent };
