// The curve of a bot's rating: one piece for each version, none joined to another.

import { day } from "../../lib/time";
import type { VersionRow } from "../../wire";

export const WIDTH = 800;
export const HEIGHT = 250;
const [LEFT, RIGHT, TOP, BOTTOM] = [8, 744, 26, 226];
const DAY = 86400;
const HOURS = [900, 1800, 3600, 7200, 14400, 21600, 43200]; // seconds between two times below a short curve
const WIDEST = 150; // of a margin that the scale makes room for; wider bands are cut

export interface Piece {
  readonly number: number;
  /** Where it begins. */
  readonly x: number;
  readonly line: string;
  readonly band: string;
  readonly last: readonly [x: number, y: number];
}

export interface Mark {
  readonly number: number;
  readonly x: number;
}

export interface Curve {
  readonly pieces: readonly Piece[];
  /** Refused versions: marks without a piece. */
  readonly refused: readonly Mark[];
  readonly levels: readonly { elo: number; y: number }[];
  readonly times: readonly { text: string; x: number }[];
  readonly y: (elo: number) => number;
  readonly low: number;
  readonly high: number;
}

const figure = (value: number): string => value.toFixed(1);

/** What is drawn of the versions since a time; null if nothing has been rated. */
export function curveOf(versions: readonly VersionRow[], since: number, now: number): Curve | null {
  const points = versions.flatMap(({ curve }) => curve.filter(({ at }) => at >= since));
  if (!points.length) return null;
  const first = Math.min(...points.map(({ at }) => at));
  // It ends now, at the right, where a narrow screen looks first; the first hour does not fill it.
  const span = Math.max(now - first, 3600);
  const begin = now - span;
  const firm = points.filter(({ margin }) => margin <= WIDEST);
  const spans = (firm.length ? firm : points).map(
    ({ elo, margin }) => [elo - Math.min(margin, WIDEST), elo + Math.min(margin, WIDEST)] as const,
  );
  const step = stepOf(spans);
  const low = Math.floor(Math.min(...spans.map(([from]) => from)) / step) * step;
  const high = Math.max(low + 2 * step, Math.ceil(Math.max(...spans.map(([, to]) => to)) / step) * step);
  const x = (at: number): number => LEFT + ((RIGHT - LEFT) * (at - begin)) / span;
  const y = (elo: number): number => BOTTOM - ((BOTTOM - TOP) * (Math.max(low, Math.min(high, elo)) - low)) / (high - low);

  const pieces: Piece[] = [];
  for (const { number, curve } of [...versions].reverse()) {
    const shown = curve.filter(({ at }) => at >= since);
    const last = shown.at(-1);
    if (!last || !shown[0]) continue;
    const line = shown.map(({ at, elo }) => `${figure(x(at))},${figure(y(elo))}`);
    const above = shown.map(({ at, elo, margin }) => `${figure(x(at))},${figure(y(elo + margin))}`);
    const below = shown.map(({ at, elo, margin }) => `${figure(x(at))},${figure(y(elo - margin))}`).reverse();
    pieces.push({ number, x: x(shown[0].at), line: line.join(" "), band: [...above, ...below].join(" "), last: [x(last.at), y(last.elo)] });
  }
  const refused = versions
    .filter(({ state, created }) => state === "refused" && created >= first)
    .map(({ number, created }) => ({ number, x: x(created) }));
  const levels = [];
  for (let elo = low; elo <= high; elo += step) levels.push({ elo, y: y(elo) });
  return { pieces, refused, levels, times: timesOf(begin, span).map(({ at, text }) => ({ text, x: x(at) })), y, low, high };
}

/** The distance of two lines: a few of them, at round figures. */
function stepOf(spans: readonly (readonly number[])[]): number {
  const all = Math.max(...spans.map((span) => span[1] ?? 0)) - Math.min(...spans.map((span) => span[0] ?? 0));
  return [20, 50, 100, 200, 500].find((step) => all / step <= 6) ?? 1000;
}

/** A few days to write below, or hours if there is no other day in it. */
function timesOf(begin: number, span: number): { at: number; text: string }[] {
  const long = span > 2 * DAY;
  const every = long ? DAY * Math.ceil(span / DAY / 5) : (HOURS.find((hours) => span / hours <= 5) ?? DAY);
  const start = new Date(begin * 1000);
  start.setHours(long ? 24 : 0, 0, 0, 0);
  const found = [];
  for (let at = start.getTime() / 1000; at < begin + span; at += every) {
    if (at > begin) found.push({ at, text: long ? day(at) : clockOf(at) });
  }
  return found;
}

const clockOf = (at: number): string => new Date(at * 1000).toLocaleTimeString("en-GB", { hour: "2-digit", minute: "2-digit" });
