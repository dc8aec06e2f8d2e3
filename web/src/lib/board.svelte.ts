// What all boards do with their keys and their words.

import { untrack } from "svelte";
import type { BoardProps, Question, Status } from "../games/contract";

export type Heading = "left" | "right" | "up" | "down";

const HEADINGS: Record<string, Heading> = { ArrowLeft: "left", ArrowRight: "right", ArrowUp: "up", ArrowDown: "down" };

/** Where an arrow leads; undefined: it is none. */
export const headingOf = (key: string): Heading | undefined => HEADINGS[key];

/** A key on a board, unless it belongs to the turn or the browser: what meant something there is done with. */
export function keyOn(event: KeyboardEvent, pressed: (event: KeyboardEvent) => boolean): void {
  if (event.ctrlKey || event.metaKey || event.altKey || !pressed(event)) return;
  event.preventDefault();
  event.stopPropagation();
}

/** Hands on what a hand says and asks, as it changes. To be called where effects can be. */
export function speaking(props: () => BoardProps, hand: { readonly status: Status | null; readonly question: Question | null }): void {
  $effect(() => {
    const said = hand.status;
    untrack(() => props().status(said));
  });
  $effect(() => {
    const asked = hand.question;
    untrack(() => props().ask(asked));
  });
  $effect(() => () => props().ask(null));
}
