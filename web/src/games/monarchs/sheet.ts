// The legal orders from the server, by hex; and the lines of the sheet, by what they order.

import type { DraftLine, LineIn, Orders } from "../contract";
import type { Option } from "../../wire";
import type { Bless, March, Order } from "./wire";

type Line = DraftLine<Order>;

/** The chance in percent of winning the hex battle: if they don't bless the hex, and if they do. */
export type Chance = readonly [plain: number, blessed: number];

/** A march that can be ordered or changed: how many, and what is known about the target. */
export interface Way {
  readonly from: string;
  readonly to: string;
  readonly most: number;
  /** The line that already orders it. */
  readonly line: (Line & { order: March }) | null;
  readonly figures: Figures;
}

/** What the server says about a target: visible regiments, chance by number, home base. Empty for your own land and fog. */
export interface Figures {
  readonly holds?: number;
  readonly base?: boolean;
  readonly chances?: readonly Chance[];
}

const isMarch = (order: unknown): order is March => (order as Order | null)?.order === "march";
const isBless = (order: unknown): order is Bless => (order as Order | null)?.order === "bless";

export const marches = (lines: readonly Line[]): (Line & { order: March })[] =>
  lines.filter((line): line is Line & { order: March } => isMarch(line.order));

export const blessings = (lines: readonly Line[]): (Line & { order: Bless })[] =>
  lines.filter((line): line is Line & { order: Bless } => isBless(line.order));

/**
 * Every march from a hex: those that are still legal, and those on the sheet, which can be changed. `free` is the number
 * of regiments that no line uses: the server's options lag behind the lines while they are being checked.
 */
export function waysFrom(orders: Orders<Order> | null, from: string, free: number): Map<string, Way> {
  const ways = new Map<string, Way>();
  if (!orders?.open) return ways;
  const room = orders.pending ? free : Infinity;
  for (const option of orders.options) {
    const order = orderOf(option);
    const most = Math.min(option.most ?? 1, room);
    if (isMarch(order) && order.from === from && most > 0)
      ways.set(order.to, { from, to: order.to, most, line: null, figures: figuresOf(option) });
  }
  const left = new Map([...ways].map(([to, way]) => [to, way.most]));
  for (const line of marches(orders.lines).filter((line) => line.order.from === from)) {
    const { to, number } = line.order;
    const way = ways.get(to);
    // If there are several lines across one border, the last is changed; the others stay as they are.
    if (!line.fault) ways.set(to, { from, to, most: (left.get(to) ?? 0) + number, line, figures: line.figures });
    else if (way) ways.set(to, { ...way, line });
  }
  return ways;
}

/** The order of an option. */
export const orderOf = (option: Option): Order => option.order as unknown as Order;

const figuresOf = (option: Option): Figures => (option.figures ?? {}) as Figures;

/** The chance of winning with this many regiments, if the server gave it. */
export function chanceOf(figures: Figures, number: number): Chance | null {
  return figures.chances?.[number - 1] ?? null;
}

/** Orders this many regiments to march: adds a line, or changes the existing one. */
export function send(orders: Orders<Order>, way: Way, number: number): void {
  const march: March = { order: "march", from: way.from, to: way.to, number };
  if (way.line) orders.change(way.line.key, march, { ...way.figures });
  else orders.add(march, { ...way.figures });
}

/** Whether this hex could be blessed now; an earlier blessing would move here. */
export function mayBless(orders: Orders<Order> | null, hex: string): boolean {
  if (!orders?.open) return false;
  const given = blessings(orders.lines);
  if (given.length) return !given.some((line) => line.order.hex === hex);
  return orders.options.map(orderOf).some((order) => isBless(order) && order.hex === hex);
}

/** Blesses a hex; there is only one blessing, so an earlier one moves here. */
export function bless(orders: Orders<Order>, hex: string): void {
  const order: Bless = { order: "bless", hex };
  const [given] = blessings(orders.lines);
  if (given) orders.change(given.key, order);
  else orders.add(order);
}

/** The lines that start at a hex or bless it: those that cancelling there removes. */
export function linesAt(lines: readonly Line[], hex: string): Line[] {
  return lines.filter((line) => (isMarch(line.order) && line.order.from === hex) || (isBless(line.order) && line.order.hex === hex));
}

/** Removes all orders at a hex, as one undo step. */
export function takeBack(orders: Orders<Order>, hex: string): boolean {
  const gone = linesAt(orders.lines, hex);
  if (!orders.open || !gone.length) return false;
  if (gone.length === 1) orders.strike(gone[0]!.key);
  else {
    const kept = orders.lines.filter((line) => !gone.includes(line));
    orders.set(kept.map((line): LineIn => line.order ?? line.text));
  }
  return true;
}

const MAX_CHOICES = 12;

/** The numbers worth offering for a march: all, or the small ones and the largest; zero cancels an existing line. */
export function choices({ most, line }: Way): number[] {
  const all = Array.from({ length: most }, (_, i) => i + 1);
  const some = most <= MAX_CHOICES ? all : [...all.slice(0, MAX_CHOICES - 1), most];
  return line ? [0, ...some] : some;
}
