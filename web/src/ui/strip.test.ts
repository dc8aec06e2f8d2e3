import { describe, expect, test } from "vitest";
import { frame } from "../testing/make";
import { chart, labels, lead, share, spread, valued } from "./strip";

const frames = (...values: (Record<string, number> | undefined)[]) =>
  values.map((gold) => (gold === undefined ? undefined : frame({ figures: { gold } })));

/** The points of a path, each with the letter before it. */
const points = (path: string): string[] => path.match(/[A-Z][^A-Z]*/g) ?? [];

describe("a chart", () => {
  test("runs from left to right over all turns, nought at the bottom and the highest at the top", () => {
    const { curves, low, high, zero } = chart(frames({ red: 0 }, { red: 10 }, { red: 5 }), 3, 2, "gold");
    expect([low, high]).toEqual([0, 10]);
    expect(curves).toEqual([{ seat: "red", path: "M0 96L500 4L1000 50" }]);
    expect(zero).toBe(96);
  });

  test("goes below nought where values do", () => {
    const { low, high, zero } = chart(frames({ red: -10 }, { red: 10 }), 2, 1, "gold");
    expect([low, high, zero]).toEqual([-10, 10, 50]);
  });

  test("breaks where a seat has no value", () => {
    const { curves } = chart(frames({ red: 0, blue: 1 }, { blue: 1 }, { red: 0, blue: 1 }), 3, 2, "gold");
    expect(points(curves[0]!.path).map((point) => point[0])).toEqual(["M", "M"]);
    expect(points(curves[1]!.path).map((point) => point[0])).toEqual(["M", "L", "L"]);
  });

  test("of nothing is empty", () => {
    expect(chart([], 0, 0, "gold")).toEqual({ curves: [], low: 0, high: 1, zero: 96 });
    expect(chart(frames(undefined, {}), 2, 1, "gold").curves).toEqual([]);
    expect(chart(frames({ red: 1 }), 1, 0, "iron").curves).toEqual([]);
  });

  test("of a long game has few points, the last one among them", () => {
    const long = Array.from({ length: 5000 }, (_, i) => frame({ figures: { gold: { red: i } } }));
    const [curve] = chart(long, 5000, 4999, "gold").curves;
    const all = points(curve!.path);
    expect(all.length).toBeLessThanOrEqual(701);
    expect(all.at(-1)).toBe("L1000 4");
  });
});

describe("labels beside a chart", () => {
  const of = { curves: [], low: 0, high: 100, zero: 96 };

  test("stand at their values where there is room", () => {
    expect(labels({ red: 100, blue: 50 }, of, 10)).toEqual([
      { seat: "red", value: 100, y: 5 }, // 4, but half a step below the edge
      { seat: "blue", value: 50, y: 50 },
    ]);
  });

  test("never stand one upon the other", () => {
    const made = labels({ red: 50, blue: 50, green: 49 }, of, 10);
    expect(made.map(({ seat }) => seat)).toEqual(["blue", "red", "green"]);
    const ys = made.map(({ y }) => y);
    expect(ys[1]! - ys[0]!).toBeGreaterThanOrEqual(10);
    expect(ys[2]! - ys[1]!).toBeGreaterThanOrEqual(10);
  });

  test("are pushed up from the bottom edge", () => {
    const ys = labels({ red: 0, blue: 0, green: 0 }, of, 10).map(({ y }) => y);
    expect(ys).toEqual([75, 85, 95]);
  });
});

describe("a lead", () => {
  test("is drawn on the side of the one who has it, as large as the largest allows", () => {
    const [red, blue] = lead(frames({ red: 4, blue: 2 }, { red: 1, blue: 5 }), 2, 1, "gold", ["red", "blue"]);
    // Red leads by 2 of at most 4: half of 44 above the middle. Then blue by 4: all of 44 below it.
    expect(red).toEqual({ seat: "red", path: "M0 50L0 28L1000 50V50z" });
    expect(blue).toEqual({ seat: "blue", path: "M0 50L0 50L1000 94V50z" });
  });

  test("of nothing is empty", () => {
    expect(lead([], 0, 0, "gold", ["red", "blue"]).map(({ path }) => path)).toEqual(["", ""]);
  });
});

describe("shares", () => {
  test("lie one upon the other and fill the box", () => {
    const [red, blue] = share(frames({ red: 1, blue: 3 }, { red: 2, blue: 2 }), 2, 1, "gold", ["red", "blue"]);
    expect(red!.path).toBe("M0 75L1000 50L1000 100L0 100z");
    expect(blue!.path).toBe("M0 0L1000 0L1000 50L0 75z");
  });

  test("of a turn in which nobody has anything are nothing, and no error", () => {
    const [red] = share(frames({ red: 0, blue: 0 }), 1, 0, "gold", ["red", "blue"]);
    expect(red!.path).toBe("M0 100L0 100z");
  });

  test("of nothing are empty", () => {
    expect(share([], 0, 0, "gold", ["red"]).map(({ path }) => path)).toEqual([""]);
  });
});

describe("a value", () => {
  const known = [
    { step: 0, values: { red: 0.5 }, margins: { red: 0.1 } },
    { step: 4, values: { red: 1 }, margins: { red: 0 } },
  ];
  test("is a line with a band that stays inside the box", () => {
    const { line, band } = valued(known, 4, "red");
    expect(line).toBe("M0 50L1000 4");
    expect(band).toBe("M0 40.8L1000 4L1000 4L0 59.2z");
  });
  test("fills the side of whoever is ahead", () => {
    const { above, below } = valued(known, 4, "red");
    expect(above).toBe("M0 50L0 50L1000 4V50z");
    expect(below).toBe("M0 50L0 50L1000 50V50z");
  });
  test("of nothing is empty", () => {
    expect(valued([], 4, "red")).toEqual({ line: "", band: "", above: "", below: "" });
  });
});

describe("marks beside each other", () => {
  test("keep their places where there is room", () => expect(spread([50, 150], 26, 1000)).toEqual([50, 150]));
  test("move apart, and stay inside", () => {
    expect(spread([0, 5], 26, 1000)).toEqual([13, 39]);
    expect(spread([995, 1000], 26, 1000)).toEqual([961, 987]);
  });
});
