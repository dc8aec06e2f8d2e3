// The CPU time of each seat, turn by turn, as bars; and the log of a bot by turn.

import type { Frame } from "../wire";

export interface LogLine {
  turn: number;
  text: string;
}

export interface Spent {
  seat: string;
  /** Seconds of each frame; 0 where the seat did not act. */
  cpu: readonly number[];
  whole: number;
  median: number;
  worst: number;
  strikes: number;
  void: number;
}

/** What each seat has used over the frames that are loaded. */
export function spentBy(frames: readonly (Frame | undefined)[], total: number, seats: readonly string[]): Spent[] {
  return seats.map((seat) => {
    const cpu = Array.from({ length: total }, (_, i) => frames[i]?.cpu[seat] ?? 0);
    const used = cpu.filter((seconds) => seconds > 0).sort((a, b) => a - b);
    const of = (count: (frame: Frame) => number): number => frames.reduce((sum, frame) => sum + (frame ? count(frame) : 0), 0);
    return {
      seat,
      cpu,
      whole: used.reduce((sum, seconds) => sum + seconds, 0),
      median: used[Math.floor(used.length / 2)] ?? 0,
      worst: used.at(-1) ?? 0,
      strikes: of((frame) => (frame.strikes[seat] ? 1 : 0)),
      void: of((frame) => frame.faults[seat]?.length ?? 0),
    };
  });
}

/** Where the lanes end, in seconds: one scale for all, with room above what a turn adds; few bars are cut. */
export function ceiling(spent: readonly Spent[], turn: number): number {
  const all = spent.flatMap(({ cpu }) => cpu.filter((seconds) => seconds > 0)).sort((a, b) => a - b);
  const high = all[Math.floor(all.length * 0.98)] ?? 0;
  return Math.max(high * 1.1, Math.min(turn * 1.6, Math.max(high * 4, 0.001)));
}

/** At most so many bars, each the worst of its turns: more would not be seen. */
export function bars(cpu: readonly number[], most: number): { at: number; seconds: number }[] {
  const size = Math.max(1, Math.ceil(cpu.length / most));
  const found: { at: number; seconds: number }[] = [];
  for (let at = 0; at < cpu.length; at += size) found.push({ at, seconds: Math.max(...cpu.slice(at, at + size)) });
  return found;
}

/** A log with the turn before each line. Lines without one belong to the turn before. */
export function logLines(text: string): LogLine[] {
  let turn = 0;
  const lines = text.split("\n");
  if (lines.at(-1) === "") lines.pop();
  return lines.map((line) => {
    const found = /^(\d{1,6})\t(.*)$/s.exec(line);
    if (found) turn = Number(found[1]);
    return { turn, text: found ? found[2]! : line };
  });
}

/** The first line of a turn, or of the one before it that has any. */
export function lineOf(lines: readonly LogLine[], turn: number): number {
  let found = -1;
  for (let i = 0; i < lines.length && lines[i]!.turn <= turn; i++) {
    if (found < 0 || lines[i]!.turn !== lines[found]!.turn) found = i;
  }
  return found;
}
