// What is where, by the names that scenes use: units, reserves, spells; and the position in the middle of a turn.

import { momentAfter, momentOf, singles, type Drawn, type Moment, type Piece, type Showing, type Turn } from "../../lib/scene";
import type { Beat, Frame } from "../../wire";
import type { BoardView, Event, Setting, Unit, View } from "./wire";
import { factsOf, yardsHeld } from "./words";

const UNIT = "unit ";
const ATTACKS = "attacks "; // of the unit that stands there, which then stays there
const RESERVE = "reserve ";
const SPELLS = "spells ";

export function pieces(_setting: Setting, view: View): Piece[] {
  return [
    ...view.boards.flatMap(({ number, units, zones }): Piece[] => [
      ...units.map(({ hex, used: _, ...unit }) => ({ what: UNIT + number, at: `${number} ${hex}`, ...unit })),
      ...units.flatMap(({ hex, used }): Piece[] => (used ? [{ what: ATTACKS + number, at: `${number} ${hex}`, number: used }] : [])),
      ...Object.entries(zones).flatMap(([side, zone]) =>
        Object.entries(zone).map(([type, many]) => ({ what: `${RESERVE}${side} ${type}`, at: String(number), number: many, side, type })),
      ),
    ]),
    ...Object.entries(view.spells).flatMap(([side, spells]) =>
      spells.flatMap((many, i): Piece[] => (many ? [{ what: SPELLS + side, at: `card ${i + 1}`, number: many, side, place: i + 1 }] : [])),
    ),
  ];
}

/** A unit on its way, or leaning towards another. */
export interface Motion {
  readonly to: string;
  readonly way: number;
}

export interface Scenery {
  readonly view: View;
  /** By board and hex: "1 c2". */
  readonly motions: ReadonlyMap<string, Motion>;
  readonly fading: ReadonlyMap<string, number>;
  /** Of the sheet; 0: the end of the turn. */
  readonly line: number;
}

/** The current moment of a turn being animated. */
export function inMotion(setting: Setting, showing: Showing): Scenery {
  return scenery(
    showing,
    momentOf(showing, (frame) => pieces(setting, frame.view as View)),
  );
}

/** The position right after a beat of a turn. */
export function afterBeat(setting: Setting, turn: Turn, beat: number): Scenery {
  return scenery(
    turn,
    momentAfter(turn, beat, (frame) => pieces(setting, frame.view as View)),
  );
}

/**
 * The position that decided a game, with its figures: a board that is won is reset, by the last turn too, and all that is
 * left of it then is the point.
 */
export function decided(setting: Setting, turn: Turn): { view: View; figures: Frame["figures"] } | null {
  const { stages, events } = turn.after;
  const beats = stages.flatMap((stage) => stage.beats.flatMap((beat) => singles(beat, events)));
  const isReset = ({ events: runs = [] }: Beat): boolean =>
    runs.some(([first, many]) => events.slice(first, first + many).some(({ event }) => (event as Event).kind === "reset"));
  const reset = beats.findIndex(isReset);
  if (reset < 1) return null;
  const { outcome, points, money, turn: number } = turn.after.view as View;
  const view = { ...afterBeat(setting, turn, reset - 1).view, outcome, points, money, turn: number };
  const each = (figure: (side: string) => number): Record<string, number> => ({ yellow: figure("yellow"), blue: figure("blue") });
  const units = view.boards.flatMap((board) => board.units);
  return {
    view,
    figures: {
      ...turn.after.figures,
      "cost of units": each((side) => units.reduce((sum, unit) => sum + (unit.side === side ? (factsOf(setting, unit)?.cost ?? 0) : 0), 0)),
      graveyards: each((side) => view.boards.reduce((sum, board) => sum + yardsHeld(setting, board, side), 0)),
    },
  };
}

const viewOf = (frame: Frame): View => frame.view as View;

function scenery({ before, after }: Turn, moment: Moment): Scenery {
  const { still, moving, line, over } = moment;
  const drawn = over ? [] : [...still, ...moving];
  const units = drawn.filter(({ what }) => what.startsWith(UNIT));
  return {
    view: over ? viewOf(after) : viewIn(viewOf(before), drawn, moment.counts),
    motions: new Map(units.flatMap(({ at, to, way }) => (way ? [[at, { to: hexOf(to), way }]] : []))),
    fading: new Map(units.flatMap(({ at, here }) => (here < 1 ? [[at, here]] : []))),
    line,
  };
}

/** The view before the turn, with the changes since then. */
function viewIn(before: View, drawn: readonly Drawn[], counts: Moment["counts"]): View {
  const boards = before.boards.map((board): BoardView => ({
    ...board,
    units: [],
    zones: Object.fromEntries(Object.keys(board.zones).map((side) => [side, {}])),
  }));
  const spells = Object.fromEntries(Object.entries(before.spells).map(([side, of]) => [side, of.map(() => 0)]));
  const attacks = new Map(drawn.flatMap(({ what, at, number = 0 }) => (what.startsWith(ATTACKS) ? [[at, number]] : [])));
  for (const piece of drawn) {
    const board = boards[Number.parseInt(piece.at) - 1];
    if (piece.what.startsWith(UNIT)) board!.units.push(unitOf(piece, attacks.get(piece.at) ?? 0));
    else if (piece.what.startsWith(RESERVE)) board!.zones[piece.side]![piece.type] = piece.number ?? 0;
    else if (piece.what.startsWith(SPELLS)) spells[piece.side]![piece.place - 1] = piece.number ?? 0;
  }
  const sums = (what: string, of: Readonly<Record<string, number>>): Record<string, number> =>
    Object.fromEntries(Object.entries(of).map(([side, sum]) => [side, sum + (counts.get(`${what} ${side}`) ?? 0)]));
  return { ...before, boards, spells, money: sums("money", before.money), points: sums("points", before.points) };
}

const hexOf = (place: string): string => place.slice(place.indexOf(" ") + 1);

/** Events name types only, so a spawned unit has no letter. */
function unitOf({ at, side, type, letter = "", damage, moved, fresh }: Drawn, used: number): Unit {
  return { hex: hexOf(at), side, type, letter, damage, used, moved, fresh };
}
