// What a person wants to see on the board, and how a drag selects; saved in this browser.

import { keep, kept } from "../../lib/store";

export type Ore = "off" | "shade" | "figures";
export type Tool = "point" | "rectangle" | "brush";
/** How many of the idle units an order takes. */
export type Share = "all" | "half" | number;

interface Kept {
  ore?: Ore;
  control?: boolean;
  arrows?: boolean;
}

const KEY = "monad.shows";
const before = kept<Kept>(KEY) ?? {};

class Shows {
  ore = $state<Ore>(before.ore ?? "shade");
  /** Who controls the land, instead of the ore. */
  control = $state(before.control ?? false);
  arrows = $state(before.arrows ?? true);
  /** For this visit only. */
  tool = $state<Tool>("point");
  share = $state<Share>("all");
  /** The block of a building that is about to be chosen: outlined on the board. */
  block = $state.raw<{ x: number; y: number; direction: string } | null>(null);

  set(change: Partial<Kept>): void {
    if (change.ore) this.ore = change.ore;
    this.control = change.control ?? this.control;
    this.arrows = change.arrows ?? this.arrows;
    const { ore, control, arrows } = this;
    keep(KEY, { ore, control, arrows } satisfies Kept);
  }
}

export const shows = new Shows();

/** The number of units in a share. */
export function part(share: Share, of: number): number {
  if (share === "all") return of;
  return Math.min(of, share === "half" ? Math.ceil(of / 2) : share);
}
