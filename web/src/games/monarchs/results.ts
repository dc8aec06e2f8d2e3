// What became of a turn for one nation: its battles, and each of its own lines as far as the mode tells.

import type { Fault, Frame } from "../../wire";
import type { Event, Report, View } from "./wire";

export type Fate = "done" | "held" | "lost" | "void" | "blessed";

/** One own line of the last turn. */
export interface Result {
  readonly text: string;
  readonly number: number | null;
  readonly fate: Fate;
  readonly words: string;
  readonly rule: string;
}

const MARCH = /^([A-Q][1-9])-([A-Q][1-9]) (\d+)$/;
const BLESSING = /^bless ([A-Q][1-9])$/;

/** The turn that led to a frame; 0 at the start. */
export function turnOf(frame: Frame): number {
  return (frame.view as View).turn - 1;
}

export function reportOf(frame: Frame, nation: string): Report | null {
  return turnOf(frame) > 0 ? ((frame.view as View).reports[nation] ?? null) : null;
}

/** The own lines in the order of the sheet, each with its fate; empty where the mode tells nothing of them. */
export function results(frame: Frame, nation: string): Result[] {
  const events = frame.events.map((told) => told.event as Event).filter((event) => event.nation === nation);
  const told = events.some(({ kind }) => kind === "marched" || kind === "held at the border" || kind === "blessed");
  const faults = frame.faults[nation] ?? [];
  if (!told && !faults.length) return [];
  const lines = frame.orders[nation];
  if (!lines) return events.flatMap((event) => fateOf(event, events) ?? []);
  const found = lines.flatMap(
    (text, i) =>
      lineResult(
        text,
        faults.find((fault) => fault.line === i + 1),
        events,
      ) ?? [],
  );
  return found;
}

function lineResult(text: string, fault: Fault | undefined, events: readonly Event[]): Result | null {
  const march = MARCH.exec(text);
  const blessing = BLESSING.exec(text);
  if (fault) {
    const shown = march ? `${march[1]} → ${march[2]}` : blessing ? `Bless ${blessing[1]}` : text;
    return { text: shown, number: march ? Number(march[3]) : null, fate: "void", words: "void", rule: fault.rule };
  }
  const event = events.find(
    ({ kind, hex, to }) =>
      (march && (kind === "marched" || kind === "held at the border") && hex === march[1] && to === march[2]) ||
      (blessing && kind === "blessed" && hex === blessing[1]),
  );
  const result = event && fateOf(event, events);
  return result ? { ...result, number: march ? Number(march[3]) : null } : null;
}

/** What an event says of the line that it came from; null if it is not about a line. */
function fateOf(event: Event, events: readonly Event[]): Result | null {
  const { kind, hex, to, number = 0 } = event;
  const text = `${hex} → ${to}`;
  const on = (kind: string, place: string | null | undefined) => events.find((e) => e.kind === kind && e.hex === place);
  if (kind === "held at the border") return { text, number, fate: "held", words: "held at the border", rule: "4.3" };
  if (kind === "blessed") {
    const words =
      on("won", hex) || on("base held", hex) ? "battle won" : on("beaten", hex) ? "battle lost" : "no battle";
    return { text: `Bless ${hex}`, number: null, fate: "blessed", words, rule: "3.7" };
  }
  if (kind !== "marched") return null;
  if (!on("beaten", to)) return { text, number, fate: "done", words: "done", rule: "5.1" };
  const home = on("no refuge", to) ? "all sent home" : `${on("sent home", to)?.number ?? 1} sent home`;
  return { text, number, fate: "lost", words: `lost, ${home}`, rule: "8.1" };
}

/** Points by turn, from the frames that are loaded; undefined where they are not. */
export function scores(frames: readonly (Frame | undefined)[], nation: string, upTo: number): (number | undefined)[] {
  const found: (number | undefined)[] = [];
  for (const frame of frames) {
    const report = frame ? reportOf(frame, nation) : null;
    if (frame && report && turnOf(frame) <= upTo) found[turnOf(frame) - 1] = report.score;
  }
  return Array.from({ length: upTo }, (_, i) => found[i]);
}
