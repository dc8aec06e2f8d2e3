// Stacks by kind: what they stand on or next to is what they are for.

import { beside, STEPS } from "../geometry";
import { isCore, type Position } from "../position";

export const KINDS = ["core", "front", "ore", "bare"] as const;
export type Kind = (typeof KINDS)[number];

/** Button, and what it selects in full. */
export const KIND_WORDS: Readonly<Record<Kind, readonly [string, string]>> = {
  core: ["Cores", "your stacks on the cores of your buildings, where units work"],
  front: ["Front", "your stacks with an enemy next to them"],
  ore: ["Ore", "your other stacks on tiles with ore"],
  bare: ["Rest", "your stacks that stand on bare ground, away from enemies"],
};

export function kindOf(position: Position, tile: number, you: string): Kind {
  const building = position.cover[tile];
  if (building?.owner === you && isCore(position, building, tile)) return "core";
  const foe = Object.keys(STEPS).some((direction) => {
    const there = beside(position, tile, direction);
    const owner = there === null ? undefined : position.stacks[there]?.owner;
    return owner !== undefined && owner !== you;
  });
  if (foe) return "front";
  return (position.ore[tile] ?? 0) > 0 ? "ore" : "bare";
}

/** Your stacks of a kind. */
export function stacksOf(position: Position, you: string, kind: Kind): number[] {
  const own = position.view.stacks.filter((stack) => stack.owner === you);
  return own.map(({ x, y }) => y * position.width + x).filter((tile) => kindOf(position, tile, you) === kind);
}
