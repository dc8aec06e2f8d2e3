import { describe, expect, test } from "vitest";
import { outcome, seatCard } from "../testing/make";
import { ending, fate, ranked, verdict } from "./outcome";

const seats = (you: string | null, ...names: string[]) => names.map((seat) => seatCard({ seat, you: seat === you }));

describe("a game that somebody won", () => {
  const won = outcome({ winner: "blue", places: ["blue", "red", "green"], reason: "most points" });

  test("is told with the winner and the reason", () => {
    expect(ending(won)).toMatch(/^Blue .*most points/);
    expect(ending(won, (seat) => (seat === "blue" ? "Ada" : seat))).toMatch(/^Ada .*most points/);
  });

  test("gives every seat its place", () => {
    expect(["blue", "red", "green"].map((seat) => fate(won, seat))).toEqual(["won", "second", "third"]);
  });

  test("is told to the winner as their own", () => {
    expect(verdict(won, seats("blue", "red", "blue", "green"))).toBe("You won.");
    expect(verdict(won, seats("red", "red", "blue", "green"))).toBe("Blue won.");
    expect(verdict(won, seats(null, "red", "blue", "green"))).toBe("Blue won.");
  });

  test("lists seats from the first to the last", () => {
    expect(ranked(won, seats(null, "red", "green", "blue")).map(({ seat }) => seat)).toEqual(["blue", "red", "green"]);
  });

  test("puts a seat that has no place last", () => {
    expect(fate(won, "violet")).toBe("third");
  });
});

test("of two, who did not win lost", () => {
  const won = outcome({ winner: "red", places: ["red", "blue"] });
  expect(fate(won, "blue")).toBe("lost");
});

test("places beyond the fourth are told by number", () => {
  const places = ["a", "b", "c", "d", "e"];
  expect(fate(outcome({ winner: "a", places }), "d")).toBe("fourth");
  expect(fate(outcome({ winner: "a", places }), "e")).toBe("place 5");
});

describe("a draw of all", () => {
  const drawn = outcome({ places: ["red", "blue"], reason: "the last turn" });

  test("is a draw for everybody", () => {
    expect(ending(drawn)).toMatch(/draw.*the last turn/);
    expect(fate(drawn, "red")).toBe("drew");
    expect(fate(drawn, "blue")).toBe("drew");
    expect(verdict(drawn, seats("red", "red", "blue"))).toMatch(/draw/);
  });
});

describe("a shared first place", () => {
  const ranks = { red: 1, green: 1, blue: 3 };
  const shared = outcome({ places: ["red", "green", "blue"], ranks, reason: "equal points" });

  test("names all who share it and nobody else", () => {
    expect(ending(shared)).toContain("Red and Green");
    expect(ending(shared)).not.toContain("Blue");
    expect(fate(shared, "green")).toBe(fate(shared, "red"));
    expect(fate(shared, "blue")).toBe("third");
  });

  test("is told to one of them with themselves first", () => {
    expect(verdict(shared, seats("green", "red", "green", "blue"))).toMatch(/^You and Red /);
    expect(verdict(shared, seats("blue", "red", "green", "blue"))).toMatch(/^Red and Green /);
  });

  test("ranks count over the order of places", () => {
    expect(ranked(shared, seats(null, "blue", "green", "red")).map(({ seat }) => seat)).toEqual(["green", "red", "blue"]);
  });
});
