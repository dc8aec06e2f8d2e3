// The empty board, as printed on an order form: whoever carries a sheet has no map.

import type { Setting, View } from "../wire";

const LETTERS = "ABCDEFGHIJKLMNOPQ";
const ROWS = [1, 2, 3, 4, 5, 6, 7, 8, 9];

const names = ROWS.flatMap((row) => {
  const inset = Math.abs(row - 5);
  return Array.from({ length: 9 - inset }, (_, i) => `${LETTERS[inset + 2 * i]!}${row}`);
});

export const blank: Setting = {
  rules: "",
  mode: "court",
  scoring: "",
  hexes: Object.fromEntries(names.map((name) => [name, []])),
  bases: { red: "A5", green: "M9", blue: "M1" },
  centre: "I5",
};

export const unseen: View = { who: "", turn: 0, turns: 0, hexes: {}, reports: {}, dropped: [], outcome: null };
