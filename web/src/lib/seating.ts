// Who sits where in the form for a new table, for games that can be played with some seats left out.
//
// A match always uses the first seats. So filling a seat fills the ones before it, and emptying a seat empties the ones
// after it.

import type { GameCard } from "../wire";
import { title } from "./rivals";
import { list, name } from "./words";

export type Choices = { [seat: string]: string };

export const NOBODY = "none";
/** The option for the number of seats, in games that have one. */
export const SEATS = "seats";

/** The form at the start: the first seat is yours, and only as many others as the game needs are open. */
export function atFirst(card: GameCard): Choices {
  const usual = Math.max(2, card.fewest);
  return Object.fromEntries(card.seats.map((seat, i) => [seat, i === 0 ? "person" : i < usual ? "open" : NOBODY]));
}

export const taken = (chosen: Choices): number => Object.values(chosen).filter((choice) => choice !== NOBODY).length;

/** The choices after setting the number of seats: seats that stay keep their choice. */
export function filled(card: GameCard, chosen: Choices, many: number): Choices {
  const kept = (seat: string): string => (chosen[seat] && chosen[seat] !== NOBODY ? chosen[seat] : "open");
  return Object.fromEntries(card.seats.map((seat, i) => [seat, i < many ? kept(seat) : NOBODY]));
}

/** The choices after choosing for one seat. */
export function seatedAs(card: GameCard, chosen: Choices, seat: string, choice: string): Choices {
  const at = card.seats.indexOf(seat);
  const many = choice === NOBODY ? at : Math.max(taken(chosen), at + 1);
  return filled(card, { ...chosen, [seat]: choice }, many);
}

/** Whom you play against, by name: with their seats if there are several. */
export function opposing(others: readonly (readonly [seat: string, choice: string])[], listed: boolean): string {
  const seats = new Map<string, string[]>();
  for (const [seat, choice] of others) seats.set(choice, [...(seats.get(choice) ?? []), name(seat)]);
  const word = (choice: string): string =>
    choice.startsWith("bot:")
      ? title(choice.slice(4))
      : choice === "open"
        ? listed
          ? "anyone who joins"
          : "anyone with the link"
        : "a program";
  const told = [...seats].map(([choice, of]) => word(choice) + (others.length > 1 ? ` (${list(of)})` : ""));
  return told.length ? `against ${list(told)}` : "with the seats as you set them";
}
