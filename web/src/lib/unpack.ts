// Packed frames: long lists come as columns and are turned into objects when they are first read, frame by frame.

import type { Bulk, Frame, Lot, Rows, Told } from "../wire";
import { filled } from "./phrases";

/** The frame, whose packed parts are unpacked when they are first read. */
export function unpacked(frame: Frame): Frame {
  const { view, events, packed, bulk, sheets, lots, orders } = frame;
  if (!packed.length && !bulk.length && !Object.keys(lots).length) return frame;
  return Object.defineProperties(frame, {
    view: lazily(() => ({ ...view, ...Object.fromEntries(packed.map((name) => [name, objects(view[name])])) })),
    events: lazily(() => merged(events, bulk)),
    sheets: lazily(() => ({ ...sheets, ...each(lots, (of, seat) => lines(of, orders[seat] ?? [], ({ rows }) => objects(rows))) })),
    orders: lazily(() => ({ ...orders, ...each(lots, (of, seat) => (orders[seat]?.length ? orders[seat] : lines(of, [], texts))) })),
    // None of it is packed any more, so it can be stored again.
    packed: { value: [], enumerable: true, configurable: true },
    bulk: { value: [], enumerable: true, configurable: true },
    lots: { value: {}, enumerable: true, configurable: true },
  });
}

function lazily<T>(make: () => T): PropertyDescriptor {
  let made: T | undefined;
  return { get: () => (made ??= make()), enumerable: true, configurable: true };
}

function objects(rows: Rows): Record<string, unknown>[] {
  const columns = Object.entries(rows.columns);
  return Array.from({ length: rows.count }, (_, i) => {
    const one: Record<string, unknown> = { ...rows.same };
    for (const [name, column] of columns) one[name] = column[i];
    return one;
  });
}

function each<T>(lots: Frame["lots"], make: (of: readonly Lot[], seat: string) => T): Record<string, T> {
  return Object.fromEntries(Object.entries(lots).map(([seat, of]) => [seat, make(of, seat)]));
}

/** The lines of a sheet in some form; null for a line that couldn't be read, of which only the text is known. */
function lines<T>(lots: readonly Lot[], written: readonly string[], make: (lot: Lot) => readonly T[]): (T | null)[] {
  const count = written.length || lots.reduce((sum, { rows }) => sum + rows.count, 0);
  const all: (T | null)[] = Array.from({ length: count }, () => null);
  for (const lot of lots) {
    const made = make(lot);
    let next = 0;
    for (const [first, many] of lot.runs) for (let at = first; at < first + many; at++) all[at] = made[next++] ?? null;
  }
  return all;
}

const texts = ({ phrase, rows }: Lot): string[] => objects(rows).map((order) => filled(phrase, order));

/** All events in order. */
function merged(told: readonly Told[], bulk: readonly Bulk[]): Told[] {
  const total = bulk.reduce((sum, { rows }) => sum + rows.count, told.length);
  const all = new Array<Told | undefined>(total);
  for (const { phrase, rule, runs, rows, seat } of bulk) {
    const events = objects(rows);
    let next = 0;
    for (const [first, many] of runs)
      for (let at = first; at < first + many; at++) all[at] = new OfMany(phrase, rule, seat, events[next++]!);
  }
  let next = 0;
  return Array.from(all, (one) => one ?? told[next++]!);
}

/** One of many events of a kind. Its words are made when they are read, which is rare. */
class OfMany implements Told {
  constructor(
    private readonly phrase: string,
    readonly rule: string,
    private readonly field: string,
    readonly event: Record<string, unknown>,
  ) {}

  get seat(): string | null {
    return (this.event[this.field] as string | undefined) ?? null;
  }

  get words(): string {
    return filled(this.phrase, this.event);
  }
}
