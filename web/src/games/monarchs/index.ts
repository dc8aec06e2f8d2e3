// Monarchs as a table of the client.

import type { DraftLine, Fact, GameTable } from "../contract";
import Board from "./Board.svelte";
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
  if (!report) return []; // nothing of other nations before the end
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
  return `${regiments(all - sent)} stay${all - sent === 1 ? "s" : ""}. Odds count only what you see.`;
}

export const table: GameTable = {
  board: Board,
  side: Side,
  sideTitle: "Battles",
  intro,
  idle: "An empty sheet is lawful: everything stays as it is.",
  key: Key,
  note: Note,
  print: Print,
  words: orderWords,
  facts,
  about: (_setting: Setting, view: View, counted) => `board game without courts${view.turns && !counted ? `, ${view.turns} turns` : ""}`,
  caption: (setting: Setting, view: View) => `${inSight(view)} of ${Object.keys(setting.hexes).length} hexes in sight`,
  footing,
  complete,
  typed: "g5 h4 2",
  pieces,
  strip: { figure: "hexes", form: "share" },
  charts: [
    { figure: "total", title: "Points" },
    { figure: "hexes", title: "Hexes" },
    { figure: "score", title: "Points of the turn" },
  ],
  keys: [
    { keys: "Arrows", does: "to the neighbour; Shift with up and down: to the other of two" },
    { keys: "Enter", does: "choose the hex; on a target: ask how many; again: send all" },
    { keys: "0 to 9", does: "so many regiments to the target" },
    { keys: "*", does: "bless the hex" },
    { keys: "Delete", does: "take back what is ordered at the hex" },
    { keys: "F2", does: "pencil a note on the hex" },
    { keys: "Letters", does: "start a typed line: g5 h4 2, bless i7" },
  ],
};
