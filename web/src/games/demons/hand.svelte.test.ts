// @vitest-environment happy-dom
import { beforeEach, describe, expect, test } from "vitest";
import { line, option, orders as sheetOf } from "../../testing/make";
import { room } from "../../testing/props.svelte";
import type { Orders } from "../contract";
import { directions } from "./directions.svelte";
import { Hand } from "./hand.svelte";
import { buildAt, destroyAt, hireTo } from "./sheet";
import type { Order, Setting, View } from "./wire";

const facts = { price: 10, cooldown: 5, range: 0, damage: 0 };
const setting = {
  rules: "seed",
  name: "",
  rows: ["rrr", "ooo", "bbb"],
  directions: { red: { ahead: "S", right: "W", back: "N", left: "E" } },
  towers: { house: facts, cannon: facts },
  guide: null,
} as unknown as Setting;
const view = {
  who: "red",
  turn: 1,
  turns: 9,
  step: "",
  bases: { red: { x: 1, y: 0, health: 9, gold: 30, queued: {} } },
  towers: [{ kind: "house", owner: "red", x: 2, y: 0, cooldown: 1 }],
  units: [],
  portals: [],
  prices: {},
} as unknown as View;
const options = [
  option(buildAt("house", 0, 0), { figures: { price: 10 } }),
  option(buildAt("cannon", 0, 0), { figures: { price: 20 } }),
  option(destroyAt(2, 0), { figures: { back: 5 } }),
  option(hireTo("S")),
  option(hireTo("E")),
];

function table(of: Partial<Orders<Order>> = {}) {
  const orders = sheetOf<Order>({ options, ...of });
  const at = room<Setting, View, Order>({ setting, view, you: "red", orders });
  return { hand: new Hand(at.props), at, orders };
}

beforeEach(() => directions.tell(false));

describe("a tower", () => {
  test("is picked and dropped by its letter", () => {
    const { hand, at } = table();
    expect(hand.letter("h")).toBe(true);
    expect([at.selected, hand.tool, hand.sites]).toEqual(["house", "house", ["0,0"]]);
    hand.letter("h");
    expect(at.selected).toBeNull();
  });

  test("is built where it is put", () => {
    const { hand, at, orders } = table();
    hand.letter("c");
    hand.choose("0,0");
    expect(orders.done).toEqual([["add", buildAt("cannon", 0, 0), { price: 20 }]]);
    expect(at.selected).toBeNull();
  });

  test("is built at once on a tile that was chosen first", () => {
    const { hand, orders } = table();
    hand.choose("0,0");
    hand.letter("c");
    expect(orders.done).toEqual([["add", buildAt("cannon", 0, 0), { price: 20 }]]);
  });

  test("takes the place of what the builder was ordered; its price is known only if it was listed before", () => {
    const { hand, orders } = table({ lines: [line(7, destroyAt(2, 0) as Order)] });
    hand.build("house", "0,0");
    expect(orders.done).toEqual([["change", 7, buildAt("house", 0, 0), {}]]);
  });

  test("is handed in also where nothing lists it, so that the server says why not; but not on what stands there", () => {
    const { hand, at, orders } = table();
    hand.letter("h");
    hand.choose("1,1");
    expect(orders.done).toEqual([["add", buildAt("house", 1, 1), undefined]]);
    hand.letter("h");
    hand.choose("2,0");
    expect([orders.done.length, at.selected]).toEqual([1, "2,0"]);
  });

  test("of yours is destroyed by Delete, unless something is ordered there", () => {
    const { hand, orders } = table();
    hand.choose("2,0");
    hand.remove();
    expect(orders.done).toEqual([["add", destroyAt(2, 0), { back: 5 }]]);
    const ordered = table({ lines: [line(7, destroyAt(2, 0) as Order)] });
    ordered.hand.choose("2,0");
    ordered.hand.remove();
    expect(ordered.orders.done).toEqual([["strike", 7]]);
  });

  test("that these rules do not have can't be picked", () => {
    const { hand, at } = table();
    expect([hand.letter("u"), at.selected]).toEqual([false, null]);
  });
});

describe("a mercenary", () => {
  test("is hired by the compass, or as seen from your base", () => {
    const { hand, orders } = table();
    hand.letter("s");
    hand.letter("l");
    expect(orders.done.map(([, order]) => order)).toEqual([hireTo("S"), hireTo("E")]);
    directions.tell(true);
    hand.letter("s");
    expect(orders.done.at(-1)![1]).toEqual(hireTo("ahead"));
  });

  test("is taken back by the same letter, however it was ordered", () => {
    for (const direction of ["S", "ahead"]) {
      const { hand, orders } = table({ lines: [line(3, hireTo(direction) as Order)] });
      expect(hand.hired).toBe("S");
      hand.letter("s");
      expect(orders.done).toEqual([["strike", 3]]);
    }
  });

  test("goes out of the base by a click, once the base is chosen", () => {
    const { hand, orders } = table();
    hand.choose("1,0");
    expect([...hand.exits]).toEqual([
      ["1,1", "S"],
      ["2,0", "E"],
    ]);
    hand.choose("1,1");
    expect(orders.done).toEqual([["add", hireTo("S"), undefined]]);
  });

  test("is taken back at the base", () => {
    const { hand, orders } = table({ lines: [line(3, hireTo("S") as Order)] });
    expect(hand.takeBack("1,0")).toBe(true);
    expect(orders.done).toEqual([["strike", 3]]);
    expect(hand.takeBack("0,1")).toBe(false);
  });
});

test("nothing is ordered while a turn is shown, or where the sheet is closed", () => {
  const { hand, orders, at } = table({ open: false });
  for (const key of ["h", "s", "a"]) expect(hand.letter(key)).toBe(false);
  hand.choose("0,0");
  hand.remove();
  expect([orders.done, hand.question, at.selected]).toEqual([[], null, "0,0"]);
});

test("a mouse is asked what it can do with what is chosen", () => {
  const { hand, orders } = table();
  hand.choose("0,0");
  expect(hand.question?.choices).toHaveLength(2); // house, cannon
  hand.question!.choose(hand.question!.choices[0]!.value);
  expect(orders.done).toEqual([["add", buildAt("house", 0, 0), { price: 10 }]]);
});

test("the hand lets go of what is chosen, then of nothing", () => {
  const { hand } = table();
  hand.choose("0,0");
  expect([hand.cancel(), hand.cancel()]).toEqual([true, false]);
});
