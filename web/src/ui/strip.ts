// Curves over the whole game, as paths in a box of 1000 by 100. They are recomputed when frames arrive, not with every frame shown.

import type { Frame } from "../wire";

const MAX = 700; // points of a curve; more cannot be told apart

type Held = readonly (Frame | undefined)[];

export interface Curve {
  seat: string;
  path: string;
}

export interface Chart {
  curves: Curve[];
  low: number;
  high: number;
  /** Where zero is drawn. */
  zero: number;
}

/** How far from the top of the box a value is drawn. */
const level = (value: number, low: number, high: number): number => fix(96 - ((value - low) / (high - low)) * 92);

/** Where to put the labels beside their lines: as close as possible, without overlapping. */
export function labels(
  values: Readonly<Record<string, number>>,
  { low, high }: Chart,
  least: number,
): { seat: string; value: number; y: number }[] {
  const made = Object.entries(values)
    .map(([seat, value]) => ({ seat, value, y: level(value, low, high) }))
    .sort((a, b) => a.y - b.y || a.seat.localeCompare(b.seat));
  // Down from the top, each at least one step below the one before; then up again from the lowest that fits.
  made.forEach((one, i) => (one.y = Math.max(one.y, i ? made[i - 1]!.y + least : least / 2)));
  made.reduceRight((below, one) => (one.y = Math.min(one.y, below - least)), 100 + least / 2);
  return made;
}

const fix = (n: number): number => Math.round(n * 100) / 100;

/** The frames to draw: all, or every so many of a long game. */
function points(frames: Held, count: number): number[] {
  const every = Math.max(1, Math.ceil(count / MAX));
  const found: number[] = [];
  for (let i = 0; i < count; i += every) if (frames[i]) found.push(i);
  if (count && frames[count - 1] && found.at(-1) !== count - 1) found.push(count - 1);
  return found;
}

/** A figure of a frame by seat: by its name, or taken from elsewhere in the frame. */
export type Figure = string | ((frame: Frame) => Readonly<Record<string, number>>);

/** The values of a figure in a frame. */
export const valuesOf = (frame: Frame, figure: Figure): Readonly<Record<string, number>> =>
  (typeof figure === "string" ? frame.figures[figure] : figure(frame)) ?? {};

/** One figure over time, a curve for every seat that has it. */
export function chart(frames: Held, count: number, total: number, figure: Figure): Chart {
  const at = points(frames, count);
  const seats = new Set<string>();
  let low = 0;
  let high = 1;
  for (const i of at) {
    for (const [seat, value] of Object.entries(valuesOf(frames[i]!, figure))) {
      seats.add(seat);
      low = Math.min(low, value);
      high = Math.max(high, value);
    }
  }
  const curves = [...seats].map((seat) => {
    let path = "";
    let broken = true;
    for (const i of at) {
      const value = valuesOf(frames[i]!, figure)[seat];
      if (value === undefined) broken = true;
      else {
        path += `${broken ? "M" : "L"}${fix((i / Math.max(1, total)) * 1000)} ${level(value, low, high)}`;
        broken = false;
      }
    }
    return { seat, path };
  });
  return { curves, low, high, zero: level(0, low, high) };
}

/** Who was ahead: the first seat's lead above a middle line, the second's below. */
export function lead(frames: Held, count: number, total: number, figure: string, seats: readonly string[]): Curve[] {
  const [a, b] = seats as [string, string];
  const at = points(frames, count);
  const values = at.map((i) => {
    const of = frames[i]!.figures[figure] ?? {};
    return (of[a] ?? 0) - (of[b] ?? 0);
  });
  const most = Math.max(1, ...values.map(Math.abs));
  const side = (seat: string, sign: 1 | -1): Curve => {
    let path = "";
    at.forEach((i, n) => {
      const value = Math.max(0, sign * values[n]!);
      path += `${n ? "L" : "M0 50L"}${fix((i / Math.max(1, total)) * 1000)} ${fix(50 - (sign * value * 44) / most)}`;
    });
    return { seat, path: at.length ? `${path}V50z` : "" };
  };
  return [side(a, 1), side(b, -1)];
}

/** Shares of all seats, one upon the other. */
export function share(frames: Held, count: number, total: number, figure: string, seats: readonly string[]): Curve[] {
  const at = points(frames, count);
  const sums = new Array<number>(at.length).fill(0);
  const all = at.map((i) => Object.values(frames[i]!.figures[figure] ?? {}).reduce((sum, v) => sum + v, 0) || 1);
  const x = (n: number): number => fix((at[n]! / Math.max(1, total)) * 1000);
  return seats.map((seat) => {
    let over = "";
    let under = "";
    at.forEach((i, n) => {
      const before = sums[n]!;
      sums[n] = before + (frames[i]!.figures[figure]?.[seat] ?? 0) / all[n]!;
      over += `${n ? "L" : "M"}${x(n)} ${fix(100 - sums[n]! * 100)}`;
      under = `L${x(n)} ${fix(100 - before * 100)}${under}`;
    });
    return { seat, path: at.length ? `${over}${under}z` : "" };
  });
}

/** A value between 0 and 1 over the match, with its band, for one seat. `known` has the estimates in order. */
export function valued(
  known: readonly { step: number; values: Readonly<Record<string, number>>; margins: Readonly<Record<string, number>> }[],
  total: number,
  seat: string,
): { line: string; band: string; above: string; below: string } {
  const x = (step: number): number => fix((step / Math.max(1, total)) * 1000);
  const y = (value: number): number => level(Math.max(0, Math.min(1, value)), 0, 1);
  let line = "";
  let upper = "";
  let lower = "";
  let above = "";
  let below = "";
  known.forEach(({ step, values, margins }, i) => {
    const [value, margin] = [values[seat] ?? 0, margins[seat] ?? 0];
    const sign = i ? "L" : "M";
    line += `${sign}${x(step)} ${y(value)}`;
    upper += `${sign}${x(step)} ${y(value + margin)}`;
    lower = `L${x(step)} ${y(value - margin)}${lower}`;
    above += `L${x(step)} ${y(Math.max(0.5, value))}`;
    below += `L${x(step)} ${y(Math.min(0.5, value))}`;
  });
  const close = known.length ? `V${y(0.5)}z` : "";
  const start = known.length ? `M${x(known[0]!.step)} ${y(0.5)}` : "";
  return { line, band: line ? `${upper}${lower}z` : "", above: start + above + close, below: start + below + close };
}

/** Where to put marks of a given width beside each other: as close as possible to their places, inside the strip. */
export function spread(places: readonly number[], wide: number, room: number): number[] {
  const made = [...places];
  made.forEach((_, i) => (made[i] = Math.max(made[i]!, i ? made[i - 1]! + wide : wide / 2)));
  made.reduceRight((right, _, i) => (made[i] = Math.min(made[i]!, right - wide)), room + wide / 2);
  return made;
}
