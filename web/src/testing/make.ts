// Things of the wire for tests: whole objects, of which a test says only what matters to it.

import type { DraftLine, LineIn, Orders } from "../games/contract";
import type { Alert, Frame, GameCard, Option, Outcome, SeatCard, Sheet, TableCard, Told } from "../wire";

export const frame = (of: Partial<Frame> = {}): Frame => ({
  number: 0,
  turn: 0,
  view: {},
  events: [],
  orders: {},
  sheets: {},
  stages: [],
  faults: {},
  figures: {},
  marks: [],
  dropped: {},
  bulk: [],
  packed: [],
  lots: {},
  picture: "",
  strikes: {},
  reasons: {},
  cpu: {},
  wall: {},
  ...of,
});

export const told = (event: object, seat: string | null = null): Told => ({ words: "", rule: "", seat, event });

export const seatCard = (of: Partial<SeatCard> & { seat: string }): SeatCard => ({
  kind: "person",
  player: "",
  you: false,
  to_act: null,
  filed: null,
  here: null,
  why: "",
  crew: [],
  ...of,
});

export const gameCard = (of: Partial<GameCard> = {}): GameCard => ({
  name: "game",
  title: "Game",
  summary: "",
  edition: 1,
  seats: ["red", "blue"],
  fewest: 2,
  simultaneous: true,
  incremental: false,
  fog: false,
  dice: false,
  bots: [],
  options: {},
  usual: {},
  live: 0,
  sealed: false,
  opponents: [],
  presets: [],
  maps: [],
  ...of,
});

export const tableCard = (of: Partial<TableCard> = {}): TableCard => ({
  id: "t1",
  game: "game",
  title: "",
  status: "playing",
  seats: [],
  turn: 1,
  turns: null,
  watching: 0,
  clock: { kind: "none", seconds: 0, increment: 0 },
  outcome: null,
  created: 0,
  next: null,
  closed: null,
  rated: false,
  ...of,
});

export const outcome = (of: Partial<Outcome> = {}): Outcome => ({
  winner: null,
  places: [],
  points: {},
  reason: "it ended",
  rule: "9.1",
  ranks: {},
  ...of,
});

export const sheet = (of: Partial<Sheet> = {}): Sheet => ({
  type: "sheet",
  step: 0,
  state: "draft",
  lines: [],
  options: [],
  alerts: [],
  view: null,
  re: null,
  ...of,
});

export const option = (order: object, of: Partial<Option> = {}): Option => ({ order, text: "", ...of });

/** A line of the sheet that the server has judged lawful. */
export const line = <O>(key: number, order: O | null, of: Partial<DraftLine<O>> = {}): DraftLine<O> => ({
  key,
  text: "",
  order,
  fault: null,
  pending: false,
  figures: {},
  role: null,
  ...of,
});

export const fault = (why = "it cannot be", rule = "3.1"): NonNullable<DraftLine["fault"]> => ({ line: 1, order: "", rule, why, word: "" });

export const warning = (of: Partial<Alert> = {}): Alert => ({ text: "", rule: "", where: null, means: "", urgent: false, ...of });

/** What was done to a sheet, call by call. */
export type Done = [deed: "add" | "change" | "strike" | "set" | "settle" | "undo" | "redo" | "file", ...given: unknown[]];

/** A sheet that writes down what is done to it and does nothing else. */
export function orders<O>(of: Partial<Orders<O>> = {}): Orders<O> & { readonly done: Done[] } {
  const done: Done[] = [];
  return {
    done,
    lines: [],
    options: [],
    alerts: [],
    state: "draft",
    open: true,
    ready: true,
    pending: false,
    view: null,
    add: (line: LineIn, figures?: object) => void done.push(["add", line, figures]),
    change: (key: number, line: LineIn, figures?: object) => void done.push(["change", key, line, figures]),
    strike: (key: number) => void done.push(["strike", key]),
    set: (lines: readonly LineIn[]) => void done.push(["set", lines]),
    settle: (keep: readonly number[]) => void done.push(["settle", keep]),
    owns: () => true,
    undo: () => void done.push(["undo"]),
    redo: () => void done.push(["redo"]),
    file: () => void done.push(["file"]),
    table: "t1",
    ...of,
  };
}
