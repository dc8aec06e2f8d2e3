// What is to be heard at a table: a turn that waits, a refused order, a word, the last seconds, the end.

import { play } from "./sound";
import type { Table } from "./table.svelte";

const LAST = 10; // seconds that are counted aloud

/** To be called where effects can be. Nothing sounds of what was so when the page was opened. */
export function hearing(table: Table): void {
  /** Hears a value when it changes; undefined is no news. */
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

/** Whole seconds that are left for orders that are due; without end where nothing is due or no clock runs. */
function secondsDue({ you, clocks, ordering, draft }: Table): number {
  if (you === null || !ordering || draft.state === "filed" || !clocks.runs(you)) return Infinity;
  return Math.ceil(clocks.left(you) ?? Infinity);
}
