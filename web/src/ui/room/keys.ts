// Keyboard shortcuts at a table, wherever the focus is.

import type { Question } from "../../games/contract";
import { press, writing } from "../../lib/keys";
import { prefs } from "../../lib/prefs.svelte";
import type { Draft } from "../../lib/sheet.svelte";
import type { Viewer } from "../../lib/viewer.svelte";
import { fitAll } from "../BoardFrame.svelte";

export interface Desk {
  viewer: Viewer;
  /** The sheet, if there is one to edit. */
  draft: Draft | null;
  file(): void;
  /** Shows the list of shortcuts. */
  help(): void;
}

/** Does what a key means at a table. Returns whether it meant anything. */
export function pressed(event: KeyboardEvent, { viewer, draft, file, help }: Desk): boolean {
  return press(event, {
    Space: () => viewer.toggle(),
    ",": () => viewer.step(-1),
    ".": () => viewer.step(1),
    "<": () => viewer.markBy(-1),
    ">": () => viewer.markBy(1),
    "[": () => viewer.stageBy(-1),
    "]": () => viewer.stageBy(1),
    "-": () => viewer.faster(-1),
    "+": () => viewer.faster(1),
    Home: () => viewer.first(),
    End: () => viewer.last(),
    "Shift F": () => (prefs.turned = !prefs.turned),
    "Shift C": () => (prefs.names = !prefs.names),
    "Shift H": () => (prefs.hatching = !prefs.hatching),
    "Shift R": () => (prefs.ranges = !prefs.ranges),
    "Shift 0": fitAll,
    ")": fitAll,
    "=": fitAll,
    "?": help,
    ...(draft
      ? {
          "Ctrl Z": () => draft.undo(),
          "Ctrl Shift Z": () => draft.redo(),
          "Ctrl Y": () => draft.redo(),
          // A key held down would file one turn after another, unseen.
          "Ctrl Enter": () => !event.repeat && file(),
        }
      : {}),
  });
}

/** A letter that nothing else has used: it starts a typed order. */
export function letter(event: KeyboardEvent): string | null {
  const plain = !event.ctrlKey && !event.metaKey && !event.altKey && /^[a-z]$/.test(event.key);
  return plain && prefs.keys && event.target === document.body ? event.key : null;
}

/** The answer that a key gives to a question, which gets digits and Enter before anything else does. */
export function answer(event: KeyboardEvent, question: Question): Question["choices"][number] | null {
  if (event.ctrlKey || event.metaKey || event.altKey || writing(event.target)) return null;
  if (event.key === "Enter" && event.target instanceof HTMLButtonElement) return null;
  const { choices, usual } = question;
  return (event.key === "Enter" ? choices[usual] : choices.find((c) => c.label === event.key)) ?? null;
}
