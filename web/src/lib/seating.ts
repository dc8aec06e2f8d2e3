// Who sits where on the form of a new table, for games that can be played by fewer than all seats.
//
// The seats of a match are always the first ones. So whoever is given a seat fills up those before it, and an empty
// seat empties those behind it.

import type { GameCard } from "../wire";

export type Choices = { [seat: string]: string };

export const NOBODY = "none";
/** The option by which a game is told how many seats a match has, where it leaves that open. */
export const SEATS = "seats";

/** How the form begins: one seat is the person's own; a game for fewer is played by fewer unless more are wanted. */
export function atFirst(card: GameCard): Choices {
  const usual = Math.max(2, card.fewest);
  return Object.fromEntries(card.seats.map((seat, i) => [seat, i === 0 ? "person" : i < usual ? "open" : NOBODY]));
}

export const taken = (chosen: Choices): number => Object.values(chosen).filter((choice) => choice !== NOBODY).length;

/** The choices after so many seats were wanted: those that stay keep what was chosen for them. */
export function filled(card: GameCard, chosen: Choices, many: number): Choices {
  const kept = (seat: string): string => (chosen[seat] && chosen[seat] !== NOBODY ? chosen[seat] : "open");
  return Object.fromEntries(card.seats.map((seat, i) => [seat, i < many ? kept(seat) : NOBODY]));
}

/** The choices after this one was made for a seat. */
export function seatedAs(card: GameCard, chosen: Choices, seat: string, choice: string): Choices {
  const at = card.seats.indexOf(seat);
  const many = choice === NOBODY ? at : Math.max(taken(chosen), at + 1);
  return filled(card, { ...chosen, [seat]: choice }, many);
}
