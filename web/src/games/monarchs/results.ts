// How a turn went for one nation: its battles, and each of its own lines as far as the mode reveals it.

import type { Fault, Frame } from "../../wire";
import type { Event, Order, Report, View } from "./wire";
import { orderWords } from "./words";

export type Fate = "done" | "held" | "lost" | "void" | "blessed";

/** One of your own lines in the last turn. */
export interface Result {
  readonly text: string;
  readonly number: number | null;
  readonly fate: Fate;
  readonly words: string;
  readonly rule: string;
}

type Of<K extends Event["kind"]> = Extract<Event, { kind: K }>;

/** The turn before a frame; 0 at the start. */
export function turnOf(frame: Frame): number {
  return (frame.view as View).turn - 1;
}

export function reportOf(frame: Frame, nation: string): Report | null {
  return turnOf(frame) > 0 ? ((frame.view as View).reports[nation] ?? null) : null;
}

/** Your own lines in the order of the sheet, each with its fate; empty if the mode reveals nothing about them. */
export function results(frame: Frame, nation: string): Result[] {
  const events = frame.events.filter((told) => told.seat === nation).map((told) => told.event as Event);
  const faults = frame.faults[nation] ?? [];
  const lines = (frame.sheets[nation] ?? []) as (Order | null)[];
  return lines.flatMap((order, i): Result[] => {
    const fault = faults.find((one) => one.line === i + 1);
    if (fault) return [voided(order, frame.orders[nation]?.[i] ?? "", fault)];
    const event = order && events.find((one) => one.line === i + 1 || isOf(order, one));
    return event ? [{ ...shown(order), ...fateOf(event, events) }] : [];
  });
}

/** Lines between the same two hexes march as one group, and its event names the first of them. */
function isOf(order: Order, event: Event): boolean {
  return order.order === "march" && "to" in event && event.line !== undefined && event.hex === order.from && event.to === order.to;
}

const shown = (order: Order): Pick<Result, "text" | "number"> => ({
  text: orderWords(order).text,
  number: order.order === "march" ? order.number : null,
});

const voided = (order: Order | null, text: string, { rule }: Fault): Result => ({
  ...(order ? shown(order) : { text, number: null }),
  fate: "void",
  words: "invalid",
  rule,
});

/** The fate of the line behind an event. */
function fateOf(event: Event, events: readonly Event[]): Omit<Result, "text" | "number"> {
  const on = <K extends Event["kind"]>(kind: K, hex: unknown): Of<K> | undefined =>
    events.find((one): one is Of<K> => one.kind === kind && "hex" in one && one.hex === hex);
  if (event.kind === "held at the border") return { fate: "held", words: "held at the border", rule: event.rule };
  if (event.kind === "blessed") {
    const won = on("won", event.hex) || on("base held", event.hex);
    return { fate: "blessed", words: won ? "battle won" : on("beaten", event.hex) ? "battle lost" : "no battle", rule: event.rule };
  }
  const to = "to" in event ? event.to : undefined;
  const lost = on("beaten", to) && on("sent home", to);
  if (!lost) return { fate: "done", words: "done", rule: event.rule };
  const home = on("no refuge", to) ? "all sent home" : `${lost.number ?? 1} sent home`;
  return { fate: "lost", words: `lost, ${home}`, rule: lost.rule };
}

/** Points by turn, from the loaded frames; undefined where one isn't loaded. */
export function scores(frames: readonly (Frame | undefined)[], nation: string, upTo: number): (number | undefined)[] {
  const found: (number | undefined)[] = [];
  for (const frame of frames) {
    const report = frame ? reportOf(frame, nation) : null;
    if (frame && report && turnOf(frame) <= upTo) found[turnOf(frame) - 1] = report.score;
  }
  return Array.from({ length: upTo }, (_, i) => found[i]);
}
