// The sounds of a table: your turn, an invalid order, a chat message, the last seconds, the end.

import { play } from "./sound";
import type { Table } from "./table.svelte";

const LAST = 10; // seconds that tick audibly

/** Call it where effects are allowed. What was already so when the page was opened makes no sound. */
export function hearing(table: Table): void {
  /** Reacts when a value changes; undefined is ignored. */
  const changed = <T>(read: () => T | undefined, heard: (now: T, before: T) => void): void => {
    let before: T | undefined;
    $effect(() => {
      const now = table.state && table.game ? read() : undefined;
      if (now === undefined) return;
      if (before !== undefined && now !== before) heard(now, before);
      before = now;
    });
  };
  changed(
    () => (table.ordering ? table.draft.step : -1),
    (step) => step >= 0 && play("turn"),
  );
  changed(
    () => (table.draft.pending ? undefined : table.draft.refused),
    (refused, before) => refused > before && play("refused"),
  );
  changed(
    () => table.refused !== null,
    (refused) => refused && play("refused"),
  );
  changed(
    () => table.heard,
    () => play("talk"),
  );
  changed(
    () => secondsDue(table),
    (seconds, before) => seconds < before && seconds > 0 && seconds <= LAST && play("time"),
  );
  changed(
    () => table.over,
    (over) => over && play("end"),
  );
}

/** Whole seconds left for the orders that are due; infinite if none are due or no clock is running. */
function secondsDue({ you, clocks, ordering, draft }: Table): number {
  if (you === null || !ordering || draft.state === "filed" || !clocks.runs(you)) return Infinity;
  return Math.ceil(clocks.left(you) ?? Infinity);
}
