// Packed frames: long lists come as columns and are made into objects when somebody looks at them, frame by frame.

import type { Bulk, Frame, Lot, Rows, Told } from "../wire";
import { filled } from "./phrases";

/** The frame with its packed parts made when they are first read. */
export function unpacked(frame: Frame): Frame {
  const { view, events, packed, bulk, sheets, lots, orders } = frame;
  if (!packed.length && !bulk.length && !Object.keys(lots).length) return frame;
  return Object.defineProperties(frame, {
    view: lazily(() => ({ ...view, ...Object.fromEntries(packed.map((name) => [name, objects(view[name])])) })),
    events: lazily(() => merged(events, bulk)),
    sheets: lazily(() => ({
      ...sheets,
      ...Object.fromEntries(Object.entries(lots).map(([seat, of]) => [seat, lines(of, orders[seat]?.length ?? 0)])),
    })),
    // Nothing of it is packed any more: it may be put somewhere else.
    packed: { value: [], enumerable: true, configurable: true },
    bulk: { value: [], enumerable: true, configurable: true },
    lots: { value: {}, enumerable: true, configurable: true },
  });
}

function lazily<T>(make: () => T): PropertyDescriptor {
  let made: T | undefined;
  return { get: () => (made ??= make()), enumerable: true, configurable: true };
}

function objects(rows: Rows): Record<string, any>[] {
  const columns = Object.entries(rows.columns);
  return Array.from({ length: rows.count }, (_, i) => {
    const one: Record<string, any> = { ...rows.same };
    for (const [name, column] of columns) one[name] = column[i];
    return one;
  });
}

/** The lines of a sheet as objects; null where one could not be read. */
function lines(lots: readonly Lot[], count: number): any[] {
  const all: any[] = Array.from({ length: count }, () => null);
  for (const { runs, rows } of lots) {
    const orders = objects(rows);
    let next = 0;
    for (const [first, many] of runs) for (let at = first; at < first + many; at++) all[at] = orders[next++];
  }
  return all;
}

/** All events in their order. */
function merged(told: readonly Told[], bulk: readonly Bulk[]): Told[] {
  const total = bulk.reduce((sum, { rows }) => sum + rows.count, told.length);
  const all = new Array<Told | undefined>(total);
  for (const { phrase, rule, runs, rows, seat } of bulk) {
    const events = objects(rows);
    let next = 0;
    for (const [first, many] of runs) for (let at = first; at < first + many; at++) all[at] = new OfMany(phrase, rule, seat, events[next++]!);
  }
  let next = 0;
  return Array.from(all, (one) => one ?? told[next++]!);
}

/** One of many events of a kind. Its words are made when they are read, which is seldom. */
class OfMany implements Told {
  constructor(
    private readonly phrase: string,
    readonly rule: string,
    private readonly field: string,
    readonly event: Record<string, any>,
  ) {}

  get seat(): string | null {
    return this.event[this.field] ?? null;
  }

  get words(): string {
    return filled(this.phrase, this.event);
  }
}
