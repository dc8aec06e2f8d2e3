// What went wrong besides the play, turn by turn: strikes, void lines, seats that dropped out; and the time bots took.

import type { Frame } from "../wire";
import { count, name } from "./words";

/** The gravest first: dropped out, lost the turn, lines that had no effect. */
export type FaultKind = "out" | "strike" | "void";
const ORDER: readonly FaultKind[] = ["out", "strike", "void"];
const SINGLE = 4; // turns of one mark that are told one by one

export interface SeatFault {
  seat: string;
  kind: FaultKind;
  words: string;
  /** Of void lines. */
  many: number;
}

export interface FaultMark {
  /** The first frame it stands for. */
  number: number;
  kind: FaultKind;
  seats: readonly string[];
  words: string;
}

/** The faults of the turn that led to a frame. Resigning isn't one. */
export function faultsOf(frame: Frame): SeatFault[] {
  const found: SeatFault[] = [];
  const why = (seat: string): string => (frame.reasons[seat] ? `: ${frame.reasons[seat]}` : "");
  for (const [seat, how] of Object.entries(frame.dropped)) {
    if (how !== "resigned") found.push({ seat, kind: "out", words: `${name(seat)} ${how}${why(seat)}`, many: 1 });
  }
  for (const [seat, how] of Object.entries(frame.strikes)) {
    if (!(seat in frame.dropped)) found.push({ seat, kind: "strike", words: `${name(seat)} ${how}${why(seat)}`, many: 1 });
  }
  for (const [seat, { length }] of Object.entries(frame.faults)) {
    if (length) found.push({ seat, kind: "void", words: `${name(seat)}: ${count(length, "void line")}`, many: length });
  }
  return found;
}

export function isFaulty(frame: Frame): boolean {
  return (
    Object.keys(frame.strikes).length > 0 ||
    Object.values(frame.faults).some((of) => of.length > 0) ||
    Object.values(frame.dropped).some((how) => how !== "resigned")
  );
}

/** Marks for a strip with so many places, each standing for all faults there. The turn ordered is that of the frame before. */
export function gathered(frames: readonly (Frame | undefined)[], total: number, span: number, places: number): FaultMark[] {
  const found: FaultMark[] = [];
  let spot = -1;
  let group: Frame[] = [];
  const close = (): void => {
    if (group.length) found.push(mark(frames, group));
    group = [];
  };
  for (let number = 0; number < total; number++) {
    const frame = frames[number];
    if (!frame || !isFaulty(frame)) continue;
    const at = Math.min(places - 1, Math.floor((number / Math.max(1, span)) * places));
    if (at !== spot) close();
    spot = at;
    group.push(frame);
  }
  close();
  return found;
}

/** The turn whose orders led to a frame. */
const turnOf = (frames: readonly (Frame | undefined)[], { number, turn }: Frame): number =>
  frames[number - 1]?.turn ?? Math.max(0, turn - 1);

function mark(frames: readonly (Frame | undefined)[], group: readonly Frame[]): FaultMark {
  const all = group.map((frame) => ({ turn: turnOf(frames, frame), faults: faultsOf(frame) }));
  const flat = all.flatMap(({ faults }) => faults);
  return {
    number: group[0]!.number,
    kind: ORDER.find((kind) => flat.some((fault) => fault.kind === kind))!,
    seats: [...new Set(flat.map(({ seat }) => seat))],
    words:
      all.length <= SINGLE
        ? all.map(({ turn, faults }) => `Turn ${turn}: ${faults.map(({ words }) => words).join(". ")}`).join(". ")
        : `Turns ${all[0]!.turn} to ${all.at(-1)!.turn}: ${summed(flat)}`,
  };
}

/** Many faults in a few words: who dropped out, and how often the rest happened. */
function summed(faults: readonly SeatFault[]): string {
  const said = faults.filter(({ kind }) => kind === "out").map(({ words }) => words);
  for (const [kind, word] of [
    ["strike", "strike"],
    ["void", "void line"],
  ] as const) {
    for (const seat of new Set(faults.map((fault) => fault.seat))) {
      const many = faults.filter((fault) => fault.kind === kind && fault.seat === seat).reduce((sum, fault) => sum + fault.many, 0);
      if (many) said.push(`${name(seat)}: ${count(many, word)}`);
    }
  }
  return said.join(". ");
}

/** A turn at a glance: its important moments, then its faults. */
export const toldOf = (frame: Frame): string =>
  [...frame.marks.map((mark) => mark.words), ...faultsOf(frame).map(({ words }) => `${words}.`)].join(" ");

/** Why seats dropped out, as far as this audience may know. */
export function reasonsIn(frames: readonly (Frame | undefined)[]): Record<string, string> {
  const found: Record<string, string> = {};
  for (const frame of frames) for (const seat of Object.keys(frame?.dropped ?? {})) found[seat] = frame!.reasons[seat] ?? "";
  return found;
}

export interface Total {
  seat: string;
  /** Seconds. */
  cpu: number;
  wall: number;
  slowest: number;
  strikes: number;
  void: number;
}

/** Time and faults over the game, of seats that have any. */
export function tally(frames: readonly (Frame | undefined)[], seats: readonly string[]): Total[] {
  return seats
    .map((seat): Total => {
      const of: Total = { seat, cpu: 0, wall: 0, slowest: 0, strikes: 0, void: 0 };
      for (const frame of frames) {
        if (!frame) continue;
        of.cpu += frame.cpu[seat] ?? 0;
        of.wall += frame.wall[seat] ?? 0;
        of.slowest = Math.max(of.slowest, frame.wall[seat] ?? 0);
        of.strikes += seat in frame.strikes ? 1 : 0;
        of.void += frame.faults[seat]?.length ?? 0;
      }
      return of;
    })
    .filter((of) => of.cpu || of.wall || of.strikes || of.void);
}
