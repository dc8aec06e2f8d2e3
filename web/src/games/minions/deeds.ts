// The turn that led to a frame, order by order.

import { singles } from "../../lib/scene";
import type { Beat, Frame, Told } from "../../wire";
import type { Step } from "./geometry";
import type { Event } from "./wire";

/** One order of a turn, or its end. */
export interface Deed {
  /** Its line on the sheet; 0: the end of the turn. */
  readonly line: number;
  readonly events: readonly Told[];
  /** Its last beat, counted over all stages. */
  readonly beat: number;
  /** Its board; 0: none, or several. */
  readonly board: number;
}

/** The orders as they are shown, board by board; then what happened at the end of the turn. */
export function deedsOf(frame: Frame): Deed[] {
  const beats = frame.stages.flatMap((stage) => stage.beats.flatMap((beat) => singles(beat, frame.events)));
  const events = ({ events: runs = [] }: Beat): Told[] => runs.flatMap(([first, many]) => frame.events.slice(first, first + many));
  const orders = beats.flatMap((beat, number): Deed[] => {
    const told = events(beat);
    return beat.line ? [{ line: beat.line, events: told, beat: number, board: boardOf(told[0]) }] : [];
  });
  const end = beats.filter((beat) => !beat.line);
  return end.length ? [...orders, { line: 0, events: end.flatMap(events), beat: beats.length - 1, board: 0 }] : orders;
}

const eventOf = (told: Told): Event => told.event as Event;

function boardOf(told: Told | undefined): number {
  const event = told && eventOf(told);
  return event && "board" in event ? (event.board ?? 0) : 0;
}

/** Where units of a board went; empty if the board was reset after that. */
export function movesOn(events: readonly Told[], board: number): Step[] {
  const here = events.filter((told) => boardOf(told) === board).map(eventOf);
  if (here.some(({ kind }) => kind === "reset")) return [];
  return here.flatMap((event) => (event.kind === "moved" && event.hex && event.to ? [{ from: event.hex, to: event.to }] : []));
}
