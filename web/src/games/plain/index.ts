// A table for any game that brings no folder of its own: made of its picture, its options and its words.

import type { GameTable } from "../contract";
import Board from "./Board.svelte";
import { bare } from "./choices";
import Options from "./Options.svelte";
import Side from "./Side.svelte";

/** An order that was not read yet is shown as what it is made of. */
const plainly = (order: Record<string, unknown>): string =>
  Object.entries(order)
    .flatMap(([field, value]) => (field === "order" ? [] : [String(value)]))
    .join(" ");

export const table: GameTable = {
  board: Board,
  side: Side,
  sideTitle: "Last turn",
  tools: Options,
  pictured: true,
  words: (order, text) => ({ text: bare(text || plainly(order), order.number) }),
  typed: "type an order",
  keys: [
    { keys: "Arrows", does: "to the next place" },
    { keys: "Enter", does: "choose the place; on another: order something from the first to it" },
    { keys: "0 to 9", does: "so many to the place" },
    { keys: "Delete", does: "take back the last order at the place" },
    { keys: "Letters", does: "start a typed line" },
  ],
};
