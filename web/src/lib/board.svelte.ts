// Keyboard and status line, for all boards.

import { untrack } from "svelte";
import type { BoardProps, Question, Status } from "../games/contract";

export type Heading = "left" | "right" | "up" | "down";

const HEADINGS: Record<string, Heading> = { ArrowLeft: "left", ArrowRight: "right", ArrowUp: "up", ArrowDown: "down" };

/** The direction of an arrow key; undefined for other keys. */
export const headingOf = (key: string): Heading | undefined => HEADINGS[key];

/** A key on a board, unless it is a shortcut of the table or the browser. A key that the board uses goes no further. */
export function keyOn(event: KeyboardEvent, pressed: (event: KeyboardEvent) => boolean): void {
  if (event.ctrlKey || event.metaKey || event.altKey || !pressed(event)) return;
  event.preventDefault();
  event.stopPropagation();
}

/** Passes on the status and the question of a hand as they change. Call it where effects are allowed. */
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
