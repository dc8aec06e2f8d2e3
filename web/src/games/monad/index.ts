// Monad as a table of the client.

import { count } from "../../lib/words";
import type { DraftLine, Fact, GameTable } from "../contract";
import Board from "./Board.svelte";
import { heightAt, short } from "./geometry";
import { intro } from "./intro";
import Key from "./Key.svelte";
import Note from "./Note.svelte";
import { pieces } from "./pieces";
import { holdingOf } from "./position";
import Side from "./Side.svelte";
import Tools from "./Tools.svelte";
import { complete } from "./typed";
import type { Setting, View } from "./wire";
import { number, orderWords, unitsWords } from "./words";

export { intro };

function facts(_setting: Setting, view: View, seat: string): Fact[] {
  if (!(seat in view.units)) return [];
  const has = holdingOf(view, seat);
  return [
    { value: has.units < 100_000 ? number(has.units) : short(has.units), label: has.units === 1 ? "unit" : "units" },
    { value: String(has.buildings), label: has.buildings === 1 ? "building" : "buildings" },
    { value: has.stock < 100_000 ? number(has.stock) : short(has.stock), label: "stock" },
  ];
}

function footing(_setting: Setting, view: View, lines: readonly DraftLine[]): string {
  const all = view.units[view.who] ?? 0;
  const asked = lines.reduce((sum, line) => sum + (line.fault ? 0 : (line.order?.number ?? 0)), 0);
  const rest = Math.max(0, all - asked);
  return rest ? `${unitsWords(rest)} ${rest === 1 ? "has" : "have"} no orders and will stay idle.` : "All your units have orders.";
}

/** The map with its size, unless the name already says it. */
function mapWords({ name, width, height }: Setting): string {
  return name.includes(`${width}x${height}`) ? name : `${name}, ${width} by ${height}`;
}

export const table: GameTable = {
  board: Board,
  side: Side,
  height: (setting: Setting, _frame, width) => heightAt(setting, width),
  sideTitle: "Seats",
  key: Key,
  note: Note,
  tools: Tools,
  intro,
  idle: "You can pass: your units stay where they are.",
  words: orderWords,
  facts,
  about: (setting: Setting, view: View, counted) =>
    [mapWords(setting), count(setting.seats.length, "player"), counted ? "" : count(view.turns, "turn")].filter(Boolean).join(", "),
  footing,
  complete,
  typed: "move 5,5 right 8",
  pieces,
  strip: { figure: "units", form: "share" },
  charts: [
    { figure: "units", title: "Units" },
    { figure: "buildings", title: "Buildings" },
    { figure: "tiles", title: "Tiles" },
    { figure: "stock", title: "Stock" },
  ],
  keys: [
    { keys: "Arrows", does: "go to the next tile; with Shift: select a rectangle" },
    { keys: "Enter", does: "select the tile; next to a selected stack: move there" },
    { keys: "9,9", does: "go to a tile; Enter selects it" },
    { keys: "u r d l", does: "move the selected stacks; type a number first to send that many" },
    { keys: "m w b", does: "mine, work, build" },
    { keys: "a h", does: "orders take all idle units, or half of them" },
    { keys: "e f", does: "select all your stacks, or those with idle units" },
    { keys: "x, Delete", does: "cancel the orders there" },
    { keys: "o", does: "select all your stacks of the same kind as this one" },
    { keys: "p", does: "repeat your orders of the last turn" },
    { keys: "k", does: "keep mining or working there until told otherwise" },
    { keys: "g s", does: "march along a route, or feed a front along it: Enter on each tile of the way, twice on the last" },
  ],
};
