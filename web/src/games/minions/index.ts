// Minions as a table of the client.

import { count, name } from "../../lib/words";
import type { DraftLine, Fact, GameTable } from "../contract";
import Board from "./Board.svelte";
import { intro } from "./intro";
import Key from "./Key.svelte";
import Note from "./Note.svelte";
import { pieces } from "./pieces";
import Side from "./Side.svelte";
import { complete } from "./typed";
import type { Setting, View } from "./wire";
import { incomeOf, orderWords } from "./words";

function facts(setting: Setting, view: View, seat: string): Fact[] {
  return [
    { value: `${view.points[seat] ?? 0}/${setting.to_win}`, label: "points" },
    { value: String(view.money[seat] ?? 0), label: "money" },
    { value: `+${incomeOf(view, seat)}`, label: "income" },
  ];
}

function footing(_setting: Setting, view: View, _lines: readonly DraftLine[]): string {
  const left = view.money[view.side] ?? 0;
  return `${left} money left, +${incomeOf(view, view.side)} at the end of the turn.`;
}

export const table: GameTable = {
  board: Board,
  framed: false,
  side: Side,
  sideTitle: "Boards",
  intro,
  idle: "Ending the turn without orders is lawful: income follows.",
  filing: {
    button: (orders) => (orders ? `End the turn with ${count(orders, "order")}` : "End the turn without orders"),
    empty: "Nothing is ordered yet. Choose a unit on the board, or type a line above.",
    change: "You can change it until the turn ends.",
    rest: "Your turn. Choose one of your units to see what it can do.",
  },
  longest: 6000,
  key: Key,
  note: Note,
  words: orderWords,
  facts,
  about: (setting: Setting, view: View) =>
    `${count(setting.boards, "board")}, first to ${count(setting.to_win, "point")}, turn ${view.turn} of ${name(view.side)}`,
  footing,
  complete,
  typed: "1 c1 c0, 1 buy Z, march",
  pieces,
  strip: { figure: "cost of units", form: "lead" },
  charts: [
    { figure: "points", title: "Points" },
    { figure: "cost of units", title: "Worth of units" },
    { figure: "graveyards", title: "Graveyards" },
    { figure: "money", title: "Money" },
    { figure: "income", title: "Income" },
  ],
  keys: [
    { keys: "1 to 8", does: "the board with this number; Page Up and Page Down: the one before, the next" },
    { keys: "0", does: "to the techline; arrows go from card to card, Enter places a spell" },
    { keys: "Arrows", does: "to the neighbour; Shift with up and down: to the other of two" },
    { keys: "Enter", does: "choose the unit; on a target: move, attack or spawn there" },
    { keys: "Shift Enter", does: "units that change places, one after the other; the first again closes the ring" },
    {
      keys: "Letters",
      does: "hold a unit's letter and choose a hex: spawn it, buy it first if need be; let go: take it up; again: buy it",
    },
    { keys: "Delete", does: "take back all that the unit has done" },
  ],
};
