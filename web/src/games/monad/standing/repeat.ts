// The orders of the last turn once more, as far as they are legal now.

import { flowsOf } from "../flows";
import { nameOf } from "../geometry";
import { figuresOf, orderOf, type Choices } from "../sheet";
import type { Position } from "../position";
import type { Order } from "../wire";
import type { Frame } from "../../../wire";
import { count, list } from "../../../lib/words";

export interface Repeated {
  readonly orders: readonly Order[];
  /** Orders of the last turn that aren't possible any more, in words. */
  readonly left: readonly string[];
}

/** What `you` ordered in the turn before this frame, for the units that are still free. */
export function repeated(position: Position, frame: Frame, you: string, choices: Choices, free: (tile: number) => number): Repeated {
  const taken = new Map<number, number>();
  const orders: Order[] = [];
  const left: string[] = [];
  for (const { seat, tile, word, direction, number, refused } of flowsOf(position, frame)) {
    if (seat !== you || refused) continue;
    const option = choices.at(tile).get(direction && word !== "work" && word !== "mine" ? `${word} ${direction}` : word);
    const most = Math.min(free(tile) - (taken.get(tile) ?? 0), (option && figuresOf(option).useful) ?? Infinity);
    if (!option || most <= 0) {
      left.push(`${word} ${nameOf(position, tile)}`);
      continue;
    }
    const units = Math.min(number, most);
    taken.set(tile, (taken.get(tile) ?? 0) + units);
    orders.push({ ...orderOf(option), number: units });
  }
  return { orders, left };
}

const NAMED = 3; // orders that are named; of more, their number is told

export function repeatedWords({ orders, left }: Repeated): string {
  if (!orders.length && !left.length) return "You gave no orders last turn.";
  const rest = left.length > NAMED ? [...left.slice(0, NAMED), `${left.length - NAMED} more`] : left;
  const cannot = left.length ? ` Not possible now: ${list(rest)}.` : "";
  return `${orders.length ? `${count(orders.length, "order")} of last turn repeated.` : "Nothing could be repeated."}${cannot}`;
}
