import { describe, expect, test } from "vitest";
import { arrow, borders, corners, fit, fixed, hatching, middle, placeOf, polygon, S, step, strokes, type Place } from "./geometry";

// The board of the book (1.1, 1.2): rows 1 to 9 from below; letters count half hexes, so that neighbours in a row are two letters apart.
const places = ["I5", "G5", "K5", "H4", "J4", "H6", "J6"].map(placeOf);
const board = new Map(places.map((place) => [place.name, place]));

describe("a place", () => {
  test("lies where its letter and its digit say", () => {
    expect(placeOf("I5")).toEqual({ name: "I5", x: 0, y: 0 });
    expect(placeOf("G5")).toMatchObject({ x: -2, y: 0 });
    expect(placeOf("J6")).toMatchObject({ x: 1, y: 1 });
  });

  test("has its six neighbours at one distance, and higher rows above", () => {
    const [cx, cy] = middle(placeOf("I5"));
    for (const name of ["G5", "K5", "H4", "J4", "H6", "J6"]) {
      const [x, y] = middle(placeOf(name));
      expect(Math.hypot(x - cx, y - cy)).toBeCloseTo(Math.sqrt(3) * S, 6);
    }
    expect(middle(placeOf("H6"))[1]).toBeLessThan(cy);
  });

  test("of a turned board lies on the other side", () => {
    const [x, y] = middle(placeOf("J6"));
    expect(middle(placeOf("J6"), true)).toEqual([-x, -y]);
  });

  test("has six corners, all at the radius", () => {
    const rim = corners([10, 20]);
    expect(rim).toHaveLength(6);
    for (const [x, y] of rim) expect(Math.hypot(x - 10, y - 20)).toBeCloseTo(S, 6);
    for (const [x, y] of corners([10, 20], 0.5)) expect(Math.hypot(x - 10, y - 20)).toBeCloseTo(S / 2, 6);
  });
});

test("neighbours share the two corners of their border", () => {
  const near = ([ax, ay]: readonly number[], [bx, by]: readonly number[]) => Math.hypot(ax! - bx!, ay! - by!) < 1e-6;
  const mine = corners(middle(placeOf("I5")));
  const theirs = corners(middle(placeOf("K5")));
  expect(mine.filter((a) => theirs.some((b) => near(a, b)))).toHaveLength(2);
});

describe("borders", () => {
  const look =
    (seen: string[], owners: Record<string, string> = {}) =>
    (name: string) => ({ seen: seen.includes(name), owner: owners[name] ?? null });
  const two = [placeOf("I5"), placeOf("K5")];
  const counts = (found: ReturnType<typeof borders>) => [found.inner.length, found.front.length, found.edge.length, found.fog.length];

  test("are drawn once each: two hexes have eleven", () => {
    for (const turned of [false, true]) expect(counts(borders(two, look(["I5", "K5"]), turned)).reduce((sum, n) => sum + n)).toBe(11);
  });

  test("part one land, two owners, sight from fog, and fog from fog", () => {
    expect(counts(borders(two, look(["I5", "K5"], { I5: "red", K5: "red" })))).toEqual([1, 0, 10, 0]);
    expect(counts(borders(two, look(["I5", "K5"], { I5: "red" })))).toEqual([0, 1, 10, 0]);
    expect(counts(borders(two, look(["I5"])))).toEqual([0, 0, 6, 5]);
    expect(counts(borders(two, look([])))).toEqual([0, 0, 0, 11]);
  });
});

describe("hatching", () => {
  const square = [[0, 0], [100, 0], [100, 100], [0, 100]] as const; // prettier-ignore

  test("of red is upright and of blue level, from rim to rim, and never on the rim", () => {
    const red = hatching("red", square, 25);
    expect(red.map(([a, b]) => [a[0], b[0]])).toEqual([[75, 75], [50, 50], [25, 25]]); // prettier-ignore
    for (const [a, b] of red) expect(Math.abs(a[1] - b[1])).toBeCloseTo(100, 6);
    expect(hatching("blue", square, 25).map(([a, b]) => [a[1], b[1]])).toEqual([[25, 25], [50, 50], [75, 75]]); // prettier-ignore
  });

  test("runs on from hex to hex: its phase is one for the whole picture", () => {
    const shifted = square.map(([x, y]) => [x + 10, y] as const);
    expect(hatching("red", shifted, 25).map(([a]) => a[0])).toEqual([100, 75, 50, 25]);
  });

  test("of yellow is points within the outline", () => {
    const dots = hatching("yellow", square, 20);
    expect(dots.length).toBeGreaterThan(4);
    for (const [[x, y]] of dots) {
      expect(x).toBeGreaterThan(0);
      expect(x).toBeLessThan(100);
      expect(y).toBeGreaterThan(0);
      expect(y).toBeLessThan(100);
    }
  });

  test("of nobody is nothing", () => {
    expect(hatching(null, square)).toEqual([]);
  });
});

describe("an arrow", () => {
  test("runs from army to army, with its number half way and its head before the target", () => {
    const { shaft, head, disc } = arrow([0, 0], [100, 0]);
    expect(shaft).toBe(strokes([[[0.44 * S, 0], [100 - 0.57 * S, 0]]])); // prettier-ignore
    expect(head.split(" ")).toHaveLength(3);
    expect(disc[0]).toBeCloseTo((0.44 * S + 100 - 0.57 * S) / 2, 6);
    expect(disc[1]).toBeCloseTo(0, 6);
  });

  test("is moved to its right, so that two that meet do not lie one upon the other", () => {
    expect(arrow([0, 0], [100, 0], 10).disc[1]).toBeCloseTo(10, 6);
    expect(arrow([100, 0], [0, 0], 10).disc[1]).toBeCloseTo(-10, 6);
  });
});

describe("an arrow key", () => {
  const go = (from: string, heading: "left" | "right" | "up" | "down", of = {}) => step(board, from, heading, of);

  test("leads to the neighbour in the row", () => {
    expect(go("I5", "left")).toBe("G5");
    expect(go("I5", "right")).toBe("K5");
    expect(go("G5", "left")).toBeNull();
  });

  test("up and down has two, of which Shift means the other", () => {
    const [near, other] = [go("I5", "up"), go("I5", "up", { other: true })];
    expect([near, other].sort()).toEqual(["H6", "J6"]);
    expect([go("I5", "down"), go("I5", "down", { other: true })].sort()).toEqual(["H4", "J4"]);
  });

  test("zigzags straight on", () => {
    expect(go("I5", "up", { drift: 1 })).toBe("H6");
    expect(go("I5", "up", { drift: -1 })).toBe("J6");
  });

  test("takes the only one there is", () => {
    expect(step(new Map([placeOf("I5"), placeOf("H6")].map((place): [string, Place] => [place.name, place])), "I5", "up")).toBe("H6");
  });

  test("is what is seen on a turned board", () => {
    expect(go("I5", "left", { turned: true })).toBe("K5");
    expect(["H4", "J4"]).toContain(go("I5", "up", { turned: true }));
  });

  test("leads nowhere from a place that is not there", () => {
    expect(go("A1", "up")).toBeNull();
  });
});

test("names stay legible when the board is small, and no larger than there is room", () => {
  expect(fit(1).name).toBeCloseTo(0.23 * S, 6);
  expect(fit(0.5).name * 0.5).toBeCloseTo(9, 6); // nine pixels
  expect(fit(0.1).name).toBeCloseTo(0.39 * S, 6);
  expect([fit(1).tight, fit(0.5).tight]).toEqual([false, true]);
});

test("numbers in paths have two decimals at most", () => {
  expect([fixed(1.23456), fixed(2), fixed(-0.001)]).toEqual(["1.23", "2", "0"]);
  expect(polygon([[1, 2], [3.001, 4]])).toBe("1,2 3,4"); // prettier-ignore
});
