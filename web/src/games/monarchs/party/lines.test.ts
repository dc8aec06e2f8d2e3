import { expect, test } from "vitest";
import { blank } from "./blank";
import { ordersOf, read, split, summary, write } from "./lines";

test.each([
  ["G5-H4 2", { order: "march", from: "G5", to: "H4", number: 2 }],
  ["g5 h4 2", { order: "march", from: "G5", to: "H4", number: 2 }],
  ["bless i7", { order: "bless", hex: "I7" }],
  ["Boost i7", { order: "bless", hex: "I7" }],
  ["nonsense", null],
  ["G5-H4", null],
])("%s is drawn as what it says", (text, order) => {
  expect(read(text)).toEqual(order);
});

test("lines are written as they are read", () => {
  for (const text of ["G5-H4 2", "bless I7"]) expect(write(read(text)!)).toBe(text);
});

test("a sheet at once, as a list or as the dictionary of the original program", () => {
  expect(split(" g5 h4 2\n\nbless i7; c3 d2 1 ")).toEqual(["g5 h4 2", "bless i7", "c3 d2 1"]);
  // The example of the README of the game.
  expect(split("{'Bless':'G9', ('G9','F8'):2, ('H8','F8'):1, ('H8','G7'):1}")).toEqual(["bless G9", "G9 F8 2", "H8 F8 1", "H8 G7 1"]);
});

test("a sheet in words", () => {
  expect(summary(["G5-H4 2", "bless I7"])).toBe("1 line and Bless I7");
  expect(summary([])).toBe("0 lines");
});

test("changes give all lines", () => {
  const seen: string[][] = [];
  const orders = ordersOf(["G5-H4 2", "bless I7"], [], (lines) => seen.push(lines));
  orders.add({ order: "march", from: "A5", to: "B6", number: 1 });
  orders.strike(0);
  orders.change(1, "bless I5");
  expect(seen).toEqual([["G5-H4 2", "bless I7", "A5-B6 1"], ["bless I7"], ["G5-H4 2", "bless I5"]]);
  expect(ordersOf([], [], null).open).toBe(false);
});

test("the empty board has 61 hexes", () => {
  const names = Object.keys(blank.hexes);
  expect(names).toHaveLength(61);
  expect(names).toEqual(expect.arrayContaining(["A5", "Q5", "E9", "M9", "E1", "M1", "I5"]));
});

test("the call of the original program and a list in words are sheets, too", () => {
  const call = "game.receive_orders(nation='g', order_dict={'Bless':'G9', ('G9','F8'):2, ('H8','F8'):1, ('H8','G7'):1})";
  expect(split(call)).toEqual(["bless G9", "G9 F8 2", "H8 F8 1", "H8 G7 1"]);
  expect(split("* 1 unit from D2 to C3\n* 2 units from D2 to E3\nBless E3")).toEqual(["D2 C3 1", "D2 E3 2", "Bless E3"]);
  expect(split("- 2 units go to E3")).toEqual(["- 2 units go to E3"]); // as it was delivered
});
