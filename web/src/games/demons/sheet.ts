// The lines of a sheet, and the other orders that the options allow.

import type { Option } from "../../wire";
import type { DraftLine, Orders } from "../contract";
import { placeName } from "./geometry";
import type { Build, Destroy, Hire, Order } from "./wire";

export type Line = DraftLine<Order>;

const orderOf = (option: Option): Order => option.order as unknown as Order;

/** The part of the sheet that a line belongs to; each part has one line. */
export type Part = "builder" | "hire" | "provoke";

export function partOf(order: Order): Part {
  if (order.order === "hire" || order.order === "provoke") return order.order;
  return "builder";
}

/** The line of the sheet for this part, if it has one. */
export function lineOf(lines: readonly Line[], part: Part): Line | null {
  return lines.find((line) => line.order && partOf(line.order) === part) ?? null;
}

/** The tile of an order. */
export function tileOf(order: Order | null): string | null {
  return order && (order.order === "build" || order.order === "destroy") ? placeName(order.x, order.y) : null;
}

/** The legal orders, sorted for use by the board and the tools. */
export interface Choices {
  /** Kind of tower, place, option. */
  readonly sites: ReadonlyMap<string, ReadonlyMap<string, Option>>;
  readonly destroys: ReadonlyMap<string, Option>;
  readonly hires: ReadonlyMap<string, Option>;
  readonly provoke: Option | null;
}

export const NOTHING: Choices = { sites: new Map(), destroys: new Map(), hires: new Map(), provoke: null };

function sorted(options: readonly Option[]): Choices {
  const sites = new Map<string, Map<string, Option>>();
  const destroys = new Map<string, Option>();
  const hires = new Map<string, Option>();
  let provoke: Option | null = null;
  for (const option of options) {
    const order = orderOf(option);
    if (order.order === "hire") hires.set(order.direction, option);
    else if (order.order === "destroy") destroys.set(tileOf(order)!, option);
    else if (order.order === "provoke") provoke = option;
    else {
      const of = sites.get(order.tower) ?? new Map<string, Option>();
      sites.set(order.tower, of.set(tileOf(order)!, option));
    }
  }
  return { sites, destroys, hires, provoke };
}

interface Memory {
  step: number;
  read: readonly Option[] | null;
  builder: Choices;
  hiring: Choices;
  now: Choices;
}

const memories = new WeakMap<Orders<Order>, Memory>();

/**
 * The options of a turn. Once a part has its line, the server lists no more orders for it; the earlier ones are kept, so
 * that the line can be replaced. The server checks the change like any other.
 */
export function choicesOf(orders: Orders<Order> | null, step: number): Choices {
  if (!orders?.open) return NOTHING;
  const { options, lines } = orders;
  const old = memories.get(orders);
  if (old?.read === options && old.step === step) return old.now;
  const now = sorted(options);
  const kept = old?.step === step ? old : null;
  const builder = lineOf(lines, "builder") ? (kept?.builder ?? NOTHING) : now;
  const hiring = lineOf(lines, "hire") ? (kept?.hiring ?? NOTHING) : now;
  const all = { ...builder, hires: hiring.hires, provoke: now.provoke };
  memories.set(orders, { step, read: options, builder, hiring, now: all });
  return all;
}

const WORDS: Readonly<Record<string, Part>> = { build: "builder", destroy: "builder", hire: "hire", provoke: "provoke" };

/** The line that a typed order takes the place of: that of its part, also if nobody could read it. */
export function replaced(typed: string, lines: readonly Line[]): Line | null {
  const partIn = (text: string): Part | undefined => WORDS[/^[a-z]+/i.exec(text.trim())?.[0].toLowerCase() ?? ""];
  const part = partIn(typed);
  return (part && lines.find((line) => (line.order ? partOf(line.order) : partIn(line.text)) === part)) ?? null;
}

/** Writes an order on the sheet, in place of the line of its part. */
export function give(orders: Orders<Order>, order: Order, figures?: Record<string, unknown>): void {
  const line = lineOf(orders.lines, partOf(order));
  if (line) orders.change(line.key, order, figures ?? {});
  else orders.add(order, figures);
}

export const buildAt = (tower: string, x: number, y: number): Build => ({ order: "build", tower, x, y });
export const destroyAt = (x: number, y: number): Destroy => ({ order: "destroy", x, y });
export const hireTo = (direction: string): Hire => ({ order: "hire", direction });

/** Lines that are drawn at a place: what is built or destroyed there. */
export function linesAt(lines: readonly Line[], place: string): Line[] {
  return lines.filter((line) => tileOf(line.order) === place);
}

const LETTERS: Readonly<Record<string, string>> = { north: "N", east: "E", south: "S", west: "W" };

/** "hire north" and "send a mercenary north" are "hire N": the table says north, the notation N. */
export function spelt(typed: string): string {
  return typed.replace(
    /^\s*(?:hire|send(?:\s+a)?(?:\s+mercenary)?)\s+(north|east|south|west)\s*$/i,
    (_, way: string) => `hire ${LETTERS[way.toLowerCase()]}`,
  );
}
