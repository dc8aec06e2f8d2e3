// Demons as a table of the client.

import { count } from "../../lib/words";
import type { DraftLine, Fact, GameTable } from "../contract";
import Board from "./Board.svelte";
import { intro } from "./intro";
import { frameOf, groundOf, legible } from "./geometry";
import Key from "./Key.svelte";
import Note from "./Note.svelte";
import { pieces } from "./pieces";
import { replaced, spelt } from "./sheet";
import Side from "./Side.svelte";
import Tools from "./Tools.svelte";
import type { Setting, View } from "./wire";
import { goldLeft, orderWords } from "./words";

function facts(_setting: Setting, view: View, seat: string): Fact[] {
  const base = view.bases[seat];
  if (!base) return [];
  const towers = view.towers.filter((tower) => tower.owner === seat).length;
  return [
    { value: String(Math.max(0, base.health)), label: "health" },
    { value: String(base.gold), label: "gold" },
    { value: String(towers), label: towers === 1 ? "tower" : "towers" },
  ];
}

function caption(_setting: Setting, view: View): string {
  const waves = view.portals.map((portal) => portal.next_in);
  if (view.outcome || !waves.length) return "";
  const next = Math.min(...waves);
  return next === 0 ? "Demons come this turn" : `Demons in ${count(next, "turn")}`;
}

export const table: GameTable = {
  board: Board,
  side: Side,
  height(setting: Setting, _frame, width) {
    const ground = groundOf(setting.rows);
    const [, , wide, high] = frameOf(ground, legible(ground, width));
    return (width * high) / wide;
  },
  sideTitle: "Sides",
  tools: Tools,
  intro,
  idle: "You can pass: you build nothing and hire nobody.",
  filing: {
    button: (orders) => (orders ? `File ${count(orders, "order")}` : "Pass this turn"),
    empty: "No orders yet. Pick a tower, or send a mercenary.",
    rest: "Your orders are due. Pick a tower, or send a mercenary.",
  },
  key: Key,
  note: Note,
  words: orderWords,
  facts,
  about: (setting: Setting, view: View, counted) => (counted ? setting.name : `${setting.name}, ${count(view.turns, "turn")}`),
  caption,
  footing: (setting: Setting, view: View, lines: readonly DraftLine[]) => `${goldLeft(setting, view, lines)} gold left.`,
  typed: "build cannon 3,4",
  replaces: replaced,
  spelt,
  pieces,
  strip: { figure: "health", form: "lead" },
  charts: [
    { figure: "health", title: "Base health" },
    { figure: "gold", title: "Gold in hand" },
    { figure: "income", title: "Income per 10 turns" },
    { figure: "worth", title: "Tower value" },
    { figure: "mercenaries", title: "Mercenaries" },
    { figure: "tension", title: "Danger" },
  ],
  keys: [
    { keys: "Arrows", does: "go to the next tile, across the abyss" },
    { keys: "Enter", does: "select the tile, or build the picked tower there" },
    { keys: "h x c g", does: "pick House, Crossbow, Cannon, Minigun; again: put it back" },
    { keys: "u p", does: "pick Church, provoke the demons (rules of the finals)" },
    { keys: "n e s w", does: "send a mercenary that way; again: cancel" },
    { keys: "a l r b", does: "the same: ahead, left, right, back" },
    { keys: "Delete", does: "cancel the order here, or destroy your tower" },
    { keys: "o", does: "go on until you can act or an enemy is near; Esc stops it" },
  ],
};
