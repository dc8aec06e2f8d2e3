// What the search has found, in words and with addresses.

import type { Found, FoundBot, FoundPerson, LadderGame, TableCard } from "../wire";
import { mapOf } from "./ladder";
import { ending } from "./outcome";
import { called, count, list, name, title } from "./words";

export interface Hit {
  href: string;
  name: string;
  /** What it is, in a few words. */
  about: string;
}

export interface Hits {
  title: string;
  hits: readonly Hit[];
}

/** The longest text that the server takes. */
export const LONGEST = 80;
const MAX_PEOPLE = 5;

/** What was found, by kind; kinds of which there is nothing are left out. `titled` gives the title of a game. */
export function hitsOf(found: Found, titled: (game: string) => string = title): Hits[] {
  const all: Hits[] = [
    { title: "Bots", hits: found.bots.map((bot) => ofBot(bot, titled)) },
    { title: "People", hits: found.people.flatMap((person) => ofPerson(person, titled)).slice(0, MAX_PEOPLE) },
    {
      title: "Matches",
      hits: [...found.tables.map((card) => ofTable(card, titled)), ...found.games.map((game) => ofGame(game, titled))],
    },
  ];
  return all.filter(({ hits }) => hits.length);
}

function ofBot(bot: FoundBot, titled: (game: string) => string): Hit {
  const version = bot.version === null ? "no version plays yet" : `v${bot.version}`;
  const by = bot.author ? `${version} by ${bot.author}` : "one of our bots";
  return {
    href: `/bots/${bot.id}`,
    name: bot.name,
    about: [titled(bot.game), by, bot.state === "paused" && "paused"].filter(Boolean).join(", "),
  };
}

/** A line for each page that shows somebody. */
function ofPerson({ name, bots, rated }: FoundPerson, titled: (game: string) => string): Hit[] {
  return [
    ...Object.entries(bots).map(([game, many]) => ({
      href: `/ladder/${game}?author=${encodeURIComponent(name)}`,
      name,
      about: `${count(many, "bot")} on the ladder of ${titled(game)}`,
    })),
    ...rated.map((game) => ({ href: `/ladder/${game}#people`, name, about: `rated matches of ${titled(game)}` })),
  ];
}

function ofGame(game: LadderGame, titled: (game: string) => string): Hit {
  const first = game.bots.filter((bot) => bot.rank === 1);
  const result =
    game.state !== "done" ? (game.state === "leased" ? "playing" : "waiting") : first.length === 1 ? `${first[0]!.name} won` : "drawn";
  return {
    href: `/match/${game.id}`,
    name: game.bots.map((bot) => bot.name).join(" – "),
    about: [`${titled(game.game)} ladder, match ${game.id}`, mapOf(game.map), result].filter(Boolean).join(", "),
  };
}

function ofTable(card: TableCard, titled: (game: string) => string): Hit {
  const players = card.seats.map((seat) => (seat.kind === "open" ? "open" : called(seat.player) || name(seat.seat)));
  const status = { open: "open seats", sealed: "bidding", playing: "live", paused: "paused", over: "" }[card.status];
  return {
    href: `/${card.status === "over" ? "replay" : "table"}/${card.id}`,
    name: card.title || players.join(" – "),
    about: [titled(card.game), card.title ? list(players) : "", card.outcome ? ending(card.outcome) : status].filter(Boolean).join(", "),
  };
}

/** For screen readers: how much there is. */
export function spoken(hits: readonly Hits[]): string {
  const many = hits.reduce((sum, one) => sum + one.hits.length, 0);
  return many ? `${count(many, "result")}. Up and down arrows choose, Enter opens.` : "";
}
