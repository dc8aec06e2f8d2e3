// The legal orders from the server, by tile; and the lines of the sheet, by tile and by what they order.

import type { Option } from "../../wire";
import type { DraftLine, LineIn, Orders } from "../contract";
import { placeOf, tileAt, type Grid } from "./geometry";
import { part, type Share } from "./shows.svelte";
import type { Order } from "./wire";

type Line = DraftLine<Order>;

/** What an order does, without its tile and number: "move right", "mine", "work", "build left". */
export type Deed = string;

/** What the server says about an order. */
export interface Figures {
  /** More units than this would make no difference. */
  readonly useful?: number;
  /** This many must arrive on the core there to destroy the building. */
  readonly needs?: number;
  /** Units that the whole sheet sends there. */
  readonly sent?: number;
}

export const figuresOf = (option: Option | undefined): Figures => (option?.figures ?? {}) as Figures;

export const orderOf = (option: Option): Order => option.order as unknown as Order;

export function deedOf(order: Order): Deed {
  return "direction" in order && order.direction ? `${order.order} ${order.direction}` : order.order;
}

/** An order for one unit on a tile, whether it is legal or not. */
export function orderFor(grid: Grid, tile: number, deed: Deed): Order {
  const [order, direction] = deed.split(" ");
  const [x, y] = placeOf(grid, tile);
  return { order, x, y, number: 1, ...(direction && { direction }) } as Order;
}

/** A line as it is sent again. */
export const handed = (line: Line): LineIn => line.order ?? line.text;

type Listed = ReadonlyMap<number, ReadonlyMap<Deed, Option>>;

const none: ReadonlyMap<Deed, Option> = new Map();

/** The legal orders now, and all that were listed while this sheet was written: orders can be replaced. */
export class Choices {
  constructor(
    private readonly now: Listed,
    private readonly before: Listed,
  ) {}

  /** What the idle units of a tile may do. */
  at(tile: number): ReadonlyMap<Deed, Option> {
    return this.now.get(tile) ?? none;
  }

  /** The option for an action; for units that already have orders, as it was listed before. */
  find(tile: number, deed: Deed, free: number): Option | undefined {
    return this.at(tile).get(deed) ?? (free > 0 ? undefined : this.before.get(tile)?.get(deed));
  }

  /** Whether an action was ever listed for a tile. */
  ever(tile: number, deed: Deed): boolean {
    return this.before.get(tile)?.has(deed) ?? false;
  }

  tiles(): Iterable<number> {
    return this.now.keys();
  }
}

/** Remembers what has been listed while one sheet is written. */
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

/** The lines of the sheet by tile, and how many units they use. */
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

  /** Units that valid lines use. */
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
  /** All units there have orders, which this one replaces. */
  readonly anew: boolean;
}

/** The orders for one action on each of these tiles: a share of the idle units, or of all units if none are idle. */
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

/** Writes orders into the sheet as one undo step. Lines across the same border or of the same action add up. */
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

/** Removes all orders on these tiles, as one undo step. */
export function takeBack(orders: Orders<Order>, standing: Standing, tiles: readonly number[]): number {
  const gone = new Set(tiles.flatMap((tile) => standing.at(tile).map((line) => line.key)));
  if (gone.size) orders.set(orders.lines.filter((line) => !gone.has(line.key)).map(handed));
  return gone.size;
}
