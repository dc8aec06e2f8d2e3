// A table for any game without a folder of its own, made from its picture, its options and its words.

import type { GameTable } from "../contract";
import Board from "./Board.svelte";
import { bare } from "./choices";
import Options from "./Options.svelte";
import { pictureOf } from "./picture";
import Side from "./Side.svelte";

/** An order that the server hasn't read yet is shown by its fields. */
const plainly = (order: Record<string, unknown>): string =>
  Object.entries(order)
    .flatMap(([field, value]) => (field === "order" ? [] : [String(value)]))
    .join(" ");

export const table: GameTable = {
  board: Board,
  side: Side,
  sideTitle: "Last turn",
  tools: Options,
  height(_setting, frame, width) {
    const [, , wide = 1, high = 1] = (frame && pictureOf(frame))?.viewBox.split(/[ ,]+/).map(Number) ?? [];
    return (width * high) / wide;
  },
  pictured: true,
  words: (order, text) => ({ text: bare(text || plainly(order), order.number) }),
  typed: "type an order",
  keys: [
    { keys: "Arrows", does: "go to the next place" },
    { keys: "Enter", does: "select a place; on a second place: give an order from the first to it" },
    { keys: "0 to 9", does: "send this many to the place" },
    { keys: "Delete", does: "cancel the last order at the place" },
    { keys: "Letters", does: "start typing an order" },
  ],
};
