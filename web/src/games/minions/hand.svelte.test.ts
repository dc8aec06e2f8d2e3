// @vitest-environment happy-dom
import { beforeEach, describe, expect, test } from "vitest";
import { line, option, orders as sheetOf } from "../../testing/make";
import { room } from "../../testing/props.svelte";
import type { Crew } from "../../wire";
import type { BoardProps, Orders } from "../contract";
import { desk } from "./desk.svelte";
import { Hand } from "./hand.svelte";
import type { Order, Setting, View } from "./wire";

const setting = { maps: [""], names: [], line: ["Zombie"], units: [{ name: "Zombie", letter: "Z", defence: 1, range: 1, keywords: [] }], necromancers: [], pool: [] } as unknown as Setting; // prettier-ignore
const unit = (hex: string, side = "yellow") => ({ hex, side, type: "Zombie", letter: "Z" });
const board = (number: number) => ({
  number,
  units: number === 1 ? [unit("a1"), unit("b1"), unit("c1"), unit("a3", "blue")] : [],
  zones: {},
  income: {},
});
const view = { turn: 1, boards: [board(1), board(2)], spells: { yellow: [0] }, outcome: null } as unknown as View;
const move = (start: string, target: string): Order => ({ order: "move", board: 1, start, target });
const attack = (start: string, target: string): Order => ({ order: "attack", board: 1, start, target });
const swap: Order = { order: "tick", board: 1, moves: ["a1-b1", "b1-a1"] };
const buy: Order = { order: "buy", board: 1, unit: "Z" };
const options = [option(move("a1", "a2")), option(attack("a1", "a3")), option(swap), option(buy, { figures: { hexes: ["d1"] } })];

function table(of: Partial<Orders<Order>> = {}, props: Partial<BoardProps<Setting, View, Order>> = {}) {
  const orders = sheetOf<Order>({ options, ...of });
  const at = room<Setting, View, Order>({ setting, view, you: "yellow", orders, ...props });
  return { hand: new Hand(at.props, () => view), at, orders };
}

beforeEach(() => {
  desk.begin(); // nothing of the last test is left
});

describe("a click", () => {
  test("chooses a unit, and an empty hex chooses nothing", () => {
    const { hand, at } = table();
    hand.choose("a1");
    expect([at.selected, hand.hex]).toEqual(["1 a1", "a1"]);
    hand.choose("j9");
    expect(at.selected).toBeNull();
  });

  test("on a target orders it; who has moved stays in the hand to attack", () => {
    const { hand, at, orders } = table();
    hand.choose("a1");
    hand.choose("a2");
    expect(at.selected).toBe("1 a2");
    at.set({ selected: "1 a1" });
    hand.choose("a3");
    expect(orders.done).toEqual([
      ["add", move("a1", "a2"), undefined],
      ["add", attack("a1", "a3"), undefined],
    ]);
    expect(at.selected).toBe("1 a1");
  });

  test("says why nothing comes of it where another one gives the orders", () => {
    const crew: Crew[] = [{ player: "Bo", roles: ["captain 1"], you: false, here: true, looks: null, done: [], wait: null }];
    const { hand, orders } = table({}, { crew, roles: ["general"] });
    hand.choose("a1");
    hand.choose("a2");
    expect(orders.done).toEqual([]);
    expect(hand.status).toMatchObject({ refused: true, rule: "2.6", text: expect.stringContaining("Bo") });
  });

  test("orders nothing while the sheet is closed", () => {
    const { hand, orders } = table({ open: false });
    hand.choose("a1");
    hand.choose("a2");
    expect(orders.done).toEqual([]);
  });
});

describe("a drag", () => {
  test("orders a move, an attack or a swap", () => {
    const { hand, at, orders } = table();
    hand.drop("a1", "a2");
    expect(at.selected).toBe("1 a2");
    hand.drop("a1", "a3");
    expect(at.selected).toBe("1 a1");
    hand.drop("b1", "a1");
    expect(at.selected).toBeNull();
    hand.drop("a1", "j9");
    expect(orders.done.map(([, order]) => order)).toEqual([move("a1", "a2"), attack("a1", "a3"), swap]);
  });

  test("is the board's own where a unit can be ordered", () => {
    const { hand } = table();
    expect(["a1", "b1", "c1", "a3"].map((hex) => hand.commands(hex))).toEqual([true, true, false, false]);
  });
});

describe("a ring", () => {
  test("sends each to the place of the next, and is closed by the first", () => {
    const { hand, orders } = table();
    for (const hex of ["a1", "b1", "c1", "a1"]) hand.join(hex);
    expect(orders.done).toEqual([["add", { order: "tick", board: 1, moves: ["a1-b1", "b1-c1", "c1-a1"] }, undefined]]);
    expect(hand.loop).toEqual([]);
  });

  test("of two is the swap that is listed", () => {
    const { hand, orders } = table();
    hand.turnRound(["b1", "a1"]);
    expect(orders.done).toEqual([["add", swap, undefined]]);
  });

  test("has own units only, each once", () => {
    const { hand } = table();
    for (const hex of ["b1", "a3", "c1", "c1"]) hand.join(hex);
    expect(hand.loop).toEqual(["b1"]);
    hand.turnRound(["b1"]);
    expect(hand.loop).toEqual([]);
  });
});

describe("spawning", () => {
  test("buys the unit first where none waits, in one step", () => {
    const { hand, orders } = table();
    hand.take("Z");
    expect([desk.armed, [...hand.room]]).toEqual(["Z", ["d1"]]);
    hand.choose("d1");
    expect(orders.done).toEqual([["set", [buy, { order: "spawn", board: 1, unit: "Z", target: "d1" }]]]);
    expect(desk.armed).toBeNull();
  });

  test("takes the one that waits", () => {
    const spawn: Order = { order: "spawn", board: 1, unit: "Z", target: "d2" };
    const { hand, orders } = table({ options: [...options, option(spawn)] });
    hand.take("Z");
    hand.choose("d1");
    hand.choose("d2");
    expect(orders.done).toEqual([["add", spawn, undefined]]);
  });

  test("by the letter again only buys", () => {
    const { hand, orders } = table();
    hand.take("Z");
    hand.take("Z");
    hand.take("Q");
    expect(orders.done).toEqual([["add", buy, { hexes: ["d1"] }]]);
  });

  test("by a letter that is held goes on, and ends when it is let go", () => {
    const { hand, orders } = table();
    hand.held = { letter: "Z", used: false };
    hand.choose("d1");
    hand.choose("d1");
    expect([orders.done.length, desk.armed]).toEqual([2, "Z"]);
    hand.letterUp();
    expect(desk.armed).toBeNull();
    hand.held = { letter: "Z", used: false };
    hand.letterUp();
    expect(desk.armed).toBe("Z");
  });
});

test("undoing a unit removes all its orders, and none of others", () => {
  const { hand, orders } = table({ lines: [line(1, move("x1", "a1")), line(2, attack("a1", "a3")), line(3, move("x1", "a3"))] });
  hand.takeBack("a3");
  expect(orders.done).toEqual([]);
  hand.takeBack("a1");
  expect(orders.done).toEqual([["set", [move("x1", "a3")]]]);
});

test("the hand lets go of one thing after the other, the last first", () => {
  const { hand, at } = table();
  hand.choose("a1");
  hand.loop = ["a1"];
  desk.armed = "Z";
  const seen = [hand.cancel(), desk.armed, hand.cancel(), hand.loop, hand.cancel(), at.selected, hand.cancel()];
  expect(seen).toEqual([true, null, true, [], true, null, false]);
});

test("marks of done boards are for one sheet, and a captain's word counts before them", () => {
  desk.sheetOf(5);
  desk.mark(1, true);
  const captain: Crew = { player: "Bo", roles: ["captain 1"], you: false, here: true, looks: null, done: [], wait: null };
  expect([desk.isDone(1, []), desk.isDone(2, []), desk.isDone(1, [captain])]).toEqual([true, false, false]);
  desk.mark(1, false);
  expect(desk.isDone(1, [])).toBe(false);
  desk.mark(1, true);
  desk.turnTo(4); // a past turn is looked at
  desk.turnTo(5);
  expect(desk.isDone(1, [])).toBe(true);
  desk.sheetOf(6);
  expect(desk.isDone(1, [])).toBe(false);
});

test("another table begins with its first board, and with nothing of the last one", () => {
  desk.sheetOf(0);
  desk.look(3);
  desk.mark(1, true);
  desk.line = true;
  desk.armed = "Z";
  desk.begin();
  desk.sheetOf(0);
  expect([desk.focus, desk.isDone(1, []), desk.line, desk.armed]).toEqual([1, false, false, null]);
});
