// @vitest-environment happy-dom
import { beforeEach, describe, expect, test } from "vitest";
import { line, option, orders as sheetOf } from "../../testing/make";
import { room } from "../../testing/props.svelte";
import type { Orders } from "../contract";
import { tileAt } from "./geometry";
import { Hand } from "./hand.svelte";
import { shows } from "./shows.svelte";
import type { Order, Setting, View } from "./wire";

const setting = { width: 4, height: 3, seats: ["red", "blue"], starts: { red: [1, 1] }, ore: [[9, 9, 9, 9], [9, 9, 9, 9], [9, 9, 9, 9]] } as unknown as Setting; // prettier-ignore
const view = { turn: 1, stacks: [{ x: 1, y: 1, owner: "red", units: 5 }, { x: 2, y: 1, owner: "red", units: 2 }, { x: 3, y: 2, owner: "blue", units: 1 }], buildings: [], ore: [], outcome: null } as unknown as View; // prettier-ignore
const at = (x: number, y: number): number => tileAt(setting, x, y);
const move = (x: number, y: number, direction: string, number: number): Order => ({ order: "move", x, y, direction, number });
const mine = (x: number, y: number, number: number): Order => ({ order: "mine", x, y, number });
const listed = [move(1, 1, "up", 1), move(1, 1, "right", 1), mine(1, 1, 1), move(2, 1, "up", 1), mine(2, 1, 1)];
const options = listed.map((order) => option(order, { least: 1, most: 5 }));

function table(of: Partial<Orders<Order>> = {}) {
  const orders = sheetOf<Order>({ options, ...of });
  const places = room<Setting, View, Order>({ setting, view, you: "red", orders });
  return { hand: new Hand(places.props), room: places, orders };
}

beforeEach(() => {
  shows.share = "all";
  shows.tool = "point";
});

describe("a click", () => {
  test("chooses a tile, with Shift several, and lets go when it is clicked again", () => {
    const { hand, room: places } = table();
    hand.choose(at(1, 1));
    hand.choose(at(3, 2), true);
    expect(places.selected).toBe("1,1 3,2");
    expect([hand.area, hand.own]).toEqual([[at(1, 1), at(3, 2)], [at(1, 1)]]);
    hand.choose(at(1, 1), true);
    hand.choose(at(3, 2));
    expect(places.selected).toBeNull();
  });

  test("on a neighbour moves the chosen stack, and lets it go", () => {
    const { hand, room: places, orders } = table();
    hand.choose(at(1, 1));
    expect([...hand.targets.keys()].sort((a, b) => a - b)).toEqual([at(1, 0), at(2, 1)]);
    hand.choose(at(1, 0));
    expect(orders.done).toEqual([["add", move(1, 1, "up", 5), {}]]);
    expect(places.selected).toBeNull();
  });

  test("keeps the stack while units are left to be ordered", () => {
    shows.share = "half";
    const { hand, room: places, orders } = table();
    hand.choose(at(1, 1));
    hand.choose(at(1, 0));
    expect([orders.done, places.selected]).toEqual([[["add", move(1, 1, "up", 3), {}]], "1,1"]);
  });
});

test("the cursor begins where one's own units are, and for those who watch where the first player begins", () => {
  expect(table().hand.here).toBe(at(1, 1));
  const watching = room<Setting, View, Order>({ setting, view, you: null, orders: null });
  expect(new Hand(watching.props).here).toBe(at(1, 1));
});

describe("letters", () => {
  test("order the chosen tiles, all in one step", () => {
    const { hand, orders } = table();
    hand.letter("e");
    expect(hand.own).toEqual([at(1, 1), at(2, 1)]);
    hand.letter("m");
    expect(orders.done).toEqual([["set", [mine(1, 1, 5), mine(2, 1, 2)]]]);
  });

  test("after a number order so many", () => {
    const { hand, orders } = table();
    hand.choose(at(1, 1));
    hand.digit("3");
    hand.letter("u");
    expect([orders.done, hand.typed]).toEqual([[["add", move(1, 1, "up", 3), {}]], ""]);
  });

  test("order the tile under the cursor where none is chosen, but not what has an order already", () => {
    const free = table();
    free.hand.letter("m");
    expect(free.orders.done).toEqual([["add", mine(1, 1, 5), {}]]);
    const busy = table({ lines: [line(1, move(1, 1, "up", 5))] });
    busy.hand.letter("m");
    expect(busy.orders.done).toEqual([]);
  });

  test("hand in what is not listed, so that the server says why not", () => {
    const { hand, orders } = table();
    hand.choose(at(1, 1));
    hand.letter("l");
    expect(orders.done).toEqual([["set", [move(1, 1, "left", 1)]]]);
  });

  test("choose what is free", () => {
    const { hand } = table({ lines: [line(1, move(1, 1, "up", 5))] });
    hand.letter("f");
    expect(hand.own).toEqual([at(2, 1)]);
  });

  test("take back", () => {
    const { hand, orders } = table({ lines: [line(1, move(1, 1, "up", 5)), line(2, mine(2, 1, 1))] });
    hand.choose(at(1, 1));
    hand.letter("x");
    expect(orders.done).toEqual([["set", [mine(2, 1, 1)]]]);
  });

  test("that mean nothing, mean nothing", () => {
    expect(table().hand.letter("q")).toBe(false);
    expect(table({ open: false }).hand.letter("m")).toBe(false);
  });
});

describe("a drag", () => {
  test("over tiles selects yours in the rectangle", () => {
    const { hand, room: places } = table();
    shows.tool = "rectangle";
    expect(hand.begins(at(0, 0), false)).toBe("rectangle");
    hand.drag("rectangle", at(0, 0), at(3, 2));
    hand.drop(false);
    expect([places.selected, hand.stroke]).toEqual(["1,1 2,1", null]);
  });

  test("with the brush chooses what it went over", () => {
    const { hand, room: places } = table();
    hand.drag("brush", at(1, 0), at(1, 0));
    hand.drag("brush", at(1, 0), at(1, 2));
    hand.drop(false);
    expect(places.selected).toBe("1,1");
  });

  test("from an own stack moves it one step, however far it goes", () => {
    const { hand, orders } = table();
    expect(hand.begins(at(1, 1), false)).toBe("move");
    hand.drag("move", at(1, 1), at(3, 1));
    expect(hand.stroke?.to).toBe(at(2, 1));
    hand.drop(false);
    expect(orders.done).toEqual([["add", move(1, 1, "right", 5), {}]]);
  });

  test("from anywhere else moves the map", () => {
    expect(table().hand.begins(at(0, 0), false)).toBeNull();
    expect(table({ open: false }).hand.begins(at(1, 1), false)).toBeNull();
  });
});

describe("keys", () => {
  test("show the cursor first, at your start, and then move it; not over the edge", () => {
    const { hand } = table();
    hand.go("up", false);
    expect(hand.here).toBe(at(1, 1));
    hand.go("up", false);
    hand.go("up", false);
    expect(hand.here).toBe(at(1, 0));
  });

  test("with Shift select your tiles from where it began", () => {
    const { hand, room: places } = table();
    hand.go("right", false);
    hand.go("right", true);
    expect(places.selected).toBe("1,1 2,1");
  });

  test("go to a tile that is typed", () => {
    const { hand, room: places } = table();
    expect(hand.digit(",")).toBe(false);
    for (const sign of "3,2") hand.digit(sign);
    expect(hand.here).toBe(at(3, 2));
    hand.enter();
    expect([places.selected, hand.typed]).toEqual(["3,2", ""]);
  });
});

test("a building asks for its block where there are several", () => {
  const build = (direction: string) => option({ order: "build", x: 1, y: 1, direction, number: 1 }, { least: 1, most: 1 });
  const one = table({ options: [build("up")] });
  one.hand.choose(at(1, 1));
  one.hand.letter("b");
  expect(one.orders.done).toEqual([["add", { order: "build", x: 1, y: 1, direction: "up", number: 1 }, {}]]);
  const two = table({ options: [build("up"), build("right")] });
  two.hand.choose(at(1, 1));
  two.hand.letter("b");
  expect(two.orders.done).toEqual([]);
  expect(two.hand.question?.choices.map(({ value }) => value)).toEqual(["right", "up"]);
  two.hand.question!.choose("right");
  expect(two.orders.done).toEqual([["add", { order: "build", x: 1, y: 1, direction: "right", number: 1 }, {}]]);
  expect(two.hand.question).toBeNull();
});

test("the hand lets go of what is typed, then of what is chosen, then of nothing", () => {
  const { hand } = table();
  hand.choose(at(1, 1));
  hand.digit("3");
  expect([hand.cancel(), hand.typed, hand.cancel(), hand.cancel()]).toEqual([true, "", true, false]);
});
