// What the server lists as lawful, looked up by tile; and the lines of the sheet, by tile and by what they order.

import type { Option } from "../../wire";
import type { DraftLine, LineIn, Orders } from "../contract";
import { placeOf, tileAt, type Grid } from "./geometry";
import { part, type Share } from "./shows.svelte";
import type { Order } from "./wire";

type Line = DraftLine<Order>;

/** What an order does, without its tile and number: "move right", "mine", "work", "build left". */
export type Deed = string;

/** What the server says of an order. */
export interface Figures {
  /** More units than that would do nothing. */
  readonly useful?: number;
  /** So many must arrive on the core there to destroy the building. */
  readonly needs?: number;
  /** Units that the whole sheet sends there. */
  readonly sent?: number;
}

export const figuresOf = (option: Option | undefined): Figures => (option?.figures ?? {}) as Figures;

export const orderOf = (option: Option): Order => option.order as unknown as Order;

export function deedOf(order: Order): Deed {
  return "direction" in order && order.direction ? `${order.order} ${order.direction}` : order.order;
}

/** One unit of a tile does something, whether that is listed or not. */
export function orderFor(grid: Grid, tile: number, deed: Deed): Order {
  const [order, direction] = deed.split(" ");
  const [x, y] = placeOf(grid, tile);
  return { order, x, y, number: 1, ...(direction && { direction }) } as Order;
}

/** A line as it is handed in again. */
export const handed = (line: Line): LineIn => line.order ?? line.text;

type Listed = ReadonlyMap<number, ReadonlyMap<Deed, Option>>;

const none: ReadonlyMap<Deed, Option> = new Map();

/** What is lawful now, and what was listed at any time while this sheet was written: units can be ordered anew. */
export class Choices {
  constructor(
    private readonly now: Listed,
    private readonly before: Listed,
  ) {}

  /** What the free units of a tile may do. */
  at(tile: number): ReadonlyMap<Deed, Option> {
    return this.now.get(tile) ?? none;
  }

  /** The option for a deed; for units that all have an order already, as it was listed before. */
  find(tile: number, deed: Deed, free: number): Option | undefined {
    return this.at(tile).get(deed) ?? (free > 0 ? undefined : this.before.get(tile)?.get(deed));
  }

  /** Whether a deed was listed for a tile at any time. */
  ever(tile: number, deed: Deed): boolean {
    return this.before.get(tile)?.has(deed) ?? false;
  }

  tiles(): Iterable<number> {
    return this.now.keys();
  }
}

/** Remembers what was listed while one sheet was written. */
export class Notebook {
  private step = -1;
  private ever = new Map<number, Map<Deed, Option>>();

  take(grid: Grid, options: readonly Option[], step: number): Choices {
    if (this.step !== step) this.ever = new Map();
    this.step = step;
    const now = new Map<number, Map<Deed, Option>>();
    for (const option of options) {
      const order = orderOf(option);
      const tile = tileAt(grid, order.x, order.y);
      put(now, tile, deedOf(order), option);
      put(this.ever, tile, deedOf(order), option);
    }
    return new Choices(now, this.ever);
  }
}

function put(map: Map<number, Map<Deed, Option>>, tile: number, deed: Deed, option: Option): void {
  const at = map.get(tile);
  if (at) at.set(deed, option);
  else map.set(tile, new Map([[deed, option]]));
}

/** The lines of the sheet by tile, and how many units they ask for. */
export class Standing {
  private readonly byTile = new Map<number, Line[]>();

  constructor(grid: Grid, lines: readonly Line[]) {
    for (const line of lines) {
      if (!line.order) continue;
      const tile = tileAt(grid, line.order.x, line.order.y);
      const here = this.byTile.get(tile);
      if (here) here.push(line);
      else this.byTile.set(tile, [line]);
    }
  }

  at(tile: number): readonly Line[] {
    return this.byTile.get(tile) ?? [];
  }

  /** Units that lawful lines ask for. */
  asked(tile: number): number {
    return this.at(tile).reduce((sum, line) => sum + (line.fault ? 0 : line.order!.number), 0);
  }

  tiles(): Iterable<number> {
    return this.byTile.keys();
  }
}

/** An order that would be given on a tile. */
export interface Wish {
  readonly tile: number;
  readonly order: Order;
  readonly option: Option;
  /** All units there have an order, which this one takes the place of. */
  readonly anew: boolean;
}

/** The orders for one deed on each of some tiles: a share of the free units, or of all where none is free. */
export function wishes(
  choices: Choices,
  standing: Standing,
  units: (tile: number) => number,
  tiles: readonly number[],
  deed: Deed,
  share: Share,
): Wish[] {
  return tiles.flatMap((tile) => {
    const free = units(tile) - standing.asked(tile);
    const option = choices.find(tile, deed, free);
    if (!option) return [];
    const anew = free <= 0;
    const number = Math.min(part(share, anew ? units(tile) : free), figuresOf(option).useful ?? Infinity);
    return number > 0 ? [{ tile, option, anew, order: { ...orderOf(option), number } }] : [];
  });
}

/** Writes wishes into the sheet as one step of undo. Lines over the same border or of the same work add up. */
export function give(orders: Orders<Order>, standing: Standing, given: readonly Wish[]): void {
  const gone = new Set<number>();
  const changed = new Map<number, Order>();
  const added: Wish[] = [];
  for (const wish of given) {
    const lines = standing.at(wish.tile);
    for (const line of lines) if (wish.anew || line.fault) gone.add(line.key);
    const same = lines.find((line) => !gone.has(line.key) && deedOf(line.order!) === deedOf(wish.order));
    if (same) changed.set(same.key, { ...wish.order, number: same.order!.number + wish.order.number });
    else added.push(wish);
  }
  const [only] = added;
  if (only && added.length === 1 && !gone.size && !changed.size) return orders.add(only.order, { ...figuresOf(only.option) });
  const kept = orders.lines.filter((line) => !gone.has(line.key));
  const lines = kept.map((line): LineIn => changed.get(line.key) ?? handed(line));
  orders.set([...lines, ...added.map((wish) => wish.order)]);
}

/** Strikes all that is ordered on some tiles, as one step of undo. */
export function takeBack(orders: Orders<Order>, standing: Standing, tiles: readonly number[]): number {
  const gone = new Set(tiles.flatMap((tile) => standing.at(tile).map((line) => line.key)));
  if (gone.size) orders.set(orders.lines.filter((line) => !gone.has(line.key)).map(handed));
  return gone.size;
}
