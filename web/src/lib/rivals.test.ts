// @vitest-environment happy-dom
import { beforeEach, expect, test } from "vitest";
import { gameCard, tableCard } from "../testing/make";
import type { TableCard } from "../wire";
import { beside, count, hasBeaten, suggested, title } from "./rivals";

const game = gameCard({
  name: "game",
  opponents: [
    { bot: "level-1", about: "" },
    { bot: "level-2", about: "" },
    { bot: "level-3", about: "" },
  ],
});
let tables = 0;
/** A finished game against a bot. */
function ended(bot: string, winner: string | null, of: Partial<TableCard> = {}): TableCard {
  const outcome = { winner, places: ["red", "blue"], points: {}, reason: "", rule: "1", ranks: {} };
  const seat = { to_act: false, filed: false, here: null, why: "", crew: [] };
  const seats = [
    { ...seat, seat: "red", kind: "person" as const, player: "Ada", you: true },
    { ...seat, seat: "blue", kind: "bot" as const, player: bot, you: false },
  ];
  return tableCard({ id: `t${++tables}`, status: "over", outcome, seats, ...of });
}

beforeEach(() => localStorage.clear());

test("the easiest bot comes first, and names are for people", () => {
  expect(suggested(game)?.bot).toBe("level-1");
  expect(suggested(gameCard())).toBeUndefined();
  expect(title("level-2")).toBe("Level 2");
});

test("after a win the next one is suggested, and after the last there is none", () => {
  count(game, ended("level-1", "red"));
  expect(suggested(game)?.bot).toBe("level-2");
  expect(hasBeaten(game, "level-1")).toBe(true);
  count(game, ended("level-3", "red"));
  expect(suggested(game)?.bot).toBe("level-3");
  expect(beside(game, "level-3", 1)).toBeUndefined();
});

test("after two losses in a row the one below is suggested", () => {
  count(game, ended("level-2", "blue"));
  expect(suggested(game)?.bot).toBe("level-2");
  count(game, ended("level-2", "blue"));
  expect(suggested(game)?.bot).toBe("level-1");
});

test("a draw in between starts the count again, and a game counts once", () => {
  const lost = ended("level-2", "blue");
  count(game, lost);
  count(game, lost);
  expect(suggested(game)?.bot).toBe("level-2");
  count(game, ended("level-2", null));
  count(game, ended("level-2", "blue"));
  expect(suggested(game)?.bot).toBe("level-2");
});

test("games against people, or against bots that aren't offered, don't count", () => {
  count(game, ended("stranger", "red"));
  const card = ended("level-1", "red");
  count(game, { ...card, seats: card.seats.map((seat) => ({ ...seat, kind: "person" as const })) });
  expect(suggested(game)?.bot).toBe("level-1");
  expect(hasBeaten(game, "level-1")).toBe(false);
});
