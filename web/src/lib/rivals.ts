// Which bot to play next: the one after a win is a little stronger, the one after two losses in a row a little easier.
//
// The game lists its bots from easy to strong; what happened against them is saved in this browser.

import type { GameCard, OfferedBot, TableCard } from "../wire";
import { keep, kept } from "./store";
import { name } from "./words";

interface Past {
  /** The bot to play now. */
  now: string;
  /** Losses in a row against it. */
  losses: number;
  /** Tables that have been counted, newest last. */
  counted: readonly string[];
  beaten: readonly string[];
}

const LOSSES = 2;
const MAX = 20;

const past = (game: string): Past => ({ now: "", losses: 0, counted: [], beaten: [], ...kept<Partial<Past>>(`rivals.${game}`) });

/** "level-2" as a name: "Level 2". */
export const title = (bot: string): string => name(bot.replaceAll("-", " ").replaceAll("_", " "));

/** The bot to suggest: the easiest at first. */
export function suggested(game: GameCard): OfferedBot | undefined {
  const { now } = past(game.name);
  return game.opponents.find(({ bot }) => bot === now) ?? game.opponents[0];
}

export const hasBeaten = (game: GameCard, bot: string): boolean => past(game.name).beaten.includes(bot);

/** The bot so many places further towards the strong end, if there is one. */
export function beside(game: GameCard, bot: string, by: number): OfferedBot | undefined {
  const at = game.opponents.findIndex((one) => one.bot === bot);
  return at < 0 ? undefined : game.opponents[at + by];
}

/** The strongest of the bots at a table, if this person played there alone against bots that the game offers. */
function rival(game: GameCard, card: TableCard): string | null {
  const others = card.seats.filter((seat) => !seat.you);
  if (others.length === card.seats.length || others.some((seat) => seat.kind !== "bot")) return null;
  const places = others.map((seat) => game.opponents.findIndex(({ bot }) => bot === botOf(seat.player)));
  return places.includes(-1) ? null : game.opponents[Math.max(...places)]!.bot;
}

/** The bot behind a player's name: "greedy", or "greedy 2" if there are several. */
const botOf = (player: string): string => player.replace(/ \d+$/, "");

/** Counts a game that is over, once. */
export function count(game: GameCard, card: TableCard): void {
  const before = past(game.name);
  const bot = rival(game, card);
  if (!bot || !card.outcome || card.closed || before.counted.includes(card.id)) return;
  const won = card.seats.some((seat) => seat.you && seat.seat === card.outcome!.winner);
  const lost = card.outcome.winner !== null && !won;
  const losses = lost ? (before.now === bot || !before.now ? before.losses : 0) + 1 : 0;
  const next = won ? beside(game, bot, 1) : losses >= LOSSES ? beside(game, bot, -1) : undefined;
  keep(`rivals.${game.name}`, {
    now: next?.bot ?? bot,
    losses: next ? 0 : losses,
    counted: [...before.counted, card.id].slice(-MAX),
    beaten: won && !before.beaten.includes(bot) ? [...before.beaten, bot] : before.beaten,
  } satisfies Past);
}
