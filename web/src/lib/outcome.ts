// How a match ended, in words.

import type { Outcome, SeatCard } from "../wire";
import { list, name } from "./words";

/** The place of a seat. Without ranks, places follow each other, and everyone is first in a draw. */
function rankOf(outcome: Outcome, seat: string): number {
  return outcome.ranks[seat] ?? (outcome.winner ? outcome.places.indexOf(seat) + 1 || outcome.places.length : 1);
}

const leaders = (outcome: Outcome): string[] => outcome.places.filter((seat) => rankOf(outcome, seat) === 1);
/** Some share first place, and some don't. */
const shared = (outcome: Outcome): boolean => !outcome.winner && leaders(outcome).length < outcome.places.length;

export function ending(outcome: Outcome, players: (seat: string) => string = name): string {
  if (outcome.winner) return `${players(outcome.winner)} wins: ${outcome.reason}.`;
  if (shared(outcome)) return `${list(leaders(outcome).map(players))} share first place: ${outcome.reason}.`;
  return `A draw: ${outcome.reason}.`;
}

const PLACES = ["first", "second", "third", "fourth"];

/** How one seat did: "won", "second", "shares first place". */
export function fate(outcome: Outcome, seat: string): string {
  if (outcome.winner === seat) return "won";
  const rank = rankOf(outcome, seat);
  if (!outcome.winner && rank === 1) return shared(outcome) ? "shares first place" : "drew";
  if (outcome.places.length === 2) return "lost";
  return PLACES[rank - 1] ?? `place ${rank}`;
}

/** The result in the reader's own terms: "You won." */
export function verdict(outcome: Outcome, seats: readonly SeatCard[]): string {
  const you = seats.find((one) => one.you)?.seat;
  if (outcome.winner === you && you) return "You won.";
  if (outcome.winner) return `${name(outcome.winner)} won.`;
  if (!shared(outcome)) return "It's a draw.";
  const first = leaders(outcome).sort((a, b) => Number(b === you) - Number(a === you));
  return `${list(first.map((seat, i) => (seat !== you ? name(seat) : i ? "you" : "You")))} share first place.`;
}

/** The seats from first to last. */
export function ranked(outcome: Outcome, seats: readonly SeatCard[]): SeatCard[] {
  return seats.toSorted((a, b) => rankOf(outcome, a.seat) - rankOf(outcome, b.seat));
}
