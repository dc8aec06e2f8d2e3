// @vitest-environment happy-dom
import { flushSync } from "svelte";
import { beforeEach, describe, expect, test } from "vitest";
import { keep, kept } from "../../../lib/store";
import { frame, line, option, orders as sheetOf, warning } from "../../../testing/make";
import { room } from "../../../testing/props.svelte";
import type { Frame, Option } from "../../../wire";
import type { DraftLine, LineIn } from "../../contract";
import { tileAt } from "../geometry";
import { Hand } from "../hand.svelte";
import { positionOf } from "../position";
import { deedOf, Notebook } from "../sheet";
import { shows } from "../shows.svelte";
import type { Order, Setting, View } from "../wire";
import { kindOf, stacksOf } from "./kinds";
import { isStanding, standingWords, written, type Feed, type Keep, type March, type Scene, type StandingOrder } from "./orders";
import { plans } from "./plans.svelte";
import { repeated, repeatedWords } from "./repeat";
import { shortest, through } from "./route";

// Ten columns, four rows; a wall in column 4 with a gap below.
const ROW = [9, 9, 9, 9, -1, 9, 9, 0, 0, 0];
const setting = { width: 10, height: 4, seats: ["red", "blue"], starts: { red: [1, 1] }, slots: 5, unit_cost: 5, ore: [ROW, ROW, ROW, ROW.map((ore) => Math.abs(ore))] } as unknown as Setting; // prettier-ignore
const at = (x: number, y: number): number => tileAt(setting, x, y);
const stack = (x: number, y: number, units: number, owner = "red") => ({ x, y, owner, units });
const core = { x: 0, y: 0, owner: "red", direction: "right", points: 0 };
const view = (...stacks: ReturnType<typeof stack>[]): View =>
  ({
    who: "red",
    turn: 1,
    stacks,
    buildings: [core],
    ore: [],
    units: {},
    stock: {},
    out: {},
    forfeited: {},
    outcome: null,
  }) as unknown as View;
const move = (x: number, y: number, direction: string, number: number): Order => ({ order: "move", x, y, direction, number });
const mine = (x: number, y: number, number: number): Order => ({ order: "mine", x, y, number });
const work = (x: number, y: number, number: number): Order => ({ order: "work", x, y, number });

/** What the server would list: moves in every direction, mining where there is ore, work on the core. */
function listed(seen: View): Option[] {
  return seen.stacks
    .filter(({ owner }) => owner === "red")
    .flatMap(({ x, y, units }) => {
      const ore = setting.ore[y]![x]!;
      const moves = ["up", "right", "down", "left"].map((direction) => option(move(x, y, direction, 1), { most: units }));
      const digs = option(mine(x, y, 1), { most: units, figures: { useful: Math.min(ore, units) } });
      const works = x + y === 0 ? [option(work(x, y, 1), { most: units, figures: { useful: Math.min(5, units) } })] : [];
      return [...moves, digs, ...works];
    });
}

function scene(seen: View, of: Partial<Scene> = {}): Scene {
  const position = positionOf(setting, seen);
  const choices = new Notebook().take(setting, listed(seen), 0);
  return { position, you: "red", listed: (tile, deed) => choices.find(tile, deed, 1), asked: () => 0, frame: 0, frames: [], ...of };
}

const one = (of: Scene, order: StandingOrder) => written(of, [order])!.get(order.id)!;
const keeping = (kind: Keep["kind"], tiles: Keep["tiles"]): Keep => ({ id: 1, on: true, kind, tiles });

describe("a way", () => {
  const position = positionOf(setting, view());
  test("goes around walls, with few turns", () => {
    expect(shortest(position, at(0, 0), at(2, 0))).toEqual([at(0, 0), at(1, 0), at(2, 0)]);
    const round = shortest(position, at(3, 0), at(5, 0));
    expect([round.length, round.includes(at(4, 3))]).toEqual([9, true]);
    expect(shortest(position, at(3, 3), at(3, 3))).toEqual([at(3, 3)]);
  });

  test("goes through the tiles that were chosen, and is none where one can't be reached", () => {
    expect(through(position, [at(0, 0), at(0, 1), at(1, 1)])).toEqual([at(0, 0), at(0, 1), at(1, 1)]);
    expect(through(position, [at(0, 0), at(4, 0)])).toEqual([]);
  });
});

describe("keeping on", () => {
  test("mines as much as is of use, and works with as many as count", () => {
    const now = scene(view(stack(0, 0, 12), stack(1, 1, 20)));
    expect(one(now, keeping("mine", [at(1, 1)])).orders).toEqual([mine(1, 1, 9)]);
    expect(one(now, keeping("work", [at(0, 0)])).orders).toEqual([work(0, 0, 5)]);
  });

  test("for all tiles takes what the others leave", () => {
    const now = scene(view(stack(0, 0, 12), stack(1, 1, 4)));
    const orders: StandingOrder[] = [
      { id: 1, on: true, kind: "mine", tiles: "all" },
      { id: 2, on: true, kind: "work", tiles: "all" },
      { id: 3, on: true, kind: "feed", paths: [[at(1, 1), at(2, 1)]], stay: 0 },
    ];
    const found = written(now, orders)!;
    expect(found.get(3)!.orders).toEqual([move(1, 1, "right", 4)]);
    expect(found.get(1)!.orders).toEqual([mine(0, 0, 9)]); // it was given before the other one for all
    expect(found.get(2)!.orders).toEqual([work(0, 0, 3)]);
  });

  test("says why it waits, and ends where there is no ore any more", () => {
    const now = scene(view(stack(0, 0, 3), stack(1, 1, 3)));
    expect(one(now, keeping("mine", [at(2, 2)]))).toEqual({ orders: [], why: "None of your units are there.", ended: false });
    expect(one(now, keeping("work", [at(1, 1)])).why).toBe("You have no building there.");
    expect(one({ ...now, asked: () => 3 }, keeping("mine", [at(1, 1)])).why).toBe("The units there have other orders this turn.");
    expect(one(scene(view(stack(8, 0, 3))), keeping("mine", [at(8, 0)]))).toEqual({
      orders: [],
      why: "No ore is left there.",
      ended: true,
    });
  });

  test("gives nothing while it is switched off", () => {
    expect(one(scene(view(stack(1, 1, 3))), { ...keeping("mine", [at(1, 1)]), on: false }).orders).toEqual([]);
  });
});

/** A frame in whose turn red gave these orders. */
const played = (number: number, ...lines: Order[]): Frame => frame({ number, sheets: { red: lines } });

describe("a march", () => {
  const path = [at(0, 1), at(1, 1), at(2, 1), at(3, 1)];
  const order: March = { id: 1, on: true, kind: "march", legs: [{ path, units: 8 }], since: 5, wary: true };
  const later = (frames: Frame[], ...stacks: ReturnType<typeof stack>[]): Scene => {
    const all: Frame[] = [];
    for (const frame of frames) all[frame.number] = frame;
    return scene(view(...stacks), { frame: Math.max(5, all.length - 1), frames: all });
  };

  test("takes a step each turn, as the record says, and leaves others where they are", () => {
    expect(one(later([], stack(0, 1, 20)), order).orders).toEqual([move(0, 1, "right", 8)]);
    const next = later([played(6, move(0, 1, "right", 8))], stack(0, 1, 12), stack(1, 1, 30));
    expect(one(next, order).orders).toEqual([move(1, 1, "right", 8)]);
  });

  test("stays where it is while its line was taken off the sheet or refused", () => {
    expect(one(later([played(6, mine(0, 1, 8))], stack(0, 1, 8)), order).orders).toEqual([move(0, 1, "right", 8)]);
    const refused = { ...played(6, move(0, 1, "right", 8)), faults: { red: [{ line: 1, order: "", rule: "", why: "", word: "" }] } };
    expect(one(later([refused], stack(0, 1, 8)), order).orders).toEqual([move(0, 1, "right", 8)]);
  });

  test("continues with the units that were sent, as far as they are left", () => {
    const fewer = later([played(6, move(0, 1, "right", 3))], stack(0, 1, 5), stack(1, 1, 3));
    expect(one(fewer, order).orders).toEqual([move(1, 1, "right", 3)]);
    const beaten = later([played(6, move(0, 1, "right", 8))], stack(1, 1, 2));
    expect(one(beaten, order).orders).toEqual([move(1, 1, "right", 2)]);
  });

  test("isn't held up by what others keep doing on a tile that it crosses", () => {
    const next = later([played(6, move(0, 1, "right", 8))], stack(1, 1, 12));
    const found = written(next, [{ ...keeping("mine", [at(1, 1)]), id: 2 }, order])!;
    expect([found.get(1)!.orders, found.get(2)!.orders]).toEqual([[move(1, 1, "right", 8)], [mine(1, 1, 4)]]);
  });

  test("ends when it arrives, or when nobody is left", () => {
    const steps = [played(6, move(0, 1, "right", 8)), played(7, move(1, 1, "right", 8)), played(8, move(2, 1, "right", 8))];
    expect(one(later(steps, stack(3, 1, 8)), order)).toEqual({ orders: [], why: "Arrived on 3,1.", ended: true });
    expect(one(later(steps.slice(0, 1), stack(0, 0, 1)), order)).toEqual({
      orders: [],
      why: "Its units were lost on the way.",
      ended: true,
    });
  });

  test("halts near an enemy and says so, unless it is told to go on", () => {
    const near = later([], stack(0, 1, 8), stack(2, 2, 1, "blue"));
    expect(one(near, order)).toEqual({ orders: [], why: "Blue is near, on 2,2.", ended: false });
    expect(one(near, { ...order, wary: false }).orders).toEqual([move(0, 1, "right", 8)]);
  });

  test("waits for the record", () => {
    expect(written(scene(view(stack(0, 1, 8)), { frame: 7, frames: [] }), [order])).toBeNull();
  });

  test("of several stacks is one order, and stacks that meet go on as one", () => {
    const group: March = { ...order, legs: [{ path, units: 2 }, { path: path.slice(1), units: 3 }] }; // prettier-ignore
    const met = later([played(6, move(0, 1, "right", 2))], stack(1, 1, 5));
    expect(one(met, group).orders).toEqual([move(1, 1, "right", 5)]);
    expect(standingWords(setting, group)).toBe("March to 3,1 with 5 units");
  });
});

describe("feeding a front", () => {
  const order: Feed = { id: 1, on: true, kind: "feed", paths: [[at(0, 0), at(1, 0), at(2, 0)]], stay: 5 };

  test("sends all that can be spared, from every tile of the route", () => {
    expect(one(scene(view(stack(0, 0, 7), stack(1, 0, 3), stack(2, 0, 9))), order).orders).toEqual([
      move(0, 0, "right", 2),
      move(1, 0, "right", 3),
    ]);
    expect(one(scene(view(stack(0, 0, 5))), order)).toEqual({ orders: [], why: "No units to send: 5 stay.", ended: false });
  });

  test("counts those that have other orders among those that stay", () => {
    expect(one(scene(view(stack(0, 0, 7)), { asked: () => 5 }), order).orders).toEqual([move(0, 0, "right", 2)]);
    expect(one(scene(view(stack(0, 0, 7)), { asked: () => 7 }), order).why).toBe("The units on 0,0 have other orders this turn.");
  });

  test("doesn't walk into an enemy", () => {
    expect(one(scene(view(stack(0, 0, 7), stack(1, 0, 1, "blue"))), order).why).toBe("Blue is in the way, on 1,0.");
  });
});

describe("the last turn", () => {
  test("is repeated as far as it is possible now", () => {
    const seen = view(stack(0, 0, 6), stack(1, 1, 3));
    const frames = played(1, work(0, 0, 5), mine(1, 1, 4), mine(3, 1, 2), move(1, 1, "up", 9));
    const choices = new Notebook().take(setting, listed(seen), 1);
    const units = (tile: number): number => positionOf(setting, seen).stacks[tile]?.units ?? 0;
    const again = repeated(positionOf(setting, seen), frames, "red", choices, units);
    expect(again).toEqual({ orders: [work(0, 0, 5), mine(1, 1, 3)], left: ["mine 3,1", "move 1,1"] });
    expect(repeatedWords(again)).toBe("2 orders of last turn repeated. Not possible now: mine 3,1 and move 1,1.");
    expect(repeatedWords({ orders: [], left: [] })).toBe("You gave no orders last turn.");
  });
});

describe("kinds of stacks", () => {
  test("are what they stand on, or next to", () => {
    const position = positionOf(setting, view(stack(0, 0, 1), stack(1, 1, 1), stack(8, 0, 1), stack(6, 2, 1), stack(6, 3, 2, "blue")));
    expect([at(0, 0), at(1, 1), at(8, 0), at(6, 2)].map((tile) => kindOf(position, tile, "red"))).toEqual(["core", "ore", "bare", "front"]);
    expect(stacksOf(position, "red", "ore")).toEqual([at(1, 1)]);
  });
});

// ---- at the table

let tables = 0;

/** A sheet that takes lines as the server would. */
function table(seen: View, number = 3) {
  const key = `t${++tables}`;
  let lines: DraftLine<Order>[] = [];
  const places = room<Setting, View, Order>({ setting, view: seen, you: "red", orders: null, frame: frame({ number }) });
  const now = () => sheetOf<Order>({ options: listed(seen), table: key, lines, set: put });
  function put(all: readonly LineIn[]): void {
    lines = all.map((order, i) => line(i, order as Order));
    places.set({ orders: now() });
  }
  places.set({ orders: now() });
  const hand = new Hand(places.props);
  const end = $effect.root(() => plans.follow(hand, places.props));
  flushSync();
  const turn = (next: View, number: number) => {
    seen = next;
    const before = frame({ number, sheets: { red: lines.map((one) => one.order) } });
    lines = [];
    const frames: Frame[] = [...(places.props().frames as Frame[])];
    frames[number] = before;
    places.set({ view: next, frame: before, frames, orders: now() });
    flushSync();
  };
  return { hand, places, end, turn, key, put, orders: () => lines.map((one) => one.order) };
}

describe("standing orders at a table", () => {
  beforeEach(() => {
    shows.share = "all";
    for (const { id } of plans.orders)
      plans.drop(room<Setting, View, Order>({ setting, view: view(), you: "red", orders: null }).props(), id);
  });

  test("are written on the sheet at once, and on every later sheet", () => {
    const { hand, places, end, turn, orders } = table(view(stack(1, 1, 4)));
    plans.add(hand, places.props(), { kind: "mine", tiles: [at(1, 1)] });
    expect(orders()).toEqual([mine(1, 1, 4)]);
    turn(view(stack(1, 1, 5)), 4);
    expect(orders()).toEqual([mine(1, 1, 5)]);
    end();
  });

  test("leave a sheet alone once they are on it", () => {
    const { hand, places, end, put, orders } = table(view(stack(1, 1, 4)));
    plans.add(hand, places.props(), { kind: "mine", tiles: [at(1, 1)] });
    put([move(1, 1, "up", 4)]);
    flushSync();
    expect(orders()).toEqual([move(1, 1, "up", 4)]);
    end();
  });

  test("go with their lines when they are switched off or removed, but not with lines that the person has changed", () => {
    const { hand, places, end, put, orders } = table(view(stack(1, 1, 4), stack(2, 1, 4)));
    const { id } = plans.add(hand, places.props(), { kind: "mine", tiles: [at(1, 1), at(2, 1)] });
    put([mine(1, 1, 4), mine(2, 1, 1)]);
    plans.switch(hand, places.props(), id);
    expect([orders(), plans.orders[0]!.on]).toEqual([[mine(2, 1, 1)], false]);
    plans.switch(hand, places.props(), id);
    expect(orders()).toEqual([mine(2, 1, 1), mine(1, 1, 4), mine(2, 1, 3)]);
    plans.drop(places.props(), id);
    expect([orders(), plans.orders]).toEqual([[mine(2, 1, 1)], []]);
    end();
  });

  test("come back after a reload, and aren't written twice on one sheet", () => {
    const { hand, places, end, key } = table(view(stack(1, 1, 4)));
    plans.add(hand, places.props(), { kind: "mine", tiles: [at(1, 1)] });
    const saved = kept<{ orders: unknown[]; step: number }>(`monad.standing.${key}.red`)!;
    expect([saved.orders.length, saved.step]).toEqual([1, 3]);
    expect(saved.orders.every((order) => isStanding(setting, order))).toBe(true);
    keep(`monad.standing.${key}.red`, { orders: [{ kind: "mine" }, null, { id: 1, on: true, kind: "mine", tiles: [999] }] });
    expect(kept<{ orders: unknown[] }>(`monad.standing.${key}.red`)!.orders.some((order) => isStanding(setting, order))).toBe(false);
    end();
  });

  test("replace the orders of stacks without idle units", () => {
    const { hand, places, end, put, orders } = table(view(stack(1, 1, 4)));
    put([move(1, 1, "up", 4)]);
    plans.add(hand, places.props(), { kind: "mine", tiles: [at(1, 1)] });
    expect(orders()).toEqual([mine(1, 1, 4)]);
    end();
  });

  test("for all units leave those alone that have orders, as on every later sheet", () => {
    const { hand, places, end, turn, put, orders } = table(view(stack(0, 0, 5), stack(1, 1, 4)));
    plans.add(hand, places.props(), { kind: "work", tiles: [at(0, 0)] });
    put([work(0, 0, 5), move(1, 1, "up", 4)]);
    plans.add(hand, places.props(), { kind: "mine", tiles: "all" });
    expect(orders()).toEqual([work(0, 0, 5), move(1, 1, "up", 4)]);
    turn(view(stack(0, 0, 5), stack(1, 1, 4)), 4);
    expect(orders()).toEqual([work(0, 0, 5), mine(1, 1, 4)]);
    end();
  });

  test("count the lines that are on the sheet", () => {
    const { hand, places, end, put } = table(view(stack(0, 0, 5), stack(1, 1, 4)));
    const both = [at(0, 0), at(1, 1)].map((tile) => plans.add(hand, places.props(), { kind: "mine", tiles: [tile] }));
    const counted = () => both.map(({ id }) => plans.onSheet(places.props()).get(id));
    expect(counted()).toEqual([1, 1]);
    put([mine(1, 1, 4)]);
    expect(counted()).toEqual([0, 1]);
    plans.add(hand, places.props(), { kind: "feed", paths: [[at(1, 1), at(2, 1)]], stay: 0 }); // instead of mining
    expect(counted()).toEqual([0, 0]);
    end();
  });

  test("that have ended are told for one turn, and are gone after it", () => {
    const { hand, end, turn } = table(view(stack(7, 1, 4)));
    hand.choose(at(7, 1));
    plans.begin(hand, "march");
    hand.choose(at(8, 1));
    expect(plans.orders).toEqual([]);
    hand.choose(at(8, 1)); // the last tile again
    expect(plans.orders.map((order) => standingWords(setting, order))).toEqual(["March to 8,1 with 4 units"]);
    turn(view(stack(8, 1, 4)), 4);
    expect([...plans.given.values()]).toEqual([{ orders: [], why: "Arrived on 8,1.", ended: true }]);
    turn(view(stack(8, 1, 4)), 5);
    expect(plans.orders).toEqual([]);
    end();
  });

  test("a route is drawn by keys, and Escape gives it up", () => {
    const { hand, end } = table(view(stack(0, 0, 9)));
    hand.choose(at(0, 0));
    hand.letter("s");
    expect([plans.draft?.kind, plans.stay, hand.status?.subject]).toEqual(["feed", 5, "Feed a front from 0,0."]);
    hand.choose(at(2, 0));
    expect(hand.status?.text).toMatch(/^2 steps to 2,0\./);
    expect([hand.cancel(), plans.draft, plans.orders]).toEqual([true, null, []]);
    end();
  });

  test("a letter keeps a stack at what it does, and another selects all of its kind", () => {
    const { hand, places, end, orders } = table(view(stack(0, 0, 6), stack(1, 1, 2), stack(2, 1, 2)));
    hand.choose(at(0, 0));
    hand.letter("k");
    expect([plans.orders[0]!.kind, orders()]).toEqual(["work", [work(0, 0, 5)]]);
    hand.choose(at(1, 1));
    hand.letter("o");
    expect(places.selected).toBe("1,1 2,1");
    end();
  });

  test("a tile that the umpire warns of says so", () => {
    const { hand, places, end } = table(view(stack(0, 0, 6)));
    const text = "Blue has 20 units next to your core on 0,0; 16 are enough to destroy it.";
    places.set({ orders: { ...places.props().orders!, alerts: [warning({ text, urgent: true, where: "0,0" })] } });
    hand.hover = at(0, 0);
    expect([hand.dangers, hand.status?.text.includes(text)]).toEqual([[at(0, 0)], true]);
    end();
  });

  test("all lines are deeds that the server listed", () => {
    const { hand, places, end, orders } = table(view(stack(0, 0, 9), stack(1, 1, 9)));
    plans.add(hand, places.props(), { kind: "mine", tiles: "all" });
    plans.add(hand, places.props(), { kind: "work", tiles: "all" });
    const legal = new Set(
      places.props().orders!.options.map(({ order }) => `${order["x"]},${order["y"]} ${deedOf(order as unknown as Order)}`),
    );
    expect(orders().every((order) => legal.has(`${order!.x},${order!.y} ${deedOf(order!)}`))).toBe(true);
    end();
  });
});
