// Monarchs as a table of the client.

import { count } from "../../lib/words";
import type { DraftLine, Fact, GameTable } from "../contract";
import Board from "./Board.svelte";
import { FRAME } from "./geometry";
import { intro } from "./intro";
import Key from "./Key.svelte";
import Note from "./Note.svelte";
import { pieces } from "./pieces";
import Print from "./Print.svelte";
import { marches } from "./sheet";
import Side from "./Side.svelte";
import { complete } from "./typed";
import type { Setting, View } from "./wire";
import { orderWords, regiments } from "./words";

const inSight = (view: View): number => Object.keys(view.hexes).length;

function facts(_setting: Setting, view: View, seat: string): Fact[] {
  const report = view.reports[seat];
  if (!report) return []; // nothing about other nations before the end
  const land = Object.values(view.hexes).filter((ground) => ground.owner === seat);
  const armies = land.reduce((sum, ground) => sum + ground.regiments, 0);
  return [
    { value: String(land.length), label: "hexes" },
    { value: String(armies), label: "regiments" },
    { value: String(report.total), label: "points" },
  ];
}

function footing(_setting: Setting, view: View, lines: readonly DraftLine[]): string {
  const own = Object.values(view.hexes).filter((ground) => ground.owner === view.who);
  const all = own.reduce((sum, ground) => sum + ground.regiments, 0);
  const sent = marches(lines).reduce((sum, line) => sum + (line.fault ? 0 : line.order.number), 0);
  return `${regiments(all - sent)} ${all - sent === 1 ? "stays" : "stay"} put. Odds count only what you can see.`;
}

export const table: GameTable = {
  board: Board,
  side: Side,
  height: (_setting, _frame, width) => (width * FRAME[3]) / FRAME[2],
  sideTitle: "Battles",
  intro,
  idle: "You can pass: all your regiments stay where they are.",
  key: Key,
  note: Note,
  print: Print,
  words: orderWords,
  facts,
  about: (_setting: Setting, view: View, counted) => (view.turns && !counted ? count(view.turns, "turn") : ""),
  caption: (setting: Setting, view: View) => `${inSight(view)} of ${Object.keys(setting.hexes).length} hexes in sight`,
  footing,
  complete,
  typed: "g5 h4 2",
  pieces,
  strip: { figure: "hexes", form: "share" },
  charts: [
    { figure: "total", title: "Points" },
    { figure: "hexes", title: "Hexes" },
    { figure: "score", title: "Points per turn" },
  ],
  keys: [
    { keys: "Arrows", does: "go to the next hex (Shift with up or down: to the other of the two)" },
    { keys: "Enter", does: "select the hex; on a target: choose how many; again: send all" },
    { keys: "0 to 9", does: "send this many regiments to the target" },
    { keys: "*", does: "bless the hex" },
    { keys: "Delete", does: "cancel the orders at the hex" },
    { keys: "F2", does: "write a note on the hex" },
    { keys: "Letters", does: "start typing an order: g5 h4 2, bless i7" },
  ],
};
