import { describe, expect, test } from "vitest";
import { fault, line, option, orders as sheetOf } from "../../testing/make";
import { blessings, chanceOf, choices, linesAt, marches, mayBless, bless, send, takeBack, waysFrom, type Way } from "./sheet";
import { complete } from "./typed";
import type { Bless, March, Order } from "./wire";

const march = (from: string, to: string, number: number): March => ({ order: "march", from, to, number });
const blessing = (hex: string): Bless => ({ order: "bless", hex });
const may = (from: string, to: string, most: number, figures = {}) => option({ order: "march", from, to }, { least: 1, most, figures });
const orders = (of: Parameters<typeof sheetOf<Order>>[0] = {}) => sheetOf<Order>(of);

describe("the ways from a hex", () => {
  test("are those that the server lists, with what it says of them", () => {
    const ways = waysFrom(orders({ options: [may("G5", "H4", 3, { holds: 2 }), may("F4", "H4", 1)] }), "G5", 3);
    expect([...ways.values()]).toEqual([{ from: "G5", to: "H4", most: 3, line: null, figures: { holds: 2 } }]);
  });

  test("can take what the line there sends already, and what is left", () => {
    const lines = [line(1, march("G5", "H4", 2), { figures: { holds: 1 } })];
    const way = waysFrom(orders({ lines, options: [may("G5", "H4", 1)] }), "G5", 1).get("H4")!;
    expect([way.most, way.line?.key, way.figures]).toEqual([3, 1, { holds: 1 }]);
  });

  test("are there for a line also when nothing is left", () => {
    const way = waysFrom(orders({ lines: [line(1, march("G5", "H4", 2))] }), "G5", 0).get("H4")!;
    expect(way.most).toBe(2);
  });

  test("do not count what a refused line asked for", () => {
    const lines = [line(1, march("G5", "H4", 9), { fault: fault() })];
    expect(waysFrom(orders({ lines, options: [may("G5", "H4", 3)] }), "G5", 3).get("H4")).toMatchObject({ most: 3, line: { key: 1 } });
    expect(waysFrom(orders({ lines }), "G5", 3).size).toBe(0);
  });

  test("offer no more than is free while the server has not judged yet", () => {
    const options = [may("G5", "H4", 3), may("G5", "F4", 3)];
    expect(waysFrom(orders({ options, pending: true }), "G5", 1).get("F4")!.most).toBe(1);
    expect(waysFrom(orders({ options, pending: true }), "G5", 0).size).toBe(0);
  });

  test("are none for who may not order", () => {
    expect(waysFrom(null, "G5", 3).size).toBe(0);
    expect(waysFrom(orders({ open: false, options: [may("G5", "H4", 3)] }), "G5", 3).size).toBe(0);
  });
});

describe("sending", () => {
  const way: Way = { from: "G5", to: "H4", most: 3, line: null, figures: { holds: 2 } };

  test("writes a line, or changes the one that stands there", () => {
    const sheet = orders();
    send(sheet, way, 2);
    send(sheet, { ...way, line: line(7, march("G5", "H4", 1)) as Way["line"] }, 2);
    expect(sheet.done).toEqual([
      ["add", march("G5", "H4", 2), { holds: 2 }],
      ["change", 7, march("G5", "H4", 2), { holds: 2 }],
    ]);
  });

  test("offers every number, or the small ones and the largest; nought to take a line back", () => {
    expect(choices({ ...way, most: 3 })).toEqual([1, 2, 3]);
    expect(choices({ ...way, most: 12 })).toHaveLength(12);
    expect(choices({ ...way, most: 40 })).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 40]);
    expect(choices({ ...way, most: 1, line: line(1, march("G5", "H4", 1)) as Way["line"] })).toEqual([0, 1]);
    expect(choices({ ...way, most: 0 })).toEqual([]);
  });

  test("has the chance of its number", () => {
    const chances = [[3, 0], [28, 3]] as const; // prettier-ignore
    expect(chanceOf({ chances }, 2)).toEqual([28, 3]);
    expect(chanceOf({ chances }, 3)).toBeNull();
    expect(chanceOf({}, 1)).toBeNull();
  });
});

describe("a blessing", () => {
  test("is one a turn: another moves it", () => {
    const sheet = orders({ lines: [line(4, blessing("I7"))] });
    expect([mayBless(sheet, "I7"), mayBless(sheet, "G5")]).toEqual([false, true]);
    bless(sheet, "G5");
    expect(sheet.done).toEqual([["change", 4, blessing("G5"), undefined]]);
  });

  test("is given where the server lists it", () => {
    const sheet = orders({ options: [option(blessing("I7"))] });
    expect([mayBless(sheet, "I7"), mayBless(sheet, "G5"), mayBless(null, "I7")]).toEqual([true, false, false]);
    bless(sheet, "I7");
    expect(sheet.done).toEqual([["add", blessing("I7"), undefined]]);
  });
});

describe("taking back at a hex", () => {
  const lines = [
    line(1, march("G5", "H4", 1)),
    line(2, march("F4", "G5", 1)),
    line(3, blessing("G5")),
    line<Order>(4, null, { text: "what?" }),
  ];

  test("strikes what starts there and blesses it, as one step; what others send there stays", () => {
    expect(linesAt(lines, "G5").map(({ key }) => key)).toEqual([1, 3]);
    const sheet = orders({ lines });
    expect(takeBack(sheet, "G5")).toBe(true);
    expect(sheet.done).toEqual([["set", [march("F4", "G5", 1), "what?"]]]);
  });

  test("strikes a single line as such", () => {
    const sheet = orders({ lines });
    takeBack(sheet, "F4");
    expect(sheet.done).toEqual([["strike", 2]]);
  });

  test("does nothing where nothing is ordered", () => {
    const sheet = orders({ lines });
    expect([takeBack(sheet, "A1"), sheet.done]).toEqual([false, []]);
  });
});

test("lines are sorted by what they order", () => {
  const lines = [line<Order>(1, march("G5", "H4", 1)), line<Order>(2, blessing("I7")), line<Order>(3, null)];
  expect(marches(lines).map(({ key }) => key)).toEqual([1]);
  expect(blessings(lines).map(({ key }) => key)).toEqual([2]);
});

describe("a typed line is completed", () => {
  const options = [may("G5", "H4", 3), may("G5", "F4", 2), may("I7", "H6", 1), option(blessing("I7")), option(blessing("G5"))];

  test("by every march that begins so, with the largest number first", () => {
    expect(complete("g5", options)).toEqual(["g5 h4 3", "g5 f4 2"]);
    expect(complete("g5 h", options)).toEqual(["g5 h4 3"]);
  });

  test("by every number once both hexes stand there", () => {
    expect(complete("g5 h4", options)).toEqual(["g5 h4 3", "g5 h4 2", "g5 h4 1"]);
    expect(complete("g5 h4 2", options)).toEqual([]); // it is complete
  });

  test("in the letters and signs of the writer", () => {
    expect(complete("G5-H", options)).toEqual(["G5-H4 3"]);
    expect(complete("g5 -> h", options)).toEqual(["g5 -> h4 3"]);
    expect(complete("g5,h4,", options)).toEqual(["g5,h4,3", "g5,h4,2", "g5,h4,1"]);
  });

  test("by blessings, by either word", () => {
    expect(complete("ble", options)).toEqual(["bless i7", "bless g5"]);
    expect(complete("bless g", options)).toEqual(["bless g5"]);
    expect(complete("Boost: I", options)).toEqual(["Boost: I7"]);
  });

  test("by nothing where nothing fits", () => {
    for (const typed of ["z9", "g5 k9", "hello", "g5 h4 9", "g5 h4 2 3", "."]) expect(complete(typed, options)).toEqual([]);
  });

  test("by eight at most", () => {
    const many = Array.from("ABCDEFGHI", (letter) => may("G5", `${letter}1`, 1));
    expect(complete("g", many)).toHaveLength(8);
  });
});
