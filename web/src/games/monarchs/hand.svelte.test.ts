// @vitest-environment happy-dom
import { describe, expect, test, vi } from "vitest";
import { line, option, orders as sheetOf } from "../../testing/make";
import { room } from "../../testing/props.svelte";
import type { Orders } from "../contract";
import { Hand } from "./hand.svelte";
import type { March, Order, Setting, View } from "./wire";

const setting: Setting = { rules: "", mode: "", scoring: "", hexes: {}, bases: { red: "G5" }, centre: "I5" };
const view: View = {
  who: "red",
  turn: 1,
  turns: 8,
  hexes: {
    G5: { owner: "red", regiments: 3 },
    F4: { owner: "red", regiments: 1 },
    H4: { owner: "blue", regiments: 2 },
    I5: { owner: null, regiments: 0 },
  },
  reports: {},
  dropped: [],
  outcome: null,
};
const march = (from: string, to: string, number: number): March => ({ order: "march", from, to, number });
const options = [
  option({ order: "march", from: "G5", to: "H4" }, { least: 1, most: 3 }),
  option({ order: "march", from: "F4", to: "H4" }, { least: 1, most: 1 }),
  option({ order: "bless", hex: "G5" }),
];

function table(of: Partial<Orders<Order>> = {}, small = false) {
  const orders = sheetOf<Order>({ options, ...of });
  const at = room<Setting, View, Order>({ setting, view, you: "red", orders, notes: {}, note: vi.fn() });
  return { hand: new Hand(at.props, () => small), at, orders };
}

describe("a click", () => {
  test("chooses a hex, and lets it go when it is clicked again", () => {
    const { hand, at } = table();
    hand.choose("G5");
    expect(at.selected).toBe("G5");
    hand.choose("G5");
    expect(at.selected).toBeNull();
  });

  test("on a target asks how many; there again it sends all", () => {
    const { hand, at, orders } = table();
    hand.choose("G5");
    hand.choose("H4");
    expect(hand.question?.choices.map(({ value }) => value)).toEqual([1, 2, 3]);
    hand.choose("H4");
    expect(orders.done).toEqual([["add", march("G5", "H4", 3), {}]]);
    expect([at.selected, hand.question]).toEqual([null, null]);
  });

  test("on the target of one regiment sends it at once", () => {
    const { hand, orders } = table();
    hand.choose("F4");
    hand.choose("H4");
    expect(orders.done).toEqual([["add", march("F4", "H4", 1), {}]]);
  });

  test("on something else chooses that, and the question is gone", () => {
    const { hand, at } = table();
    hand.choose("G5");
    hand.choose("H4");
    hand.choose("I5");
    expect([at.selected, hand.question]).toEqual(["I5", null]);
  });

  test("orders nothing while a turn is shown, or where the sheet is closed", () => {
    const { hand, at, orders } = table({ open: false });
    hand.choose("G5");
    hand.choose("H4");
    expect([orders.done, at.selected]).toEqual([[], "H4"]);
  });
});

describe("a number", () => {
  test("answers the question", () => {
    const { hand, orders } = table();
    hand.choose("G5");
    hand.choose("H4");
    expect(hand.count(2)).toBe(true);
    expect(orders.done).toEqual([["add", march("G5", "H4", 2), {}]]);
  });

  test("is for the target that is pointed at, where none is asked about", () => {
    const { hand, orders } = table();
    hand.choose("G5");
    hand.hover = "H4";
    expect([hand.count(9), orders.done]).toEqual([false, []]);
    expect(hand.count(1)).toBe(true);
    expect(orders.done).toEqual([["add", march("G5", "H4", 1), {}]]);
  });

  test("of nought takes the line back", () => {
    const { hand, orders } = table({ lines: [line(5, march("G5", "H4", 2))], options: [] });
    hand.choose("G5");
    hand.choose("H4");
    hand.question!.choose(0);
    expect(orders.done).toEqual([["strike", 5]]);
  });
});

describe("a finger", () => {
  test("is asked what else can be done with a hex", () => {
    const { hand, orders } = table();
    hand.finger = true;
    hand.choose("G5");
    const question = hand.question!;
    expect(question.usual).toBe(-1);
    expect(question.choices).toHaveLength(2); // bless, note
    question.choose(question.choices[0]!.value);
    expect(orders.done).toEqual([["add", { order: "bless", hex: "G5" }, undefined]]);
  });

  test("a mouse is not", () => {
    const { hand } = table();
    hand.choose("G5");
    expect(hand.question).toBeNull();
  });
});

describe("the hand", () => {
  test("lets go of the question, then of the hex, then of nothing", () => {
    const { hand, at } = table();
    hand.choose("G5");
    hand.choose("H4");
    expect([hand.cancel(), at.selected, hand.cancel(), at.selected, hand.cancel()]).toEqual([true, "G5", true, null, false]);
  });

  test("of the keyboard starts at your base, or in the middle", () => {
    expect(table().hand.here).toBe("G5");
    const watching = room<Setting, View, Order>({ setting, view, you: null, orders: null });
    expect(new Hand(watching.props, () => false).here).toBe("I5");
  });

  test("blesses only where it is lawful, and takes back what is ordered", () => {
    const { hand, orders } = table({ lines: [line(5, march("G5", "H4", 2))] });
    hand.bless("I5");
    hand.takeBack("G5");
    expect(orders.done).toEqual([["strike", 5]]);
  });

  test("writes a note only if it has changed", () => {
    const { hand, at } = table();
    at.set({ notes: { G5: "trap" } });
    hand.write("G5");
    expect(hand.writing).toBe("G5");
    hand.written("G5", "trap");
    hand.written("G5", null);
    expect(at.props().note).not.toHaveBeenCalled();
    hand.written("G5", "");
    expect(at.props().note).toHaveBeenCalledWith("G5", "");
    expect(hand.writing).toBeNull();
  });
});
