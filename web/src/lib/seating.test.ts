import { describe, expect, test } from "vitest";
import { gameCard } from "../testing/make";
import { atFirst, filled, NOBODY, opposing, seatedAs, taken } from "./seating";

const two = gameCard({ seats: ["red", "blue"], fewest: 2 });
const many = gameCard({ seats: ["red", "blue", "green", "yellow"], fewest: 2 });
const alone = gameCard({ seats: ["red", "blue"], fewest: 1 });

describe("the form begins with", () => {
  test("the person, and an open seat for each of the others that are needed", () => {
    expect(atFirst(two)).toEqual({ red: "person", blue: "open" });
    expect(atFirst(many)).toEqual({ red: "person", blue: "open", green: NOBODY, yellow: NOBODY });
  });

  test("two seats, also where one would do", () => {
    expect(atFirst(alone)).toEqual({ red: "person", blue: "open" });
  });
});

describe("the seats of a match are always the first ones", () => {
  const chosen = { red: "person", blue: "bot:steady", green: NOBODY, yellow: NOBODY };

  test("whoever takes a later seat fills up those before it", () => {
    expect(seatedAs(many, chosen, "yellow", "person")).toEqual({ red: "person", blue: "bot:steady", green: "open", yellow: "person" });
  });

  test("an empty seat empties those behind it", () => {
    const full = { red: "person", blue: "bot:steady", green: "open", yellow: "open" };
    expect(seatedAs(many, full, "blue", NOBODY)).toEqual({ red: "person", blue: NOBODY, green: NOBODY, yellow: NOBODY });
  });

  test("those who stay keep what was chosen for them", () => {
    expect(filled(many, chosen, 3)).toEqual({ ...chosen, green: "open" });
    expect(filled(many, { ...chosen, green: "open" }, 2)).toEqual(chosen);
    expect(filled(many, chosen, 0)).toEqual({ red: NOBODY, blue: NOBODY, green: NOBODY, yellow: NOBODY });
  });

  test("another choice for a seat moves nobody else", () => {
    expect(seatedAs(many, chosen, "blue", "open")).toEqual({ ...chosen, blue: "open" });
  });
});

test("taken seats are those with somebody, or open to somebody", () => {
  expect(taken({ red: "person", blue: "open", green: NOBODY })).toBe(2);
  expect(taken({})).toBe(0);
});

describe("the summary names", () => {
  test("the only opponent", () => {
    expect(opposing([["blue", "bot:level-1"]], true)).toBe("against Level 1");
  });

  test("all of several, with their seats", () => {
    expect(
      opposing(
        [
          ["green", "bot:champion"],
          ["blue", "bot:level-3"],
        ],
        true,
      ),
    ).toBe("against Champion (Green) and Level 3 (Blue)");
  });

  test("those who play the same once", () => {
    const seats = [
      ["green", "bot:champion"],
      ["blue", "open"],
      ["yellow", "bot:champion"],
    ] as const;
    expect(opposing(seats, true)).toBe("against Champion (Green and Yellow) and anyone who joins (Blue)");
    expect(opposing(seats, false)).toBe("against Champion (Green and Yellow) and anyone with the link (Blue)");
  });

  test("programs, and nobody", () => {
    expect(opposing([["blue", "program"]], true)).toBe("against a program");
    expect(opposing([], true)).toBe("with the seats as you set them");
  });
});
