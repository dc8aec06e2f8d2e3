// @vitest-environment happy-dom
import { beforeEach, expect, test, vi } from "vitest";
import type { GameCard } from "../wire";
import * as api from "./api";
import { choosable, playBot, watchBots } from "./quick";
import { route } from "./route.svelte";

vi.mock("../games", () => ({ boards: "" }));
vi.mock("./api");

const game = {
  name: "demons",
  seats: ["red", "blue"],
  fewest: 2,
  bots: ["random", "keeper"],
  opponents: [],
  presets: [],
} as unknown as GameCard;

beforeEach(() => {
  vi.mocked(api.openTable).mockReset();
});

test("two clicks open one table, and the next click another", async () => {
  let answer = (_: Awaited<ReturnType<typeof api.openTable>>): void => undefined;
  vi.mocked(api.openTable).mockReturnValueOnce(new Promise((done) => (answer = done)));
  const [first, second] = [playBot(game), playBot(game)];
  expect(api.openTable).toHaveBeenCalledTimes(1);
  answer({ table: "one", token: "" } as Awaited<ReturnType<typeof api.openTable>>);
  await Promise.all([first, second]);
  expect(route.path).toBe("/table/one");
  vi.mocked(api.openTable).mockResolvedValueOnce({ table: "two", token: "" } as Awaited<ReturnType<typeof api.openTable>>);
  await watchBots(game);
  expect(route.path).toBe("/table/two");
});

test("a table that couldn't be opened is in nobody's way", async () => {
  vi.mocked(api.openTable).mockRejectedValueOnce(new Error("full"));
  await expect(playBot(game)).rejects.toThrow("full");
  vi.mocked(api.openTable).mockResolvedValueOnce({ table: "three", token: "" } as Awaited<ReturnType<typeof api.openTable>>);
  await playBot(game);
  expect(route.path).toBe("/table/three");
});

test("bots for people come first, from easy to strong, and chance comes last", () => {
  const offered = ["level-1", "level-2", "champion"];
  const bots = ["waiter", "level-1", "level-2", "random", "overlord", "champion"];
  const card = { ...game, bots, opponents: offered.map((bot) => ({ bot, about: "" })) };
  expect(choosable(card)).toEqual([...offered, "overlord", "waiter", "random"]);
  expect(choosable({ ...game, opponents: [{ bot: "keeper", about: "" }] })).toEqual(["keeper", "random"]);
});
