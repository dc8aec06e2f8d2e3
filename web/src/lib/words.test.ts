import { expect, test } from "vitest";
import { called, count, list, name, number, title } from "./words";

test("a name begins with a capital and is otherwise left alone", () => {
  expect(name("red")).toBe("Red");
  expect(name("McAda")).toBe("McAda");
  expect(name("")).toBe("");
});

test("one is singular; nothing and many are plural", () => {
  expect([0, 1, 2, 21].map((n) => count(n, "order"))).toEqual(["0 orders", "1 order", "2 orders", "21 orders"]);
  expect(count(1, "hex", "hexes")).toBe("1 hex");
  expect(count(2, "hex", "hexes")).toBe("2 hexes");
});

test("an identifier becomes a title", () => {
  expect(title("spell_price")).toBe("Spell price");
  expect(title("half-turn")).toBe("Half turn");
});

test("a list has commas and one and", () => {
  expect(list([])).toBe("");
  expect(list(["a"])).toBe("a");
  expect(list(["a", "b"])).toBe("a and b");
  expect(list(["a", "b", "c"])).toBe("a, b and c");
});

test("numbers have commas and at most two decimals", () => {
  expect(number(1234.5)).toBe("1,234.5");
  expect(number(0.126)).toBe("0.13");
  expect(number(-1000000)).toBe("-1,000,000");
});

test("our own bots are called the same everywhere", () => {
  expect(["level-3", "level-3 2", "champion", "champion 2"].map(called)).toEqual(["Level 3", "Level 3 (2)", "Champion", "Champion (2)"]);
  expect(["greedy", "champions", "Ada", "my level-3", ""].map(called)).toEqual(["greedy", "champions", "Ada", "my level-3", ""]);
});
