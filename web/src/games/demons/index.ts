// Demons as a table of the client.

import { count } from "../../lib/words";
import type { DraftLine, Fact, GameTable } from "../contract";
import Board from "./Board.svelte";
import { intro } from "./intro";
import Key from "./Key.svelte";
import Note from "./Note.svelte";
import { pieces } from "./pieces";
import Side from "./Side.svelte";
import Tools from "./Tools.svelte";
import type { Setting, View } from "./wire";
import { goldLeft, orderWords } from "./words";

function facts(_setting: Setting, view: View, seat: string): Fact[] {
  const base = view.bases[seat];
  if (!base) return [];
  const towers = view.towers.filter((tower) => tower.owner === seat).length;
  return [
    { value: String(Math.max(0, base.health)), label: "base" },
    { value: String(base.gold), label: "gold" },
    { value: String(towers), label: towers === 1 ? "tower" : "towers" },
  ];
}

function caption(_setting: Setting, view: View): string {
  const waves = view.portals.map((portal) => portal.next_in);
  if (view.outcome || !waves.length) return "";
  const next = Math.min(...waves);
  return next === 0 ? "Demons come this turn" : `Demons in ${next} turn${next === 1 ? "" : "s"}`;
}

export const table: GameTable = {
  board: Board,
  side: Side,
  sideTitle: "Sides",
  tools: Tools,
  intro,
  idle: "An empty sheet is lawful: nothing is built and nobody is hired.",
  filing: {
    button: (orders) => (orders ? `File ${count(orders, "order")}` : "File no orders"),
    empty: "Nothing is ordered yet. Take up a tower, or choose a way for a mercenary.",
    rest: "Your orders are due. Take up a tower, choose a way for a mercenary, or choose a tile.",
  },
  key: Key,
  note: Note,
  words: orderWords,
  facts,
  about: (setting: Setting, view: View, counted) => (counted ? setting.name : `${setting.name}, ${view.turns} turns`),
  caption,
  footing: (setting: Setting, view: View, lines: readonly DraftLine[]) => `${goldLeft(setting, view, lines)} gold left.`,
  typed: "build cannon 3,4",
  pieces,
  strip: { figure: "health", form: "lead" },
  charts: [
    { figure: "health", title: "Base health" },
    { figure: "gold", title: "Gold in hand" },
    { figure: "income", title: "Income in 10 turns" },
    { figure: "worth", title: "Tower value" },
    { figure: "mercenaries", title: "Mercenaries" },
    { figure: "tension", title: "Danger" },
  ],
  keys: [
    { keys: "Arrows", does: "to the next tile; the abyss is passed over" },
    { keys: "Enter", does: "choose the tile; with a tower in the hand: build it there" },
    { keys: "h x c g", does: "take up House, Crossbow, Cannon, Minigun; again: put it down" },
    { keys: "u", does: "take up Church, p provoke, where the rules of the finals hold" },
    { keys: "n e s w", does: "hire a mercenary that way; again: take it back" },
    { keys: "a l r b", does: "the same ahead, left, right, back" },
    { keys: "Delete", does: "take back what is ordered here, or destroy the own tower" },
  ],
};
