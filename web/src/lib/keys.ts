// Shortcuts that work wherever the focus is, unless the person is typing or has switched them off.

import { prefs } from "./prefs.svelte";

export type Bindings = Record<string, () => void>;

/** A key as it is written in the list of shortcuts: "Ctrl Shift Z", "Shift F", ",". */
export function keyOf(event: KeyboardEvent): string {
  const held = event.ctrlKey || event.metaKey;
  const named = /^[a-z0-9]$/i.test(event.key);
  const key = named ? event.key.toUpperCase() : event.key === " " ? "Space" : event.key;
  // Shift is already part of a sign, but not of a letter, a digit or a named key. (French keyboards have digits with Shift.)
  const shift = event.shiftKey && (named || key.length > 1 || held);
  return `${held ? "Ctrl " : ""}${event.altKey ? "Alt " : ""}${shift ? "Shift " : ""}${key}`;
}

/** Whether letters go into a text that is being typed. */
export function writing(target: EventTarget | null): boolean {
  return (
    target instanceof Element && target.closest("input:not([type=checkbox], [type=radio]), textarea, select, [contenteditable]") !== null
  );
}

function pressing(target: EventTarget | null, key: string): boolean {
  return (key === "Space" || key === "Enter") && target instanceof Element && target.closest("button, a, summary, input") !== null;
}

/** Does what the key means here. Returns whether it meant anything. */
export function press(event: KeyboardEvent, bindings: Bindings): boolean {
  if (event.defaultPrevented || document.querySelector("dialog[open]")) return false;
  const key = keyOf(event);
  const act = bindings[key];
  if (!act || pressing(event.target, key)) return false;
  const single = !key.startsWith("Ctrl ") && key !== "Escape";
  if (single && (!prefs.keys || writing(event.target))) return false;
  event.preventDefault();
  act();
  return true;
}
