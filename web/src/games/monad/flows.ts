// The orders of a turn, tile by tile: for arrows on the borders and for the inspector.

import type { Frame } from "../../wire";
import type { DraftLine } from "../contract";
import { beside, inside, tileAt, type Grid } from "./geometry";
import type { Event, Order } from "./wire";

/** One order as it was given: a number of units on a tile do something. */
export interface Flow {
  readonly seat: string;
  readonly tile: number;
  readonly word: string;
  readonly direction: string | null;
  readonly number: number;
  readonly refused: boolean;
}

const read = new WeakMap<Frame, readonly Flow[]>();

/** The orders of the turn before a frame, as far as they could be read. */
export function flowsOf(grid: Grid, frame: Frame): readonly Flow[] {
  const known = read.get(frame);
  if (known) return known;
  const found: Flow[] = [];
  for (const [seat, lines] of Object.entries(frame.sheets)) {
    const refused = new Set((frame.faults[seat] ?? []).map((fault) => fault.line));
    (lines as (Order | null)[]).forEach((order, i) => {
      if (order && isOn(grid, order)) found.push(flowOf(grid, seat, order, refused.has(i + 1)));
    });
  }
  read.set(frame, found);
  return found;
}

const isOn = (grid: Grid, { x, y }: Order): boolean => inside(grid, x, y);

function flowOf(grid: Grid, seat: string, order: Order, refused: boolean): Flow {
  const { order: word, x, y, number } = order;
  const direction = "direction" in order ? order.direction : null;
  return { seat, tile: tileAt(grid, x, y), word, direction, number, refused };
}

/** The lines of your own sheet, as far as they can be read. */
export function plansOf(grid: Grid, seat: string, lines: readonly DraftLine<Order>[]): Flow[] {
  return lines.flatMap(({ order, fault }) => (order && isOn(grid, order) ? [flowOf(grid, seat, order, fault !== null)] : []));
}

/** Units that cross a border of a tile, or do something on it. */
export interface Stream {
  readonly seat: string;
  readonly direction: string;
  readonly number: number;
}

export interface Traffic {
  /** The orders of the units on the tile, each kind once. */
  readonly deeds: readonly { words: string; number: number }[];
  readonly out: readonly Stream[];
  /** Units moving in; the direction is the side that they come from. */
  readonly into: readonly Stream[];
  /** Units with orders. */
  readonly busy: number;
}

const SIDES: Readonly<Record<string, string>> = { up: "down", right: "left", down: "up", left: "right" };

/** All orders on a tile and onto it. Lines across the same border add up. */
export function trafficAt(grid: Grid, flows: readonly Flow[], tile: number): Traffic {
  const deeds = new Map<string, number>();
  const out = new Map<string, Stream>();
  const into = new Map<string, Stream>();
  let busy = 0;
  for (const flow of flows) {
    if (flow.refused) continue;
    const { seat, word, direction, number } = flow;
    const here = flow.tile === tile;
    if (here) {
      busy += number;
      const words = word === "move" ? `move ${direction}` : word;
      deeds.set(words, (deeds.get(words) ?? 0) + number);
    }
    if (word !== "move" || !direction) continue;
    if (here) pour(out, seat, direction, number);
    else if (beside(grid, flow.tile, direction) === tile) pour(into, seat, SIDES[direction]!, number);
  }
  const told = [...deeds].map(([words, number]) => ({ words, number }));
  return { deeds: told, out: [...out.values()], into: [...into.values()], busy };
}

function pour(streams: Map<string, Stream>, seat: string, direction: string, number: number): void {
  const key = `${seat} ${direction}`;
  streams.set(key, { seat, direction, number: (streams.get(key)?.number ?? 0) + number });
}

/** Whether an event is about a tile. */
export function touches(grid: Grid, event: Event, tile: number): boolean {
  const places = ["at" in event ? event.at : null, "to" in event ? event.to : null];
  return places.some((at) => at && tileAt(grid, at[0], at[1]) === tile);
}
