// How a match ended, in words.

import type { Outcome } from "../wire";
import { list, name } from "./words";

export function ending(outcome: Outcome, players: (seat: string) => string = name): string {
  if (outcome.winner) return `${players(outcome.winner)} wins: ${outcome.reason}.`;
  const first = Object.entries(outcome.ranks)
    .filter(([, rank]) => rank === 1)
    .map(([seat]) => seat);
  if (first.length && first.length < outcome.places.length) return `${list(first.map(players))} share the first place: ${outcome.reason}.`;
  return `A draw: ${outcome.reason}.`;
}
