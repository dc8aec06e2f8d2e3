// A turn as an animation, for all games: pieces by name and place, and the operations that the umpire lists for each stage.
//
// A game says what is where in a view (`GameTable.pieces`); everything else comes with the frame. Nothing here knows what
// an event means. A beat is worked out once: pieces that take no part in it stay the same objects from picture to picture,
// and for those that do, only their progress and their fading change.

import type { Own } from "../games/contract";
import type { Beat, Frame, Op, Show, Told } from "../wire";
import { partsOf, told, valueOf } from "./phrases";

/** Something on the board, by what and where it is. Games add properties of their own. */
export interface Piece {
  readonly what: string;
  readonly at: string;
  /** How many or how strong; pieces without a number are not counted. */
  readonly number?: number;
  readonly [property: string]: Own;
}

/** A piece in the middle of a turn. */
export interface Drawn extends Piece {
  /** Stays with it while it moves: a key for lists. */
  readonly key: string;
  /** Where it is going, or leaning to. */
  readonly to: string;
  /** How far on the way, 0 to 1. */
  readonly way: number;
  /** 1: there, 0: gone. */
  readonly here: number;
  /** Its number has dropped to zero, and it is fading. */
  readonly spent?: boolean;
}

/** A piece that takes part in a beat, and its progress at any time of it, 0 to 1. */
export interface Part {
  readonly piece: Drawn;
  readonly way: (t: number) => number;
  readonly here: (t: number) => number;
}

/** A mark for as long as a beat lasts. */
export interface Flash {
  readonly what: string;
  readonly at: string;
  readonly to: string;
  readonly number: number;
}

export interface Moment {
  /** The pieces that take no part in what happens now; the same list as long as that lasts. */
  readonly still: readonly Drawn[];
  readonly moving: readonly Drawn[];
  /** The moving ones regardless of time: a large board is drawn from these, since they rarely change. */
  readonly parts: readonly Part[];
  readonly flashes: readonly Flash[];
  /** How much the totals beside the board have changed since the turn began. */
  readonly counts: ReadonlyMap<string, number>;
  /** What is being shown. */
  readonly events: readonly Told[];
  readonly seat: string;
  readonly line: number;
  /** How far the beat is, 0 to 1. */
  readonly t: number;
  /** The last beat is done: this is the result of the turn. */
  readonly over: boolean;
}

/** A turn to animate: the frames before and after it, and what each kind of event does to the board. */
export interface Turn {
  readonly before: Frame;
  readonly after: Frame;
  readonly shows: Readonly<Record<string, readonly Show[]>>;
}

/** A turn being animated: the stages before `index` are done, and this one is at `t`. */
export interface Showing extends Turn {
  readonly index: number;
  readonly t: number;
}

type Stand = ReadonlyMap<string, Drawn>;
type Counts = ReadonlyMap<string, number>;

const LEAN = 0.12; // of the way to the other
export const ease = (t: number): number => t * t * (3 - 2 * t);
const keyOf = (what: string, at: string): string => `${what} @ ${at}`;
const nothing: Counts = new Map();

const courses = new WeakMap<Frame, Course>();

/** The current moment. `pieces` says what is where in a view. */
export function momentOf(showing: Showing, pieces: (frame: Frame) => readonly Piece[]): Moment {
  return courseOf(showing, pieces).at(showing.index, showing.t);
}

/** The moment right after a beat, counted from 0 over all stages. */
export function momentAfter(turn: Turn, beat: number, pieces: (frame: Frame) => readonly Piece[]): Moment {
  return courseOf(turn, pieces).moment(beat, 1);
}

function courseOf(turn: Turn, pieces: (frame: Frame) => readonly Piece[]): Course {
  let course = courses.get(turn.after);
  if (course?.before !== turn.before) {
    course = new Course(turn, pieces);
    courses.set(turn.after, course);
  }
  return course;
}

/** One turn, beat by beat. Beats are worked out when they are first shown. */
class Course {
  readonly before: Frame;
  private readonly acts: Act[] = [];
  private last: ReadonlyMap<string, Piece> | null = null;
  private resting: readonly Drawn[] | null = null;
  private readonly beats: readonly { stage: number; beat: Beat; from: number; part: number }[];

  constructor(
    private readonly turn: Turn,
    private readonly pieces: (frame: Frame) => readonly Piece[],
  ) {
    this.before = turn.before;
    this.beats = turn.after.stages.flatMap((of, stage) => {
      const beats = of.beats.flatMap((beat) => singles(beat, turn.after.events));
      const all = beats.reduce((sum, beat) => sum + weight(beat), 0);
      let from = 0;
      return beats.map((beat) => {
        const part = weight(beat) / all;
        from += part;
        return { stage, beat, from: from - part, part };
      });
    });
  }

  at(stage: number, t: number): Moment {
    const within = this.beats.flatMap((one, number) => (one.stage === stage ? [number] : []));
    const number = within.findLast((one) => this.beats[one]!.from <= t) ?? within[0];
    if (number === undefined) {
      const before = resting(this.pieces(this.before));
      return moment({ still: before, parts: [], over: false, flashes: [], counts: nothing, events: [], seat: "", line: 0, t });
    }
    const { from, part } = this.beats[number]!;
    return this.moment(number, t >= 1 ? 1 : Math.min(1, (t - from) / part));
  }

  moment(number: number, way: number): Moment {
    const act = this.act(number);
    const over = way >= 1 && number === this.beats.length - 1;
    const parts = over ? [] : act.parts(way);
    return moment({
      still: over ? this.rest : act.still,
      parts,
      over,
      flashes: act.flashes,
      counts: way >= 0.5 ? act.counted : act.counts,
      events: act.events,
      seat: act.beat.seat ?? "",
      line: act.beat.line ?? 0,
      t: way,
    });
  }

  /** The result of the turn. */
  private get rest(): readonly Drawn[] {
    return (this.resting ??= resting(this.pieces(this.turn.after)));
  }

  /**
   * Changes that name no property, by piece: whatever is different in the view after the turn. An operation that removes
   * something without naming a place means all pieces of that name.
   */
  private settled(ops: readonly Op[], first: Stand): readonly Op[] {
    const isBare = ({ op, at, set }: Op) => (op === "change" && !set) || (op === "vanish" && !at);
    if (!ops.some(isBare)) return ops;
    return ops.flatMap((op) => {
      if (!isBare(op)) return [op];
      if (op.op === "vanish") return [...first.values()].flatMap(({ what, at }) => (what === op.what ? [{ ...op, at }] : []));
      this.last ??= new Map(this.pieces(this.turn.after).map((piece) => [keyOf(piece.what, piece.at), piece]));
      const pieces = op.at ? [first.get(keyOf(op.what, op.at))] : [...first.values()].filter(({ what }) => what === op.what);
      return pieces.flatMap((piece): Op[] => {
        const after = piece && this.last!.get(keyOf(piece.what, piece.at));
        const set = after && Object.fromEntries(Object.entries(after).filter(([name, value]) => piece[name] !== value));
        return set && Object.keys(set).length ? [{ op: "change", what: piece!.what, at: piece!.at, set }] : [];
      });
    });
  }

  private act(number: number): Act {
    const known = this.acts[number];
    if (known) return known;
    const last = number > 0 ? this.act(number - 1) : null;
    const first = last ? last.done : standing(this.pieces(this.before));
    const { beat } = this.beats[number]!;
    const all = this.turn.after.events;
    const events = (beat.events ?? []).flatMap(([from, many]) => all.slice(from, from + many));
    const ops = this.settled(summed([...events.flatMap((one) => operations(one, this.turn.shows)), ...(beat.ops ?? [])]), first);
    return (this.acts[number] = new Act(number, beat, events, ops, first, last?.counted ?? nothing));
  }
}

/** A beat worked out once. */
class Act {
  readonly still: readonly Drawn[];
  readonly flashes: readonly Flash[];
  private readonly moved: ReadonlyMap<string, Drawn>;
  private readonly known: { early?: readonly Part[]; late?: readonly Part[]; done?: readonly Part[] } = {};
  private board: Stand | null = null;
  private sums: Counts | null = null;

  constructor(
    private readonly number: number,
    readonly beat: Beat,
    readonly events: readonly Told[],
    private readonly ops: readonly Op[],
    private readonly first: Stand,
    readonly counts: Counts,
  ) {
    const touched = new Set<string>();
    for (const { op, what, at = "", to = "", lean } of ops) {
      touched.add(keyOf(what, at));
      if (op === "move") touched.add(keyOf(what, to)); // it joins those already there
      if (lean) touched.add(keyOf(lean, at));
    }
    const [still, moved]: [Drawn[], Map<string, Drawn>] = [[], new Map()];
    for (const [key, piece] of first) {
      if (touched.has(key)) moved.set(key, piece);
      else still.push(piece);
    }
    this.still = still;
    this.moved = moved;
    this.flashes = ops.flatMap(({ op, what, at = "", to = "", number }) => (op === "flash" ? [{ what, at, to, number: number ?? 0 }] : []));
  }

  /** The board after it. */
  get done(): Stand {
    return (this.board ??= played(this.first, this.ops, this.number));
  }

  /** The totals beside the board once it is over. */
  get counted(): Counts {
    return (this.sums ??= counted(this.counts, this.ops));
  }

  /** Its second half is like its first: nothing happens to pieces that don't move. */
  private get isSteady(): boolean {
    return this.ops.every(({ op }) => op === "move" || op === "flash");
  }

  /** The pieces that take part in it, at time `t`. */
  parts(t: number): readonly Part[] {
    if (t < 0.5) return (this.known.early ??= parts(this.moved, this.ops, this.number, false));
    if (t < 1) return (this.known.late ??= this.isSteady ? this.parts(0) : parts(this.moved, this.ops, this.number, true));
    return (this.known.done ??= [...played(this.moved, this.ops, this.number).values()].map(part));
  }
}

/** Moving pieces are created only when they are read one by one. */
function moment(now: Omit<Moment, "moving">): Moment {
  let made: readonly Drawn[] | undefined;
  const moving = () => (made ??= now.parts.map(({ piece, way, here }) => ({ ...piece, way: way(now.t), here: here(now.t) })));
  return {
    ...now,
    get moving() {
      return moving();
    },
  };
}

/** All changes to the number of one piece in a beat are added up: what it gains may save it. */
function summed(ops: readonly Op[]): Op[] {
  const sums = new Map<string, number>();
  const isCount = ({ op, at }: Op) => op === "count" && at;
  if (!ops.some(isCount)) return [...ops];
  for (const one of ops)
    if (isCount(one)) sums.set(keyOf(one.what, one.at!), (sums.get(keyOf(one.what, one.at!)) ?? 0) + (one.number ?? 0));
  return ops.flatMap((one) => {
    if (!isCount(one)) return [one];
    const key = keyOf(one.what, one.at!);
    const number = sums.get(key);
    return number !== undefined && sums.delete(key) ? [{ ...one, number }] : [];
  });
}

/** The beats that one stands for: usually just itself. */
export function singles(beat: Beat, events: readonly Told[]): Beat[] {
  if (!beat.by_line) return [beat];
  const found: { line: number; seat: string; events: [number, number][] }[] = [];
  for (const [first, many] of beat.events ?? []) {
    for (let at = first; at < first + many; at++) {
      const line = (events[at]!.event.line as number | undefined) ?? 0;
      const last = found.at(-1);
      if (last?.line === line) last.events.push([at, 1]);
      else found.push({ line, seat: beat.seat ?? "", events: [[at, 1]] });
    }
  }
  return found;
}

const weight = (beat: Beat): number => beat.ms || 100;

/** What an event does to the board, as far as this audience can see. */
export function operations({ event }: Told, shows: Showing["shows"]): Op[] {
  const found: Op[] = [];
  for (const { op, what, at = "", to = "", lean = "", number, set } of shows[event.kind] ?? []) {
    const [what_, at_, to_, lean_] = [told(what, event), told(at, event), told(to, event), told(lean, event)];
    if (what_ === null || at_ === null || to_ === null || lean_ === null) continue;
    const many = number ? numberOf(number, event) : null;
    const made: Op = { op, what: what_, at: at_, to: to_, lean: lean_, number: many };
    if (set) made.set = Object.fromEntries(Object.entries(set).map(([name, value]) => [name, valueOf(value, event)]));
    found.push(made);
  }
  return found;
}

/** A plain number, or the value of a field: "{number}", "-{number}". */
function numberOf(template: string, event: Record<string, unknown>): number {
  const [sign = "", field, rest] = partsOf(template);
  if (field === undefined || rest) return Number(template);
  const value = Number(event[field] ?? 0);
  return sign === "-" ? -value : value;
}

const known = new WeakMap<Frame, readonly Op[]>();

/** Everything that happened in the turn before a frame, as operations: for marks on a board at rest. */
export function happened(frame: Frame, shows: Showing["shows"]): readonly Op[] {
  let found = known.get(frame);
  if (found) return found;
  const of = ({ events = [], ops = [] }: Beat): Op[] => [
    ...events.flatMap(([first, many]) => frame.events.slice(first, first + many)).flatMap((one) => operations(one, shows)),
    ...ops,
  ];
  found = frame.stages.flatMap((stage) => stage.beats.flatMap(of));
  known.set(frame, found);
  return found;
}

/** Pieces at rest, with the keys that they have while turns are animated. */
export const resting = (pieces: readonly Piece[]): readonly Drawn[] => [...standing(pieces).values()];

/** All pieces by what and where they are; each with a key that counts pieces of the same name. */
function standing(pieces: readonly Piece[]): Stand {
  const counts = new Map<string, number>();
  const found = new Map<string, Drawn>();
  for (const piece of pieces) {
    const number = counts.get(piece.what) ?? 0;
    counts.set(piece.what, number + 1);
    found.set(keyOf(piece.what, piece.at), drawn(piece, `${piece.what} ${number}`));
  }
  return found;
}

const drawn = (piece: Piece, key: string): Drawn => ({ ...piece, key, to: piece.at, way: 0, here: 1 });

function counted(counts: Counts, ops: readonly Op[]): Counts {
  const sums = ops.filter(({ op, at }) => op === "count" && !at);
  if (!sums.length) return counts;
  const made = new Map(counts);
  for (const { what, number } of sums) made.set(what, (made.get(what) ?? 0) + (number ?? 0));
  return made;
}

// ---- a beat, done

/** The board after a beat. Every moving piece leaves before any arrives. */
function played(first: Stand, ops: readonly Op[], number: number): Stand {
  const board = new Map(first);
  const going = ops.flatMap((op) => (op.op === "move" ? [{ op, piece: leave(board, op, number) }] : []));
  for (const { op, piece } of going) arrive(board, { ...piece, at: op.to ?? "", to: op.to ?? "", way: 0 });
  for (const op of ops) happen(board, op, number);
  return board;
}

/** A new piece has the number of the beat in its key: another may have been created there before and moved on. */
function happen(board: Map<string, Drawn>, { op, what, at = "", number, set }: Op, beat: number): void {
  const key = keyOf(what, at);
  const piece = board.get(key);
  if (op === "vanish") board.delete(key);
  else if (op === "appear")
    arrive(board, { ...drawn({ what, at, ...(number === null || number === undefined ? {} : { number }) }, `${key} +${beat}`), ...set });
  else if (op === "change") board.set(key, { ...(piece ?? drawn({ what, at }, key)), ...set });
  else if (op === "count" && at && piece) {
    const sum = (piece.number ?? 0) + (number ?? 0);
    if (sum > 0) board.set(key, { ...piece, number: sum });
    else board.delete(key);
  }
}

/** Takes the piece, or this many of it, from its place. A piece that comes out of the fog is created. */
function leave(board: Map<string, Drawn>, { what, at = "", to = "", number }: Op, beat: number): Drawn {
  const key = keyOf(what, at);
  const piece = board.get(key);
  const many = number ?? piece?.number;
  if (!piece) return drawn({ what, at, ...(many === undefined ? {} : { number: many }) }, `${key}-${to} ${beat}`);
  if (many === undefined || piece.number === undefined || piece.number <= many) {
    board.delete(key);
    return { ...piece, ...(many === undefined ? {} : { number: many }) };
  }
  board.set(key, { ...piece, number: piece.number - many });
  return { ...piece, key: `${key}-${to} ${beat}`, number: many };
}

function arrive(board: Map<string, Drawn>, piece: Drawn): void {
  const key = keyOf(piece.what, piece.at);
  const there = board.get(key);
  const joined = there?.number !== undefined && piece.number !== undefined;
  board.set(key, joined ? { ...there, number: there.number! + piece.number! } : piece);
}

// ---- a beat, in the middle

const none = (): number => 0;
const whole = (): number => 1;
const comes = (t: number): number => t;
const goes = (t: number): number => Math.min(1, 2 - 2 * t);
const leans = (t: number): number => LEAN * Math.sin(Math.PI * t); // two pieces approach each other and part

const part = (piece: Drawn): Part => ({ piece, way: none, here: whole });

/** What the pieces that take part in a beat do in its first or second half. */
function parts(moved: Stand, ops: readonly Op[], number: number, late: boolean): Part[] {
  const board = new Map(moved);
  const marches = ops.some(({ op }) => op === "move");
  const travelling = ops.flatMap((op) =>
    op.op === "move" ? [{ piece: { ...leave(board, op, number), to: op.to ?? "" }, way: ease, here: whole }] : [],
  );
  const coming: Part[] = [];
  const going = new Set<string>();
  const leaning = new Map<string, string>();
  for (const op of ops) {
    const key = keyOf(op.what, op.at ?? "");
    const piece = board.get(key);
    if (op.op === "appear" && (!piece || piece.number === undefined)) {
      const made = new Map<string, Drawn>();
      happen(made, op, number);
      for (const one of made.values()) coming.push({ piece: one, way: none, here: comes });
    } else if (op.op === "appear" && late) happen(board, op, number);
    else if (op.op === "vanish" && piece && late) going.add(key);
    else if (op.op === "change" && late && !marches) happen(board, op, number);
    else if (op.op === "count" && op.at && piece && late) {
      const left = (piece.number ?? 0) + (op.number ?? 0);
      board.set(key, left > 0 ? { ...piece, number: left } : { ...piece, spent: true });
      if (left <= 0) going.add(key);
    } else if (op.op === "flash" && op.lean && op.to) leaning.set(keyOf(op.lean, op.at ?? ""), op.to);
  }
  const staying = [...board].map(([key, piece]): Part => {
    const to = leaning.get(key);
    return { piece: to ? { ...piece, to } : piece, way: to ? leans : none, here: going.has(key) ? goes : whole };
  });
  return [...staying, ...travelling, ...coming];
}
