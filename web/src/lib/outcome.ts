// How a match ended, in words.

import type { Outcome, SeatCard } from "../wire";
import { list, name } from "./words";

const leaders = ({ ranks }: Outcome): string[] => Object.keys(ranks).filter((seat) => ranks[seat] === 1);

export function ending(outcome: Outcome, players: (seat: string) => string = name): string {
  if (outcome.winner) return `${players(outcome.winner)} wins: ${outcome.reason}.`;
  const first = leaders(outcome);
  if (first.length && first.length < outcome.places.length) return `${list(first.map(players))} share the first place: ${outcome.reason}.`;
  return `A draw: ${outcome.reason}.`;
}

const PLACES = ["first", "second", "third", "fourth"];

/** What became of one seat: "won", "second", "shares the first place". */
export function fate(outcome: Outcome, seat: string): string {
  if (outcome.winner === seat) return "won";
  const first = leaders(outcome);
  const rank = outcome.ranks[seat];
  if (!outcome.winner && rank === 1) return first.length < outcome.places.length ? "shares the first place" : "drew";
  if (rank === undefined || outcome.places.length === 2) return outcome.winner ? "lost" : "";
  const shared = Object.values(outcome.ranks).filter((other) => other === rank).length > 1;
  return `${shared ? "shared " : ""}${PLACES[rank - 1] ?? `place ${rank}`}`;
}

/** The end as it concerns the person who reads it: "You won." */
export function verdict(outcome: Outcome, seats: readonly SeatCard[]): string {
  const player = (seat: string): string => {
    const who = seats.find((one) => one.seat === seat);
    return who?.player && who.player.toLowerCase() !== seat ? `${name(seat)}, ${who.player},` : name(seat);
  };
  const you = seats.find((one) => one.you)?.seat;
  if (outcome.winner) return outcome.winner === you ? "You won." : `${player(outcome.winner)} won.`;
  const first = leaders(outcome);
  if (!first.length || first.length === outcome.places.length) return "It is a draw.";
  return `${list(first.map((seat) => (seat === you ? "you" : name(seat))))} share the first place.`.replace(/^y/, "Y");
}

/** The seats from the first to the last. */
export function ranked(outcome: Outcome, seats: readonly SeatCard[]): SeatCard[] {
  const rank = (seat: SeatCard): number => outcome.ranks[seat.seat] ?? seats.length;
  return seats.toSorted((a, b) => rank(a) - rank(b));
}
