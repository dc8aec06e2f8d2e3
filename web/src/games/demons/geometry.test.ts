import { describe, expect, test } from "vitest";
import {
  area,
  bars,
  fit,
  frameOf,
  Grid,
  groundOf,
  hatching,
  healthBar,
  landOf,
  outline,
  placeName,
  placeOf,
  ring,
  seams,
  step,
  T,
  translate,
} from "./geometry";

// Red land, an abyss, a lane, blue land; below a lane, an abyss, two tiles of blue.
const ROWS = ["r.ob", "o.bb"];
const ground = groundOf(ROWS);
const grid = new Grid(ground.columns, ground.rows, false);
const turned = new Grid(ground.columns, ground.rows, true);
const names = (tiles: readonly { x: number; y: number }[]): string[] => tiles.map(({ x, y }) => placeName(x, y));

describe("the ground of a map", () => {
  test("is its tiles without the abyss, separated by owner", () => {
    expect([ground.columns, ground.rows, ground.tiles.size]).toEqual([4, 2, 6]);
    expect(names(ground.lanes)).toEqual(["2,0", "0,1"]);
    expect(names(ground.land["red"]!)).toEqual(["0,0"]);
    expect(names(ground.land["blue"]!)).toEqual(["3,0", "2,1", "3,1"]);
    expect(["0,0", "2,0", "3,1"].map((place) => landOf(ground.tiles.get(place)!))).toEqual(["red", null, "blue"]);
  });

  test("of nothing is one empty tile wide, and no error", () => {
    expect(groundOf([])).toMatchObject({ columns: 1, rows: 1 });
    expect(frameOf(groundOf([]), true).every(Number.isFinite)).toBe(true);
  });
});

test("places are written by column and row, and read back", () => {
  expect(placeOf(placeName(12, 3))).toEqual([12, 3]);
});

describe("a grid", () => {
  test("counts columns to the right and rows down", () => {
    expect(grid.corner(2, 1)).toEqual([2 * T, T]);
    expect(grid.middle(0, 0)).toEqual([T / 2, T / 2]);
  });

  test("that is turned stands on its head", () => {
    expect(turned.corner(0, 0)).toEqual([3 * T, T]);
    expect(turned.corner(3, 1)).toEqual([0, 0]);
    expect(turned.middle(0, 0)).toEqual([3.5 * T, 1.5 * T]);
    expect(turned.seen([1, 0])).toEqual([-1, 0]);
    expect(turned.seen([0, -1])).toEqual([0, 1]);
  });
});

describe("paths", () => {
  const blue = ground.land["blue"]!;
  const loops = (path: string): string[] => path.split("z").filter(Boolean);
  /** The length of all sides of a path of lines, in tiles. */
  const length = (path: string): number =>
    loops(path).reduce((sum, loop) => {
      const points = (loop.match(/-?[\d.]+ -?[\d.]+/g) ?? []).map((pair) => pair.split(" ").map(Number));
      return sum + points.reduce((way, [x, y], i) => way + Math.hypot(x! - points.at(i - 1)![0]!, y! - points.at(i - 1)![1]!) / T, 0);
    }, 0);

  test("an area is a square for every tile", () => {
    expect(area(grid, [{ x: 1, y: 0 }])).toBe(`M${T} 0h${T}v${T}h${-T}z`);
    expect(loops(area(grid, blue))).toHaveLength(3);
  });

  test("an outline goes around connected tiles once, and around others by themselves", () => {
    expect(loops(outline(grid, blue))).toHaveLength(1);
    expect(length(outline(grid, blue))).toBeCloseTo(8, 6); // an L of three tiles
    expect(loops(outline(grid, ground.lanes))).toHaveLength(2);
    expect(length(outline(turned, blue))).toBeCloseTo(8, 6);
    expect(outline(grid, [])).toBe("");
  });

  test("an outline goes around a hole too", () => {
    const frame = [0, 1, 2].flatMap((y) => [0, 1, 2].flatMap((x) => (x === 1 && y === 1 ? [] : [{ x, y }])));
    expect(loops(outline(grid, frame))).toHaveLength(2);
    expect(length(outline(grid, frame))).toBeCloseTo(12 + 4, 6);
  });

  test("seams lie between neighbours", () => {
    expect(seams(grid, blue).match(/M/g)).toHaveLength(2);
    expect(seams(grid, ground.lanes)).toBe("");
  });

  test("red land is hatched upright and blue land level, four lines to a tile", () => {
    expect(hatching(grid, ground.land["red"]!, "red").match(/v/g)).toHaveLength(4);
    expect(hatching(grid, ground.land["red"]!, "red")).not.toContain("h");
    expect(hatching(grid, blue, "blue").match(/h/g)).toHaveLength(12);
  });

  test("numbers are short", () => {
    expect(translate([1.23456, 2])).toBe("translate(1.23 2)");
  });
});

describe("meters", () => {
  test("bars are as many as have come, of equal length and within the row", () => {
    const made = bars([0, 0], 2, 4, false);
    expect(made.match(/M/g)).toHaveLength(2);
    const full = bars([0, 0], 4, 4, false).match(/M(-?[\d.]+) [\d.]+h([\d.]+)/g)!;
    const [x, wide] = full.at(-1)!.slice(1).split(/ [\d.]+h/).map(Number); // prettier-ignore
    expect(x! + wide!).toBeCloseTo(0.34 * T, 1);
  });

  test("a long row is one bar that fills", () => {
    expect(bars([0, 0], 5, 10, false).match(/M/g)).toHaveLength(1);
    expect(bars([0, 0], 5, 10, false)).toMatch(new RegExp(`h${(0.34 * T).toFixed(2)}$`));
    expect(bars([0, 0], 99, 10, true)).toBe(bars([0, 0], 10, 10, true));
    expect(bars([0, 0], 0, 10, true)).toBe("");
  });

  test("health fills its part of the bar, and never more than all", () => {
    const { all, left } = healthBar(0.5, 0);
    const long = (path: string): number => Number(path.split("h")[1]);
    expect(long(left)).toBeCloseTo(long(all) / 2, 1);
    expect(healthBar(3, 0).left).toBe(healthBar(3, 0).all);
    expect(long(healthBar(0, 0).left)).toBe(0);
    expect(long(healthBar(1, 10 * T).all)).toBe(0); // no room beside the figures
  });

  test("a ring fills clockwise from the top", () => {
    expect(ring(10, 0)).toBe("");
    expect(ring(10, 0.25)).toBe("M0 -10A10 10 0 0 1 10 0");
    expect(ring(10, 0.75)).toBe("M0 -10A10 10 0 1 1 -10 0");
    expect(ring(10, 1)).toMatch(/a.*a/);
  });
});

test("figures stay legible on small tiles", () => {
  expect(fit(1).health).toBeCloseTo(0.2 * T, 6);
  expect(fit(0.6).health * 0.6).toBeCloseTo(9, 6);
  expect([fit(1), fit(0.5), fit(0.4)].map(({ tight, tiny }) => [tight, tiny])).toEqual([
    [false, false],
    [true, false],
    [true, true],
  ]);
});

describe("arrow keys", () => {
  test("lead to the next tile, over the abyss", () => {
    expect(step(ground, grid, "0,0", "right")).toBe("2,0");
    expect(step(ground, grid, "0,0", "down")).toBe("0,1");
    expect(step(ground, grid, "0,0", "left")).toBe("0,0");
  });

  test("lead as it is seen on a turned board", () => {
    expect(step(ground, turned, "2,0", "right")).toBe("0,0");
    expect(step(ground, turned, "0,0", "up")).toBe("0,1");
  });
});
