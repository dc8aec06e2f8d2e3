// Who on the team does what: the general has the techline, and each board has a captain. Board 0 means the techline.

import type { Crew } from "../../wire";
import type { Status } from "../contract";

export const LINE = 0;

export const roleOf = (board: number): string => (board === LINE ? "general" : `captain ${board}`);

/** A role with the person who has taken it, and whether they are done. */
export interface Duty {
  readonly role: string;
  readonly board: number;
  /** Who has taken it; null: nobody, so anyone on the team may give its orders. */
  readonly holder: Crew | null;
  readonly done: boolean;
  /** Other people looking at it. */
  readonly watchers: readonly string[];
}

export const holderOf = (crew: readonly Crew[], board: number): Crew | null =>
  crew.find((one) => one.roles.includes(roleOf(board))) ?? null;

/** Whether this person gives the orders of a board or of the techline. */
export const commands = (crew: readonly Crew[], roles: readonly string[], board: number): boolean =>
  crew.length === 0 || roles.includes(roleOf(board));

/** Whether the holder of a role is done with it. */
export const isDone = (crew: readonly Crew[], board: number): boolean => holderOf(crew, board)?.done.includes(roleOf(board)) ?? false;

/** What somebody is looking at: a board, and a hex on it if any. */
export function gazeOf(one: Crew): { board: number; hex: string | null } | null {
  const found = /^(\d)(?: ([a-j]\d))?$/.exec(one.looks ?? "");
  return found && one.here ? { board: Number(found[1]), hex: found[2] ?? null } : null;
}

/** The others looking at a board, with the hexes they point at. */
export function watchersOf(crew: readonly Crew[], board: number): { player: string; hex: string | null }[] {
  return crew.flatMap((one) => {
    const gaze = one.you ? null : gazeOf(one);
    return gaze?.board === board ? [{ player: one.player, hex: gaze.hex }] : [];
  });
}

/** The hexes of a board that others are pointing at, with their names. */
export function gazesOn(crew: readonly Crew[], board: number): ReadonlyMap<string, string> {
  const found = new Map<string, string>();
  for (const { player, hex } of watchersOf(crew, board)) {
    if (hex) found.set(hex, [found.get(hex), player].filter(Boolean).join(", "));
  }
  return found;
}

export function dutiesOf(crew: readonly Crew[], boards: number): Duty[] {
  return Array.from({ length: boards + 1 }, (_, board): Duty => {
    const holder = holderOf(crew, board);
    const watchers = watchersOf(crew, board).map((one) => one.player);
    return {
      role: roleOf(board),
      board,
      holder,
      done: isDone(crew, board),
      watchers: watchers.filter((player) => player !== holder?.player),
    };
  });
}

// ---- words

export const dutyName = (board: number): string => (board === LINE ? "General" : `Board ${board}`);

export const nameOf = (holder: Crew | null): string => (holder ? (holder.you ? "you" : holder.player) : "nobody");

/** Shown on a click where somebody else gives the orders. */
export function foreign(crew: readonly Crew[], board: number): Status {
  const by = holderOf(crew, board)?.player ?? "Someone else";
  const what = board === LINE ? "The techline belongs to the general." : `Board ${board} belongs to its captain.`;
  return { refused: true, subject: what, text: `${by} gives the orders there.`, rule: "2.6" };
}

/** Shown on a click where your own part is done. */
export function closed(board: number): Status {
  const what = board === LINE ? "The techline is done." : `Board ${board} is done.`;
  return { subject: what, text: "To give more orders there, mark it as not done first." };
}
