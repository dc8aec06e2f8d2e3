import { expect, it } from "vitest";
import { seatCard, tableCard } from "../testing/make";
import type { Found, LadderGame } from "../wire";
import { hitsOf, spoken } from "./search";

const none: Found = { bots: [], people: [], games: [], tables: [] };

it("says what a bot is and where its page is", () => {
  const bots = [
    { id: 7, name: "Palisade", author: "ada", game: "demons", version: 3, state: "paused" as const },
    { id: 8, name: "keeper", author: "", game: "demons", version: 1, state: "active" as const },
    { id: 9, name: "Untried", author: "ada", game: "monad", version: null, state: "active" as const },
  ];
  expect(hitsOf({ ...none, bots })).toEqual([
    {
      title: "Bots",
      hits: [
        { href: "/bots/7", name: "Palisade", about: "Demons, v3 by ada, paused" },
        { href: "/bots/8", name: "keeper", about: "Demons, one of our bots" },
        { href: "/bots/9", name: "Untried", about: "Monad, no version plays yet by ada" },
      ],
    },
  ]);
});

it("leads to the pages that show a person", () => {
  const people = [{ name: "Ada & co", bots: { demons: 2 }, rated: ["monad"] }];
  expect(hitsOf({ ...none, people })[0]!.hits).toEqual([
    { href: "/ladder/demons?author=Ada%20%26%20co", name: "Ada & co", about: "2 bots on the ladder of Demons" },
    { href: "/ladder/monad#people", name: "Ada & co", about: "rated matches of Monad" },
  ]);
});

it("names matches by who plays, and tells a result only of those that are over", () => {
  const bot = (name: string, rank: number | null): LadderGame["bots"][number] => ({ name, rank }) as unknown as LadderGame["bots"][number];
  const game = { id: 12, game: "demons", map: "Serpent", state: "done", bots: [bot("Aspis", 1), bot("Bulwark", 2)] };
  const games = [game, { ...game, id: 13, map: "any", state: "leased", bots: [bot("Aspis", null)] }] as unknown as LadderGame[];
  const seats = [seatCard({ seat: "red", player: "Zoe" }), seatCard({ seat: "blue", kind: "open" })];
  const tables = [
    tableCard({ id: "t7", game: "monad", status: "open", seats }),
    tableCard({ id: "t8", game: "monad", title: "Tuesday", seats }),
  ];
  const hits = hitsOf({ ...none, games, tables });
  expect(hits[0]!.hits).toEqual([
    { href: "/table/t7", name: "Zoe – open", about: "Monad, open seats" },
    { href: "/table/t8", name: "Tuesday", about: "Monad, Zoe and open, live" },
    { href: "/match/12", name: "Aspis – Bulwark", about: "Demons ladder, match 12, Serpent, Aspis won" },
    { href: "/match/13", name: "Aspis", about: "Demons ladder, match 13, playing" },
  ]);
  expect(spoken(hits)).toBe("4 results. Up and down arrows choose, Enter opens.");
  expect(spoken([])).toBe("");
});
