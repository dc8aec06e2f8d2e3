// Minions as a table of the client.

import { count, name } from "../../lib/words";
import type { DraftLine, Fact, GameTable } from "../contract";
import Board from "./Board.svelte";
import { desk } from "./desk.svelte";
import { frameOf } from "./geometry";
import { intro } from "./intro";
import Key from "./Key.svelte";
import Note from "./Note.svelte";
import { decided, pieces } from "./pieces";
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
  return `${left} money left, +${incomeOf(view, view.side)} at the end of your turn.`;
}

const THUMBS = 54; // px of the strip of boards above the one in focus, on a phone

export const table: GameTable = {
  begin: () => desk.begin(),
  board: Board,
  framed: false,
  height(_setting, _frame, width) {
    const [, , wide, high] = frameOf(true);
    return THUMBS + (width * high) / wide;
  },
  side: Side,
  sideTitle: "Details",
  intro,
  idle: "You can pass: you still get your income.",
  filing: {
    button: (orders) => (orders ? `End turn (${count(orders, "order")})` : "End turn"),
    empty: "No orders yet. Select a unit on the board, or type an order above.",
    change: "You can change it until you end the turn.",
    rest: "Your turn. Select one of your units to see what it can do.",
  },
  longest: 6000,
  key: Key,
  note: Note,
  words: orderWords,
  facts,
  about: (setting: Setting, view: View, counted) => {
    const turn = view.outcome ? "" : counted ? `${name(view.side)} to move` : `turn ${view.turn}: ${name(view.side)}`;
    return [count(setting.boards, "board"), `first to ${count(setting.to_win, "point")}`, turn].filter(Boolean).join(", ");
  },
  mover: (view: View) => view.side,
  footing,
  complete,
  typed: "1 move c1-c0",
  pieces,
  decided,
  reasons: { points: "On points", "points of boards that were lost": "On points, for boards that the other side lost" },
  strip: { figure: "cost of units", form: "lead" },
  charts: [
    { figure: "points", title: "Points" },
    { figure: "cost of units", title: "Value of units" },
    { figure: "graveyards", title: "Graveyards" },
    { figure: "money", title: "Money" },
    { figure: "income", title: "Income" },
  ],
  keys: [
    { keys: "1 to 8", does: "go to the board with this number; Page Up, Page Down: previous, next board" },
    { keys: "0", does: "go to the techline; arrow keys move from card to card, Enter places a spell" },
    { keys: "Arrows", does: "go to the next hex (Shift with up or down: to the other of the two)" },
    { keys: "Enter", does: "select the unit; on a target: move, attack or spawn there" },
    { keys: "Shift Enter", does: "pick units to rotate, one after another; the first one again finishes" },
    {
      keys: "Letters",
      does: "pick a unit by its letter; the same letter again buys it. Hold the letter and choose a hex: buy it if needed and spawn it there",
    },
    { keys: "Delete", does: "cancel all orders of the unit" },
  ],
};
