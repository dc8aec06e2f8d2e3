// Who of the side does what: the general has the techline, a captain each board. Board 0 means the techline.

import type { Crew } from "../../wire";
import type { Status } from "../contract";

export const LINE = 0;

export const roleOf = (board: number): string => (board === LINE ? "general" : `captain ${board}`);

/** A role with the person who has taken it, and how far that person is. */
export interface Duty {
  readonly role: string;
  readonly board: number;
  /** Who has taken it; null: nobody, so that each of the side may give its orders. */
  readonly holder: Crew | null;
  readonly done: boolean;
  /** Others who look at it. */
  readonly watchers: readonly string[];
}

export const holderOf = (crew: readonly Crew[], board: number): Crew | null =>
  crew.find((one) => one.roles.includes(roleOf(board))) ?? null;

/** Whether this person gives the orders of a board or of the techline. */
export const commands = (crew: readonly Crew[], roles: readonly string[], board: number): boolean =>
  crew.length === 0 || roles.includes(roleOf(board));

/** Whether the holder of a role is done with it. */
export const isDone = (crew: readonly Crew[], board: number): boolean => holderOf(crew, board)?.done.includes(roleOf(board)) ?? false;

/** Where somebody looks: a board and a hex on it, if it is one. */
export function gazeOf(one: Crew): { board: number; hex: string | null } | null {
  const found = /^(\d)(?: ([a-j]\d))?$/.exec(one.looks ?? "");
  return found && one.here ? { board: Number(found[1]), hex: found[2] ?? null } : null;
}

/** The others who look at a board, with the hexes that they point at. */
export function watchersOf(crew: readonly Crew[], board: number): { player: string; hex: string | null }[] {
  return crew.flatMap((one) => {
    const gaze = one.you ? null : gazeOf(one);
    return gaze?.board === board ? [{ player: one.player, hex: gaze.hex }] : [];
  });
}

/** The hexes of a board that others point at, each with their names. */
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

/** What a click says where another one gives the orders. */
export function foreign(crew: readonly Crew[], board: number): Status {
  const by = holderOf(crew, board)?.player ?? "Somebody else";
  const what = board === LINE ? "The techline is the general's." : `Board ${board} is its captain's.`;
  return { refused: true, subject: what, text: `${by} gives the orders there.`, rule: "2.6" };
}

/** What a click says where one's own part is done. */
export function closed(board: number): Status {
  const what = board === LINE ? "The techline is done." : `Board ${board} is done.`;
  return { subject: what, text: "To order more there, take that back first." };
}
