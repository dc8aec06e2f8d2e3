import { expect, it } from "vitest";
import { difference, formula, missing, place } from "./reveal";

const told = { monarchs: { red: 40, green: 31, blue: 20 }, nations: { red: 35, green: 31, blue: 20 } };
const score = { role: "red-2", serves: "red" as const, full: 33, is_called: false, score: 33 };

it("writes how a score came about", () => {
  expect(formula(score, told, "2022-10")).toBe("40 − 7");
  expect(formula(score, told, "2022-02")).toBe("35 − 2");
  expect(formula({ ...score, serves: "green", full: 20, is_called: true }, told, "2022-10")).toBe("(2 × 31 − 40 − 2) ÷ 2");
});

it("finds a ticket on the strip", () => {
  const held: [string, number][] = [
    ["red-1", 6],
    ["blue-3", 2],
  ];
  expect(place(held, 6)).toEqual({ from: 0, to: 0.75, at: 5.5 / 8 });
  expect(place(held, 7)).toEqual({ from: 0.75, to: 1, at: 6.5 / 8 });
  expect(place([], 1)).toEqual({ from: 0, to: 0, at: 0 });
});

it("tells what was changed on the way, line by line, and what it brought", () => {
  const line = (text: string) => ({ text, void: "" });
  const [ordered, delivered] = [
    [line("A5-B6 2"), line("A5-B6 2")],
    [line("A5-B6 2"), line("a5 c6 2")],
  ];
  expect(missing(ordered, delivered)).toEqual([line("A5-B6 2")]);
  expect(missing(delivered, ordered)).toEqual([line("a5 c6 2")]);
  expect(missing(null, delivered)).toEqual([]);
  const side = (red: number, blue: number) => ({ sheets: { red: null, green: null, blue: null }, scores: { red, green: 0, blue } });
  expect(difference({ ordered: side(20, 5), delivered: side(10, 10) })).toBe("Points: Red 10 less, Blue 5 more.");
  expect(difference({ ordered: side(1, 1), delivered: side(1, 1) })).toBe("It changed nobody's points.");
});
