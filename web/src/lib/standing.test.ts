// @vitest-environment happy-dom
import { describe, expect, test, vi } from "vitest";
import { frame, outcome, seatCard, tableCard } from "../testing/make";
import type { TableCard } from "../wire";
import { calling, standing } from "./standing";
import type { Table } from "./table.svelte";

vi.mock("../games", () => ({ boards: "", load: vi.fn() }));

interface Given {
  card?: Partial<TableCard> | null;
  you?: string | null;
  live?: boolean;
  ordering?: boolean;
  filed?: boolean;
  rest?: string;
  marks?: string[];
  over?: boolean;
}

/** A table as far as its sentence needs it. */
function table({ card = {}, you = "red", live = true, ordering = false, filed = false, rest, marks = [], over = false }: Given): Table {
  const seats = [seatCard({ seat: "red", player: "Ada", you: you === "red" }), seatCard({ seat: "blue", player: "Bo" })];
  return {
    card: card && tableCard({ seats, turn: 4, ...card }),
    you,
    ordering,
    over,
    draft: { state: filed ? "filed" : "draft" },
    game: rest ? { filing: { rest } } : null,
    viewer: { live, frame: frame({ turn: 3, marks: marks.map((words) => ({ words, rule: "", seat: null })) }) },
  } as unknown as Table;
}

describe("a seat is called", () => {
  const call = calling(
    table({
      card: {
        seats: [
          seatCard({ seat: "red", player: "Ada", you: true }),
          seatCard({ seat: "blue", player: "Bo" }),
          seatCard({ seat: "green", player: "Green" }),
          seatCard({ seat: "grey", player: "Guest Grey" }),
        ],
      },
    }),
  );

  test("You, by its player, or by its colour alone where the player adds nothing", () => {
    expect(["red", "blue", "green", "grey", "white"].map(call)).toEqual(["You", "Bo (Blue)", "Green", "Grey", "White"]);
  });
});

describe("a table waits", () => {
  test("for nothing while it is not known", () => {
    expect(standing(table({ card: null }))).toEqual({ text: "" });
  });

  test("for your orders, in the words of the game if it has some", () => {
    expect(standing(table({ ordering: true })).seat).toBe("red");
    expect(standing(table({ ordering: true, rest: "Your turn." })).text).toBe("Your turn.");
    expect(standing(table({ ordering: true, filed: true, rest: "Your turn." })).subject).toContain("filed");
  });

  test("for those who have not filed, by name", () => {
    const seats = [
      seatCard({ seat: "red", you: true, to_act: true, filed: true }),
      seatCard({ seat: "blue", player: "Bo", to_act: true }),
      seatCard({ seat: "green", to_act: false }),
    ];
    expect(standing(table({ card: { seats } })).text).toMatch(/Bo \(Blue\)\.$/);
  });

  test("for the umpire once all have filed", () => {
    expect(standing(table({})).text).toContain("Turn 4");
  });

  test("and says why you do not play any more", () => {
    const seats = [seatCard({ seat: "red", you: true, why: "resigned" })];
    expect(standing(table({ card: { seats } }))).toMatchObject({ seat: "red", subject: "You resigned." });
  });

  test("for players, for bids, or for nobody while it is paused", () => {
    const said = (["open", "sealed", "paused"] as const).map((status) => JSON.stringify(standing(table({ card: { status } }))));
    expect(new Set(said).size).toBe(3);
    expect(said[2]).toContain("Paused");
  });
});

describe("the end", () => {
  const won = outcome({ winner: "blue", places: ["blue", "red"], reason: "the base fell", rule: "9.2" });

  test("is told with its paragraph and its winner", () => {
    expect(standing(table({ card: { status: "over", outcome: won } }))).toMatchObject({
      text: expect.stringMatching(/^Blue .*the base fell/),
      rule: "9.2",
      seat: "blue",
    });
  });

  test("is told as the game says it", () => {
    const over = table({ card: { status: "over", outcome: won } });
    const game = { reasons: { "the base fell": "By a fallen base" } };
    expect(standing({ ...over, game } as unknown as Table).text).toBe("Blue wins: by a fallen base.");
  });

  test("is not told to who looks back", () => {
    const back = table({ card: { status: "over", outcome: won }, live: false, over: true, marks: ["Red took G5."] });
    expect(standing(back)).toEqual({ subject: "Turn 3.", text: "Red took G5." });
  });
});
