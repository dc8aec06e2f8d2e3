// What is said of a draw or a takeback that somebody has offered: to whoever offered it, to those who are asked, and to the others.

import { calling } from "../lib/standing";
import type { Table } from "../lib/table.svelte";
import { list, name } from "../lib/words";
import type { Note } from "./Lane.svelte";

const SHORT = { draw: "a draw", "take back": "a takeback" }; // on a phone there is room for two short lines
const OFFERED = { draw: "a draw", "take back": "a takeback of the last turn" };

export function offersAt(table: Table, narrow: boolean): Note[] {
  const { state, you } = table;
  if (!state) return [];
  const called = narrow ? name : calling(table);
  return (Object.entries(state.offers) as ["draw" | "take back", string][]).map(([what, by]) => {
    const [yes, no] = [true, false].map((yes) => () => table.answer(what, yes));
    const left = state.unanswered[what] ?? [];
    const others = left.filter((seat) => seat !== you).map(called);
    const note = { key: what, icon: "chat" } as const;
    if (by === you)
      return {
        ...note,
        cause: `You offered ${OFFERED[what]}.`,
        text: state.card.seats.length > 2 ? `Waiting for ${list(others)}.` : "Waiting for an answer.",
        acts: [{ word: "Withdraw", label: `Withdraw your offer of ${OFFERED[what]}`, does: no! }],
      };
    const cause = `${called(by)} offers ${(narrow ? SHORT : OFFERED)[what]}.`;
    if (you !== null && left.includes(you))
      return {
        ...note,
        cause,
        acts: [
          { word: "Accept", does: yes! },
          { word: "Decline", does: no! },
        ],
      };
    const text = `Waiting for ${list(others)}.`;
    if (!table.seat || table.seat.why) return { ...note, cause, text }; // whoever watches or is out isn't asked
    return {
      key: `${what} accepted`, // a second click on "Accept" must not withdraw it
      icon: "chat",
      cause: `You accepted ${(narrow ? SHORT : OFFERED)[what]}.`,
      text,
      acts: [{ word: "Withdraw", label: `No longer accept ${OFFERED[what]}`, does: no! }],
    };
  });
}
