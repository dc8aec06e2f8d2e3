// @vitest-environment happy-dom
import { beforeEach, describe, expect, test, vi } from "vitest";
import { gameCard, tableCard, seatCard } from "../testing/make";
import type { GameCard, OpenTable, Seated } from "../wire";
import * as api from "./api";
import { Lists } from "./lists.svelte";
import { prefs } from "./prefs.svelte";
import { botsOf, playBot, watchBots } from "./quick";
import { route } from "./route.svelte";
import { calledAt, forget, ownTables, seated, session, tokenFrom, tokenOf } from "./session.svelte";

vi.mock("../games", () => ({ boards: "" }));
vi.mock("./api", async (original) => ({
  ...(await original<typeof api>()),
  me: vi.fn(),
  games: vi.fn(),
  tables: vi.fn(),
  table: vi.fn(),
  openTable: vi.fn(),
}));

beforeEach(() => {
  localStorage.clear();
  session.me = null;
  session.games = [];
  prefs.name = "";
  vi.mocked(api.me).mockResolvedValue({ name: null, csrf: "", due: [], operator: false });
  vi.mocked(api.games).mockResolvedValue([]);
});

describe("the secret of a seat", () => {
  test("is kept with its table", () => {
    expect(seated({ table: "t1", seat: "red", token: "secret" })).toBe("/table/t1");
    expect(tokenOf("t1")).toBe("secret");
    expect(ownTables()).toEqual(["t1"]);
  });

  test("is not kept where there is none", () => {
    expect(seated({ table: "t1", seat: null, token: null })).toBe("/table/t1");
    expect([tokenOf("t1"), ownTables()]).toEqual([null, []]);
  });

  test("is taken out of an address", () => {
    expect(tokenFrom("t1", "#seat=a%2Bb")).toBe("a+b");
    expect(tokenOf("t1")).toBe("a+b");
    expect(tokenFrom("t1", "")).toBe("a+b");
    expect(tokenFrom("t2", "#turn=3")).toBeNull();
  });

  test("tables are listed once each, the newest first, twenty at most", () => {
    for (let i = 0; i < 25; i++) seated({ table: `t${i}`, seat: "red", token: "x" });
    seated({ table: "t10", seat: "red", token: "x" });
    expect(ownTables()).toHaveLength(20);
    expect(ownTables().slice(0, 2)).toEqual(["t10", "t24"]);
    forget("t10");
    expect(ownTables()).not.toContain("t10");
  });
});

describe("a person is called", () => {
  test("as they say, before all else", () => {
    prefs.name = "  Ada ";
    session.me = { name: "countess", csrf: "", due: [], operator: false };
    expect(calledAt("red")).toBe("Ada");
  });

  test("by their account, which the server knows", () => {
    session.me = { name: "countess", csrf: "", due: [], operator: false };
    expect(calledAt("red")).toBe("");
  });

  test("as the guest in that seat", () => {
    expect(calledAt("red")).toBe("Guest Red");
    expect(calledAt(undefined)).toBe("Guest");
  });
});

test("games are asked for once", async () => {
  vi.mocked(api.games).mockResolvedValue([gameCard({ name: "monad" })]);
  await session.load();
  await session.load();
  expect(api.games).toHaveBeenCalledTimes(1);
  expect(session.card("monad")?.name).toBe("monad");
  expect(session.card("chess")).toBeUndefined();
});

describe("a game at once", () => {
  const opened = async (start: (game: GameCard) => Promise<void>, card: GameCard): Promise<OpenTable> => {
    vi.mocked(api.openTable).mockResolvedValue({ table: "t9", seat: "red", token: "s" } satisfies Seated);
    await start(card);
    expect(route.path).toBe("/table/t9");
    return vi.mocked(api.openTable).mock.lastCall![0];
  };

  test("is against the strongest bots, the simplest left out", () => {
    expect(botsOf(gameCard({ bots: ["random", "steady", "sharp"] }))).toEqual(["sharp", "steady"]);
    expect(botsOf(gameCard({ bots: ["random"] }))).toEqual(["random"]);
    expect(botsOf(gameCard({ bots: [] }))).toEqual([]);
  });

  test("seats the person first and the bot after, as often as there are seats", async () => {
    const card = gameCard({ seats: ["red", "green", "blue", "grey"], fewest: 4, bots: ["random", "steady", "sharp"] });
    expect((await opened(playBot, card)).seats).toEqual({
      red: { kind: "person" },
      green: { kind: "bot", bot: "sharp" },
      blue: { kind: "bot", bot: "sharp" },
      grey: { kind: "bot", bot: "sharp" },
    });
  });

  test("has as few seats as the game needs", async () => {
    const card = gameCard({ seats: ["red", "green", "blue"], fewest: 2, bots: ["random"] });
    expect(Object.keys((await opened(playBot, card)).seats!)).toEqual(["red", "green"]);
    const alone = gameCard({ seats: ["red", "green"], fewest: 1, bots: ["random"] });
    expect(Object.keys((await opened(playBot, alone)).seats!)).toEqual(["red", "green"]);
  });

  test("may be one that bots play, slowly enough to be watched", async () => {
    const wish = await opened(watchBots, gameCard({ bots: ["random", "steady", "sharp", "champion"] }));
    expect(wish.seats).toEqual({ red: { kind: "bot", bot: "sharp" }, blue: { kind: "bot", bot: "steady" } });
    expect(wish.pace).toBe(1);
  });
});

describe("the lists of the lobby", () => {
  /** The lists after they have been asked for once. */
  async function listed(): Promise<Lists> {
    const lists = new Lists();
    const stop = lists.watch();
    await vi.waitFor(() => expect(lists.tables !== null || lists.trouble !== null).toBe(true));
    await Promise.resolve();
    await vi.waitFor(() => expect(api.me).toHaveBeenCalled());
    stop();
    return lists;
  }

  test("part tables by what they wait for", async () => {
    const open = [seatCard({ seat: "red" }), seatCard({ seat: "blue", kind: "open" })];
    const bots = [seatCard({ seat: "red", kind: "bot" })];
    const lists = new Lists();
    lists.tables = [
      tableCard({ id: "bots", status: "over", seats: bots }),
      tableCard({ id: "people", status: "over", seats: open }),
      tableCard({ id: "open", status: "open", seats: open }),
      tableCard({ id: "full", status: "open", seats: bots }),
      tableCard({ id: "sealed", status: "sealed" }),
      tableCard({ id: "paused", status: "paused" }),
      tableCard({ id: "playing", status: "playing" }),
    ];
    const ids = (cards: { id: string }[]): string[] => cards.map(({ id }) => id);
    expect(ids(lists.live)).toEqual(["sealed", "paused", "playing"]);
    expect(ids(lists.open)).toEqual(["open"]);
    expect(ids(lists.over)).toEqual(["people", "bots"]); // bots that play all day would bury the others
  });

  test("are empty before they have come", () => {
    const lists = new Lists();
    expect([lists.live, lists.open, lists.over]).toEqual([[], [], []]);
  });

  test("know your tables, even unlisted ones; finished and deleted ones are forgotten", async () => {
    for (const id of ["over", "gone", "down", "hidden", "listed"]) seated({ table: id, seat: "red", token: "x" });
    vi.mocked(api.tables).mockResolvedValue([
      tableCard({ id: "listed" }),
      tableCard({ id: "strange" }),
      tableCard({ id: "over", status: "over" }),
    ]);
    vi.mocked(api.table).mockImplementation((id) =>
      id === "hidden" ? Promise.resolve(tableCard({ id })) : Promise.reject(new api.Trouble("", "", null, id === "gone" ? 404 : 503)),
    );
    const lists = await listed();
    await vi.waitFor(() => expect(lists.own).toHaveLength(2));
    expect(lists.own.map(({ id }) => id)).toEqual(["listed", "hidden"]);
    expect(ownTables()).toEqual(["listed", "hidden", "down"]); // one that cannot be reached now is asked for again
  });

  test("tell their trouble", async () => {
    vi.mocked(api.tables).mockRejectedValue(new api.Trouble("net/lost", "The server does not answer."));
    const lists = new Lists();
    const stop = lists.watch();
    await vi.waitFor(() => expect(lists.trouble).toBe("The server does not answer."));
    stop();
  });
});
