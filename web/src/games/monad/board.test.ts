// @vitest-environment happy-dom
// Geometry, positions, pieces, orders and flows of Monad.

import { describe, expect, test } from "vitest";
import type { Moment } from "../../lib/scene";
import { fault, frame, line, option, orders as sheetOf } from "../../testing/make";
import { flowsOf, plansOf, touches, trafficAt } from "./flows";
import {
  around,
  beside,
  directionTo,
  fitted,
  heightAt,
  headingOf,
  nameOf,
  pips,
  placeOf,
  radius,
  rectangle,
  RULER,
  sand,
  short,
  tileAt,
  tileOf,
  way,
} from "./geometry";
import { pieces, scenery } from "./pieces";
import { BLOCKED, blockOf, control, holdingOf, isCore, NOBODY, positionOf } from "./position";
import { deedOf, give, Notebook, orderFor, Standing, takeBack, wishes } from "./sheet";
import { part } from "./shows.svelte";
import { complete } from "./typed";
import type { Event, Order, Setting, View } from "./wire";

const grid = { width: 5, height: 4 };
const at = (x: number, y: number): number => tileAt(grid, x, y);

const setting = (of: Partial<Setting> = {}): Setting => ({
  name: "",
  symmetry: "",
  rated: true,
  ...grid,
  seats: ["red", "blue"],
  starts: {},
  ore: Array.from({ length: 4 }, () => [10, 20, 30, 40, 50]),
  turns: 100,
  slots: 5,
  base: 0,
  unit_cost: 5,
  cost: 100,
  defence: 10,
  units: 1,
  stock: 100,
  survival: 0,
  ...of,
});
const view = (of: Partial<View> = {}): View => ({
  who: "",
  turn: 1,
  turns: 100,
  stacks: [],
  buildings: [],
  ore: [],
  stock: {},
  units: {},
  built: [],
  alone: null,
  out: {},
  forfeited: {},
  outcome: null,
  ...of,
});
const stack = (x: number, y: number, owner: string, units = 1) => ({ x, y, owner, units });
const building = (x: number, y: number, owner: string, direction: string) => ({ x, y, owner, direction, points: 0 });

describe("tiles", () => {
  test("are counted row by row, and called by column and row", () => {
    expect([at(0, 0), at(4, 0), at(0, 1), at(4, 3)]).toEqual([0, 4, 5, 19]);
    expect([placeOf(grid, 7), nameOf(grid, 7), tileOf(grid, "2,1")]).toEqual([[2, 1], "2,1", 7]);
  });

  test("that are not on the board have no name", () => {
    for (const name of ["5,0", "0,4", "-1,0", "1.5,0", "a,b", "", "3"]) expect(tileOf(grid, name)).toBeNull();
  });

  test("have neighbours, but not over the edge", () => {
    expect(["up", "right", "down", "left"].map((direction) => beside(grid, at(2, 1), direction))).toEqual([
      at(2, 0),
      at(3, 1),
      at(2, 2),
      at(1, 1),
    ]);
    expect([beside(grid, at(4, 1), "right"), beside(grid, at(0, 1), "left"), beside(grid, at(0, 0), "up")]).toEqual([null, null, null]);
    expect(directionTo(grid, at(2, 1), at(2, 2))).toBe("down");
    expect(directionTo(grid, at(4, 0), at(0, 1))).toBeNull(); // next in the count, not on the board
  });

  test("are dragged in the direction of the longer way", () => {
    expect([headingOf(grid, at(1, 1), at(4, 2)), headingOf(grid, at(1, 1), at(0, 3)), headingOf(grid, at(1, 1), at(1, 1))]).toEqual([
      "right",
      "down",
      null,
    ]);
  });

  test("are taken by rectangles, from whichever corner", () => {
    const wanted = [at(1, 1), at(2, 1), at(1, 2), at(2, 2)];
    expect(rectangle(grid, at(1, 1), at(2, 2))).toEqual(wanted);
    expect(rectangle(grid, at(2, 1), at(1, 2))).toEqual(wanted);
    expect(rectangle(grid, at(3, 3), at(3, 3))).toEqual([at(3, 3)]);
  });

  test("on a quick stroke leave no gaps", () => {
    const tiles = way(grid, at(0, 0), at(4, 2));
    expect([tiles[0], tiles.at(-1)]).toEqual([at(0, 0), at(4, 2)]);
    tiles.slice(1).forEach((tile, i) => {
      const [[ax, ay], [bx, by]] = [placeOf(grid, tiles[i]!), placeOf(grid, tile)];
      expect(Math.max(Math.abs(ax - bx), Math.abs(ay - by))).toBe(1);
    });
  });
});

describe("sizes", () => {
  test("of tiles are whole pixels, and the board stands in the middle", () => {
    const { side, left } = fitted(grid, 500, 500);
    expect(side).toBe(Math.floor((500 - RULER[0] - 5) / 5));
    expect(left - RULER[0]).toBeCloseTo(500 - 5 - left - 5 * side, 6);
    expect(fitted(grid, 0, 0).side).toBe(2);
  });

  test("of a board that fills a width leave no band above or below it", () => {
    const [wide, high] = [400, heightAt(grid, 400)];
    const { side, top } = fitted(grid, wide, high);
    expect(side).toBe(fitted(grid, wide, 4000).side);
    expect(top).toBe(RULER[1]);
    expect(high).toBe(top + side * grid.height + 5);
  });

  test("of pieces grow with their units, up to their tile", () => {
    const sizes = [1, 10, 100, 1000].map((units) => radius(units, true));
    expect(sizes).toEqual(sizes.toSorted((a, b) => a - b));
    expect(radius(0, true)).toBe(radius(1, true));
    expect([radius(1e12, true), radius(1e12, false)]).toEqual([0.4, 0.4]);
  });

  test("numbers have four signs at most, and never say more than there is", () => {
    expect([0, 999, 1000, 1999, 9999, 10_000, 999_999].map(short)).toEqual(["0", "999", "1.0k", "1.9k", "9.9k", "10k", "999k"]);
    expect([1e6, 12_345_678, 1e9, 2.5e9].map(short)).toEqual(["1.0m", "12m", "1.0g", "2.5g"]);
  });

  test("of sand go in steps of ten, pips in fifths with one for any point", () => {
    expect([-1, 0, 9, 10, 49, 1000].map(sand)).toEqual([0, 0, 0, 1, 4, 4]);
    expect([0, 1, 4, 5, 9].map((points) => pips(points, 10))).toEqual([0, 1, 2, 2, 4]);
    expect([pips(10, 10), pips(3, 0)]).toEqual([5, 5]);
  });
});

test("the border goes around a set of tiles, not through it", () => {
  expect(around(grid, [at(1, 1), at(2, 1)]).match(/M/g)).toHaveLength(6);
  expect(around(grid, [at(0, 0)])).toBe("M0 0h1M0 1h1M0 0v1M1 0v1");
  expect(around(grid, [])).toBe("");
});

describe("a position", () => {
  test("has what stands and lies on each tile", () => {
    const blocked = setting({ ore: [[BLOCKED, 20, 30, 40, 50], ...setting().ore.slice(1)] });
    const found = positionOf(blocked, view({ stacks: [stack(2, 1, "red", 7)], ore: [{ x: 1, y: 1, left: 3 }] }));
    expect(found.stacks[at(2, 1)]?.units).toBe(7);
    expect([found.ore[at(0, 0)], found.ore[at(1, 0)], found.ore[at(1, 1)]]).toEqual([BLOCKED, 20, 3]);
  });

  test("of the start is not changed by a later one", () => {
    const one = setting();
    positionOf(one, view({ ore: [{ x: 1, y: 1, left: 3 }] }));
    expect(positionOf(one, view()).ore[at(1, 1)]).toBe(20);
  });

  test("is made once for a view", () => {
    const [one, now] = [setting(), view()];
    expect(positionOf(one, now)).toBe(positionOf(one, now));
  });

  test("a building covers four tiles, by its direction, its core first (5.2)", () => {
    expect(blockOf(grid, { x: 1, y: 1, direction: "right" })).toEqual([at(1, 1), at(2, 1), at(1, 2), at(2, 2)]);
    expect(blockOf(grid, { x: 1, y: 1, direction: "left" })).toEqual([at(1, 1), at(0, 1), at(1, 0), at(0, 0)]);
    const hut = building(1, 1, "red", "up");
    const { cover } = positionOf(setting(), view({ buildings: [hut] }));
    expect([at(1, 1), at(2, 1), at(1, 0), at(2, 0)].every((tile) => cover[tile] === hut)).toBe(true);
    expect([isCore(grid, hut, at(1, 1)), isCore(grid, hut, at(2, 1)), isCore(grid, undefined, 0)]).toEqual([true, false, false]);
  });

  test("holdings are units, tiles, buildings and stock", () => {
    const now = view({
      stacks: [stack(0, 0, "red"), stack(1, 0, "red"), stack(4, 3, "blue")],
      buildings: [building(2, 2, "red", "up")],
      units: { red: 9 },
      stock: { red: 40 },
    });
    expect(holdingOf(now, "red")).toEqual({ units: 9, tiles: 2, buildings: 1, stock: 40 });
    expect(holdingOf(now, "blue")).toEqual({ units: 0, tiles: 1, buildings: 0, stock: 0 });
  });
});

describe("control", () => {
  const wide = setting({ width: 9, height: 1, ore: [Array.from({ length: 9 }, () => 0)] });
  const owners = (stacks: View["stacks"], of = wide): number[] => [...control(positionOf(of, view({ stacks })))];

  test("is of who is nearest, within three steps", () => {
    expect(owners([stack(0, 0, "red")])).toEqual([0, 0, 0, 0, NOBODY, NOBODY, NOBODY, NOBODY, NOBODY]);
  });

  test("is nobody's where two are equally near", () => {
    expect(owners([stack(0, 0, "red"), stack(4, 0, "blue")]).slice(0, 5)).toEqual([0, 0, NOBODY, 1, 1]);
    expect(owners([stack(0, 0, "red"), stack(3, 0, "blue")]).slice(0, 4)).toEqual([0, 0, 1, 1]);
  });

  test("does not go through what is blocked, nor around the edge", () => {
    const walled = setting({ width: 9, height: 1, ore: [[0, BLOCKED, 0, 0, 0, 0, 0, 0, 0]] });
    expect(owners([stack(0, 0, "red")], walled).slice(0, 4)).toEqual([0, NOBODY, NOBODY, NOBODY]);
    const rows = setting({ width: 3, height: 2, ore: [[0, 0, 0], [BLOCKED, 0, 0]] }); // prettier-ignore
    expect(owners([stack(2, 0, "red")], rows)).toEqual([0, 0, 0, NOBODY, 0, 0]);
  });
});

describe("pieces", () => {
  test("are stacks and buildings, by their owners", () => {
    expect(pieces(setting(), view({ stacks: [stack(1, 2, "red", 4)], buildings: [building(0, 0, "blue", "down")] }))).toEqual([
      { what: "stack red", at: "1,2", number: 4 },
      { what: "building blue", at: "0,0", direction: "down", points: 0 },
    ]);
  });

  test("in motion are between their tiles; those that have half faded are not drawn", () => {
    const drawn = (what: string, of = {}) => ({ what, key: what, at: "1,1", to: "2,1", way: 0, here: 1, number: 3, ...of });
    const half = () => 0.5;
    const parts = [
      { piece: drawn("stack red"), way: half, here: () => 1 },
      { piece: drawn("stack blue"), way: half, here: () => 0.4 },
      { piece: drawn("ore", { left: 7 }), way: half, here: () => 1 },
    ];
    const moment: Moment = { still: [drawn("building red", { direction: "up", points: 2 })], moving: [], parts, flashes: [{ what: "fight", at: "1,1", to: "2,1", number: 0 }, { what: "fight", at: "2,1", to: "1,1", number: 0 }], counts: new Map(), events: [], seat: "", line: 0, t: 0.5, over: false }; // prettier-ignore
    const found = scenery(grid, moment);
    expect(found.moving).toEqual([{ x: 1.5, y: 1, owner: "red", units: 3 }]);
    expect(found.buildings).toEqual([{ x: 1, y: 1, owner: "red", direction: "up", points: 2 }]);
    expect([...found.ore]).toEqual([[at(1, 1), 7]]);
    expect(found.clashes).toEqual([{ x: 1.5, y: 1 }]); // on the border, once
  });
});

const move = (x: number, y: number, direction: string, number: number): Order => ({ order: "move", x, y, direction, number });
const mine = (x: number, y: number, number: number): Order => ({ order: "mine", x, y, number });
const may = (order: Order, most: number, figures = {}) => option(order, { least: 1, most, figures });

describe("shares", () => {
  test("are all, half and a number, never more than there are", () => {
    expect([part("all", 7), part("half", 7), part("half", 1), part(3, 7), part(9, 7), part("half", 0)]).toEqual([7, 4, 1, 3, 7, 0]);
  });
});

describe("giving orders", () => {
  const orders = (of: Parameters<typeof sheetOf<Order>>[0] = {}) => sheetOf<Order>(of);
  const units = (): number => 10;
  const choices = (...options: ReturnType<typeof may>[]) => new Notebook().take(grid, options, 1);

  test("a deed is an order without its tile and number", () => {
    expect([deedOf(move(1, 1, "up", 3)), deedOf(mine(1, 1, 3))]).toEqual(["move up", "mine"]);
    expect(orderFor(grid, at(2, 1), "move up")).toEqual(move(2, 1, "up", 1));
    expect(orderFor(grid, at(2, 1), "mine")).toEqual(mine(2, 1, 1));
  });

  test("takes a share of the free units on each tile where it is lawful", () => {
    const listed = choices(may(mine(1, 1, 1), 10), may(mine(2, 1, 1), 10));
    const standing = new Standing(grid, [line(1, move(1, 1, "up", 4))]);
    const found = wishes(listed, standing, units, [at(1, 1), at(2, 1), at(3, 1)], "mine", "half");
    expect(found.map(({ order, anew }) => [order, anew])).toEqual([
      [mine(1, 1, 3), false],
      [mine(2, 1, 5), false],
    ]);
  });

  test("takes no more than is of use, and nothing that is of none", () => {
    const listed = choices(may(mine(1, 1, 1), 10, { useful: 2 }), may(mine(2, 1, 1), 10, { useful: 0 }));
    expect(wishes(listed, new Standing(grid, []), units, [at(1, 1), at(2, 1)], "mine", "all").map(({ order }) => order)).toEqual([
      mine(1, 1, 2),
    ]);
  });

  test("replaces earlier orders if all units have one", () => {
    const notebook = new Notebook();
    notebook.take(grid, [may(mine(1, 1, 1), 10)], 1);
    const standing = new Standing(grid, [line(1, move(1, 1, "up", 10))]);
    const later = notebook.take(grid, [], 1);
    expect(wishes(later, standing, units, [at(1, 1)], "mine", "all")).toMatchObject([{ order: mine(1, 1, 10), anew: true }]);
    expect(wishes(notebook.take(grid, [], 2), standing, units, [at(1, 1)], "mine", "all")).toEqual([]); // another turn
  });

  test("units of refused lines are free", () => {
    expect(
      new Standing(grid, [line(1, mine(1, 1, 9), { fault: fault() }), line(2, mine(1, 1, 2)), line<Order>(3, null)]).asked(at(1, 1)),
    ).toBe(2);
  });

  test("adds up lines of one deed, and strikes refused ones of the tile", () => {
    const lines = [line(1, mine(1, 1, 2)), line(2, move(1, 1, "up", 9), { fault: fault() }), line<Order>(3, null, { text: "what?" })];
    const sheet = orders({ lines });
    const standing = new Standing(grid, lines);
    give(sheet, standing, wishes(choices(may(mine(1, 1, 1), 10)), standing, units, [at(1, 1)], "mine", "all"));
    expect(sheet.done).toEqual([["set", [mine(1, 1, 10), "what?"]]]);
  });

  test("adds a single line as such, with its figures", () => {
    const sheet = orders();
    give(
      sheet,
      new Standing(grid, []),
      wishes(choices(may(mine(1, 1, 1), 10, { useful: 4 })), new Standing(grid, []), units, [at(1, 1)], "mine", "all"),
    );
    expect(sheet.done).toEqual([["add", mine(1, 1, 4), { useful: 4 }]]);
  });

  test("taking back strikes all that is ordered on the tiles, as one step", () => {
    const lines = [line(1, mine(1, 1, 2)), line(2, move(2, 1, "up", 1)), line(3, move(1, 1, "up", 1))];
    const sheet = orders({ lines });
    expect(takeBack(sheet, new Standing(grid, lines), [at(1, 1)])).toBe(2);
    expect(sheet.done).toEqual([["set", [move(2, 1, "up", 1)]]]);
    expect(takeBack(sheet, new Standing(grid, lines), [at(4, 3)])).toBe(0);
    expect(sheet.done).toHaveLength(1);
  });
});

describe("flows", () => {
  const turn = frame({
    sheets: {
      red: [move(1, 1, "right", 3), move(1, 1, "right", 2), mine(1, 1, 1), null, move(9, 9, "up", 1)],
      blue: [move(3, 1, "left", 4)],
    },
    faults: { red: [{ ...fault(), line: 2 }] },
  });

  test("are the orders of all seats that are on the board, the refused ones marked", () => {
    expect(flowsOf(grid, turn).map(({ seat, tile, word, number, refused }) => [seat, tile, word, number, refused])).toEqual([
      ["red", at(1, 1), "move", 3, false],
      ["red", at(1, 1), "move", 2, true],
      ["red", at(1, 1), "mine", 1, false],
      ["blue", at(3, 1), "move", 4, false],
    ]);
  });

  test("add up over each border of a tile, without the refused ones", () => {
    const here = trafficAt(grid, flowsOf(grid, turn), at(1, 1));
    expect(here.out).toEqual([{ seat: "red", direction: "right", number: 3 }]);
    expect(here.busy).toBe(4);
    expect(here.deeds).toEqual([
      { words: "move right", number: 3 },
      { words: "mine", number: 1 },
    ]);
    expect(trafficAt(grid, flowsOf(grid, turn), at(2, 1)).into).toEqual([
      { seat: "red", direction: "left", number: 3 }, // they come from the left
      { seat: "blue", direction: "right", number: 4 },
    ]);
  });

  test("of your sheet are its readable lines", () => {
    expect(plansOf(grid, "red", [line(1, mine(1, 1, 1)), line<Order>(2, null), line(3, mine(9, 9, 1))])).toHaveLength(1);
  });

  test("an event touches the tiles that it names", () => {
    const event: Event = { kind: "moved", rule: "4.1", at: [1, 1], to: [2, 1] };
    expect([at(1, 1), at(2, 1), at(3, 1)].map((tile) => touches(grid, event, tile))).toEqual([true, true, false]);
    expect(touches(grid, { kind: "moved", rule: "4.1", at: null }, 0)).toBe(false);
  });
});

describe("a typed line is completed", () => {
  const options = [
    may(move(5, 5, "right", 1), 8),
    may(mine(5, 5, 1), 8, { useful: 4 }),
    may(mine(6, 5, 1), 8, { useful: 0 }),
    may(move(6, 5, "up", 1), 2),
  ];

  test("by lawful orders that begin so, each with the largest number that is of use", () => {
    expect(complete("move 5", options)).toEqual(["move 5,5 right 8"]);
    expect(complete("MINE", options)).toEqual(["mine 5,5 4"]);
    expect(complete("m", options)).toEqual(["move 5,5 right 8", "mine 5,5 4", "move 6,5 up 2"]);
  });

  test("with the tile in front", () => {
    expect(complete("5,5", options)).toEqual(["5,5 move 8 right", "5,5 mine 4"]);
  });

  test("by nothing where nothing fits or nothing is missing, and by eight at most", () => {
    expect([complete("work", options), complete("mine 5,5 4", options)]).toEqual([[], []]);
    expect(
      complete(
        "m",
        Array.from({ length: 20 }, (_, x) => may(mine(x, 0, 1), 1)),
      ),
    ).toHaveLength(8);
  });
});
