// Starting a game at once, without a form.

import type { GameCard, OpenTable, SeatSpec } from "../wire";
import * as api from "./api";
import { route } from "./route.svelte";
import { calledAt, seated } from "./session.svelte";

/** Bots, strongest first: games list theirs from the simplest up. */
export const botsOf = (game: GameCard): string[] => (game.bots.length > 1 ? game.bots.slice(1) : game.bots.slice()).reverse();

function specs(game: GameCard, person: boolean): { [seat: string]: SeatSpec } {
  const bots = botsOf(game);
  const seats = game.fewest < game.seats.length && game.fewest > 1 ? game.seats.slice(0, game.fewest) : game.seats;
  return Object.fromEntries(
    seats.map((seat, i) => [
      seat,
      person && i === 0 ? { kind: "person" } : { kind: "bot", bot: bots[(i - (person ? 1 : 0)) % bots.length] ?? "" },
    ]),
  ) as { [seat: string]: SeatSpec };
}

/** Opens a table against our bots and goes there. */
export async function playBot(game: GameCard): Promise<void> {
  const wish: OpenTable = { game: game.name, seats: specs(game, true), name: calledAt(game.seats[0]), title: "Against bots" };
  route.go(seated(await api.openTable(wish)));
}

/** Lets bots play each other, slowly enough to be watched. */
export async function watchBots(game: GameCard): Promise<void> {
  const wish: OpenTable = { game: game.name, seats: specs(game, false), title: "Bots only", pace: 1 };
  route.go(seated(await api.openTable(wish)));
}
