// A ladder as its page shows it: order, bands, the bracket, the axis. Pure functions; the server has the figures.

import type { LadderRow } from "../wire";
import { brief } from "./time";
import { count } from "./words";

/** An interval wider than this to either side says little: shown as one that is still open. */
export const WIDE = 60;

export interface Axis {
  low: number;
  high: number;
  ticks: readonly number[];
}

export interface Band {
  /** From 1; 0: bots without a fit yet. */
  number: number;
  rows: readonly LadderRow[];
}

/** Ranks and bands belong to a fit, and change only when the page is sorted again. */
export type Pinned = Pick<LadderRow, "bot" | "rank_from" | "rank_to" | "band" | "doubt_from" | "doubt_to" | "fitted" | "placing">;

/** The map of a ladder's game; empty if the ladder has only one, which has no name. */
export const mapOf = (map: string): string => (map === "any" ? "" : map);
export const isOurs = (row: LadderRow): boolean => !row.author;
export const isOpen = (row: LadderRow): boolean => Boolean(row.placing) || (row.margin ?? Infinity) > WIDE;

/** "4–9", or "open" while it is being placed. */
export function rankOf(row: Pick<LadderRow, "rank_from" | "rank_to">): string {
  if (row.rank_from == null || row.rank_to == null) return "open";
  return row.rank_from === row.rank_to ? String(row.rank_from) : `${row.rank_from}–${row.rank_to}`;
}

/** Bands first, then ratings; those that have never been fitted come last. */
export function sorted(rows: readonly LadderRow[]): LadderRow[] {
  const band = (row: LadderRow): number => row.band ?? Infinity;
  return [...rows].sort((a, b) => band(a) - band(b) || (b.rating ?? -Infinity) - (a.rating ?? -Infinity) || a.bot - b.bot);
}

/** Rows in a known order; new ones come last, those that are gone are left out. */
export function inOrder(rows: readonly LadderRow[], order: readonly number[]): LadderRow[] {
  const by = new Map(rows.map((row) => [row.bot, row]));
  const known = new Set(order);
  return [...order.flatMap((bot) => by.get(bot) ?? []), ...rows.filter((row) => !known.has(row.bot))];
}

/** How many bots would change places if the page were sorted now. */
export function moves(rows: readonly LadderRow[], order: readonly number[]): number {
  const there = inOrder(rows, order);
  return sorted(rows).filter((row, i) => there[i]?.bot !== row.bot).length;
}

/** The rows by band, in the order given. */
export function bands(rows: readonly LadderRow[], pinned: ReadonlyMap<number, Pinned>): Band[] {
  const found: { number: number; rows: LadderRow[] }[] = [];
  for (const row of rows) {
    const number = pinned.get(row.bot)?.band ?? 0;
    const last = found.at(-1);
    if (last?.number === number) last.rows.push(row);
    else found.push({ number, rows: [row] });
  }
  return found;
}

/** What the line above a band says. */
export function bandWords(number: number): string {
  if (number === 0) return "Not ranked yet.";
  if (number === 1) return "";
  if (number === 2) return "Every bot above this line is surely above every bot below it.";
  return number === 3 ? "Surely below bands 1 and 2." : `Surely below bands 1 to ${number - 1}.`;
}

export function bandSize(band: Band): string {
  const size = count(band.rows.length, "bot");
  return band.number && band.rows.length > 1 ? `${size}, order not settled` : size;
}

/** The bots that one can't be told from, itself among them. Places are those of the fit. */
export function doubtful(bot: number, pinned: ReadonlyMap<number, Pinned>): number[] {
  const own = pinned.get(bot);
  if (own?.doubt_from == null || own.doubt_to == null) return [];
  const ranked = [...pinned.values()].filter((one) => one.rank_from != null).sort((a, b) => b.fitted! - a.fitted!);
  return ranked.slice(own.doubt_from - 1, own.doubt_to).map((one) => one.bot);
}

/** What is known about the rank of a bot, in a sentence. */
export function sentence(bot: number, rows: readonly LadderRow[], pinned: ReadonlyMap<number, Pinned>): string {
  const row = rows.find((one) => one.bot === bot);
  const own = pinned.get(bot);
  if (!row) return "";
  if (own?.rank_from == null || own.rank_to == null) return `is still being placed: ${count(row.games ?? 0, "game")} so far.`;
  const same = doubtful(bot, pinned);
  const ranked = [...pinned.values()].filter((one) => one.rank_from != null).sort((a, b) => b.fitted! - a.fitted!);
  const name = (of: number | undefined): string => rows.find((one) => one.bot === of)?.name ?? "";
  const above = name(ranked[own.doubt_from! - 2]?.bot);
  const below = name(ranked[own.doubt_to!]?.bot);
  const where =
    own.rank_from === own.rank_to ? `has rank ${own.rank_from}` : `is somewhere between rank ${own.rank_from} and ${own.rank_to}`;
  const sure = [above && `surely below ${above}`, below && `surely above ${below}`].filter(Boolean).join(", ");
  const rest = same.length - 1;
  const doubt = rest ? ` The bracket at the left holds the ${count(rest, "bot")} it can't be told from yet.` : "";
  return `${where}${sure ? `: ${sure}` : ""}.${doubt}`;
}

// ---- the axis

const STEPS = [25, 50, 100, 200, 500, 1000];

/** One axis for all intervals. Very wide ones are cut: a newcomer must not squeeze all others. */
export function axisOf(rows: readonly LadderRow[]): Axis {
  const rated = rows.filter((row) => row.rating != null);
  const firm = rated.filter((row) => !isOpen(row));
  const of = firm.length > 1 ? firm : rated;
  if (!of.length) return { low: 1400, high: 1600, ticks: [1400, 1500, 1600] };
  const low = Math.min(...of.map((row) => row.rating! - Math.min(row.margin ?? 0, 3 * WIDE)));
  const high = Math.max(...of.map((row) => row.rating! + Math.min(row.margin ?? 0, 3 * WIDE)));
  const room = Math.max(20, (high - low) * 0.04);
  const [from, to] = [low - room, high + room];
  const step = STEPS.find((one) => (to - from) / one <= 6) ?? 2000;
  const ticks: number[] = [];
  for (let tick = Math.ceil(from / step) * step; tick <= to; tick += step) ticks.push(tick);
  return { low: from, high: to, ticks };
}

/** Where a rating lies on the axis, from 0 to 1. */
export const place = (axis: Axis, rating: number): number =>
  Math.max(0, Math.min(1, (rating - axis.low) / Math.max(1, axis.high - axis.low)));

export const shown = (rating: number | null | undefined): string => (rating == null ? "–" : String(Math.round(rating)));

/** The interval as text: "1741, 95 % between 1714 and 1768". */
export function intervalWords(row: Pick<LadderRow, "rating" | "margin">): string {
  if (row.rating == null) return "no rating yet";
  if (!row.margin) return shown(row.rating);
  return `${shown(row.rating)}, 95 % between ${shown(row.rating - row.margin)} and ${shown(row.rating + row.margin)}`;
}

// ---- other figures

/** Games that it dropped out of, of a hundred. */
export function faultShare(row: Conduct): number {
  return row.games ? Math.round(((row.faults ?? 0) / row.games) * 1000) / 10 : 0;
}

/** What a bot did in its games, besides playing. */
export interface Conduct {
  games?: number;
  faults?: number;
  strikes?: number;
  /** Seconds, in all games. */
  cpu?: number;
}

/** Strikes and time, for where the share of faults has a figure of its own: "3 strikes, 12 ms". */
export function strikesAndTime({ games = 0, strikes = 0, cpu = 0 }: Conduct): string {
  return games ? `${count(strikes, "strike")}, ${brief(cpu / games)}` : "";
}

/** Faults, strikes and time for where there is little room: "2.5 faults per 100, 3 strikes, 12 ms a game". */
export function inShort(of: Conduct): string {
  return of.games ? `${faultShare(of)} faults per 100, ${strikesAndTime(of)} a game` : "";
}

/** Faults, strikes and time of a bot in one game: "crash, 1 strike, 0.4 s"; nothing of a game that has not begun. */
export function ofOne({ fault, strikes, cpu }: { fault: string | null; strikes: number; cpu: number }): string {
  if (!fault && !strikes && !cpu) return "";
  return [fault || "no fault", count(strikes, "strike"), brief(cpu)].join(", ");
}

/** Faults, strikes and time of a bot, in a sentence. */
export function conduct(row: LadderRow): string {
  if (!row.games) return "";
  const faults = [count(row.faults ?? 0, "fault"), count(row.strikes ?? 0, "strike"), count(row.void_lines ?? 0, "void line")];
  return `${faults.join(", ")} in ${count(row.games, "game")}; ${brief((row.cpu ?? 0) / row.games)} of CPU time a game.`;
}

export interface Change {
  by: number;
  /** Whether it is more than luck. */
  sure: boolean;
}

/** What has changed over the points of a trend: time, rating, margin. */
export function change(points: readonly (readonly [number, number, number])[]): Change | null {
  const [first, last] = [points[0], points.at(-1)];
  if (!first || !last || points.length < 2) return null;
  return { by: Math.round(last[1] - first[1]), sure: Math.abs(last[1] - first[1]) > Math.hypot(first[2], last[2]) };
}

export interface Filter {
  text: string;
  language: string;
  author: string;
  /** Authors with a bot in a group; null: everyone. */
  members: ReadonlySet<string> | null;
  ours: boolean;
  paused: boolean;
}

export function matches(row: LadderRow, filter: Filter): boolean {
  const text = filter.text.trim().toLowerCase();
  return (
    (!text || row.name.toLowerCase().includes(text) || (row.author ?? "polemos").toLowerCase().includes(text)) &&
    (!filter.language || row.language === filter.language) &&
    (!filter.author || row.author === filter.author) &&
    (!filter.members || filter.members.has(row.author ?? "")) &&
    (filter.ours || !isOurs(row)) &&
    (filter.paused || row.state !== "paused")
  );
}

/** Points of a meeting: 1.5 is "1½". */
export const points = (of: number): string => (of % 1 === 0.5 ? `${of > 1 ? Math.floor(of) : ""}½` : String(Math.round(of * 100) / 100));
