// Starting a game at once, without a form.

import type { Introduction } from "../games/contract";
import type { GameCard, OpenTable, SeatSpec } from "../wire";
import * as api from "./api";
import { beginAt } from "./course.svelte";
import { suggested } from "./rivals";
import { route } from "./route.svelte";
import { calledAt, forget, seated, tokenOf } from "./session.svelte";

export { title } from "./rivals";

/** All bots, strongest first: games list theirs from the simplest up. */
export const botsOf = (game: GameCard): string[] => (game.bots.length > 1 ? game.bots.slice(1) : game.bots.slice()).reverse();

/** All bots to choose from: those made for people to play, from easy to strong, then the others, strongest first, and chance last. */
export function choosable(game: GameCard): string[] {
  const offered = game.opponents.map(({ bot }) => bot);
  const others = game.bots.filter((bot) => !offered.includes(bot)).reverse();
  return [...offered, ...others.filter((bot) => bot !== CHANCE), ...others.filter((bot) => bot === CHANCE)];
}
const CHANCE = "random";

const seatsOf = (game: GameCard): string[] =>
  game.fewest < game.seats.length && game.fewest > 1 ? game.seats.slice(0, game.fewest) : game.seats;

/** You in the first seat, and these bots in the others, one after the other. */
export function against(game: GameCard, bots: readonly string[]): { [seat: string]: SeatSpec } {
  const specs = seatsOf(game).map((seat, i): [string, SeatSpec] => [
    seat,
    i === 0 ? { kind: "person" } : { kind: "bot", bot: bots[(i - 1) % bots.length] ?? "" },
  ]);
  return Object.fromEntries(specs);
}

/** Gives up a table that isn't needed any more. If that fails, it can still be dismissed in the lobby. */
async function leave(table: string | undefined): Promise<void> {
  if (!table) return;
  await api.dismiss(table, tokenOf(table)).catch(() => undefined);
  forget(table);
}

/** Opening a table takes a moment: a second click in the meantime opens no second one. */
let opening: Promise<void> | null = null;
const once = (open: () => Promise<void>): Promise<void> => (opening ??= open().finally(() => (opening = null)));

/** Opens a table against a bot, the suggested one unless another is named, and goes there. */
export const playBot = (game: GameCard, bot?: string, leaving?: string): Promise<void> => once(() => openAgainst(game, bot, leaving));
async function openAgainst(game: GameCard, bot?: string, leaving?: string): Promise<void> {
  const chosen = bot ?? suggested(game)?.bot ?? botsOf(game)[0] ?? "";
  const wish: OpenTable = {
    game: game.name,
    seats: against(game, [chosen]),
    options: game.presets.find((one) => one.first)?.options ?? {},
    name: calledAt(game.seats[0]),
    title: "Against bots",
  };
  const at = await api.openTable(wish);
  await leave(leaving);
  route.go(seated(at));
}

/** Opens the table of the introduction and goes there. */
export const learn = (game: GameCard, intro: Introduction, leaving?: string): Promise<void> => once(() => openLesson(game, intro, leaving));
async function openLesson(game: GameCard, intro: Introduction, leaving?: string): Promise<void> {
  const wish: OpenTable = {
    game: game.name,
    seats: against(game, intro.bots),
    options: intro.options,
    name: calledAt(game.seats[0]),
    title: "Introduction",
    listed: false,
    lesson: true,
  };
  const at = await api.openTable(wish);
  beginAt(at.table);
  await leave(leaving);
  route.go(seated(at));
}

/** Plays only if it is asked for by name, because it takes much of the server's time. */
const CHAMPION = "champion";

/** Lets bots play each other, slowly enough to be watched. */
export const watchBots = (game: GameCard): Promise<void> => once(() => openBots(game));
async function openBots(game: GameCard): Promise<void> {
  const bots = botsOf(game).filter((bot) => bot !== CHAMPION);
  const specs = seatsOf(game).map((seat, i): [string, SeatSpec] => [seat, { kind: "bot", bot: bots[i % bots.length] ?? "" }]);
  const wish: OpenTable = { game: game.name, seats: Object.fromEntries(specs), title: "Bots only", pace: 1 };
  route.go(seated(await api.openTable(wish)));
}
