// What a turn came to: pieces of a view, results of lines, sentences by their facts.

import { describe, expect, test } from "vitest";
import type { Moment } from "../../lib/scene";
import { fault, frame, line, option, orders, told } from "../../testing/make";
import type { Frame } from "../../wire";
import { pieces, scenery } from "./pieces";
import { reportOf, results, scores, turnOf } from "./results";
import { figures } from "./shapes";
import type { Event, Order, Setting, View } from "./wire";
import * as words from "./words";

const setting: Setting = {
  rules: "seed",
  mode: "online",
  scoring: "regiments",
  hexes: { G5: [], H4: [], I5: [], E1: [] },
  bases: { red: "G5", blue: "E1" },
  centre: "I5",
};
const view = (of: Partial<View> = {}): View => ({
  who: "red",
  turn: 2,
  turns: 8,
  hexes: {},
  reports: {},
  dropped: [],
  outcome: null,
  ...of,
});
const ground = (owner: string | null, regiments = 0) => ({ owner, regiments });

test("pieces are the land that is seen, and the armies on it", () => {
  expect(pieces(setting, view({ hexes: { G5: ground("red", 3), H4: ground("blue"), I5: ground(null) } }))).toEqual([
    { what: "land", at: "G5", owner: "red" },
    { what: "army red", at: "G5", number: 3 },
    { what: "land", at: "H4", owner: "blue" },
    { what: "land", at: "I5", owner: null },
  ]);
});

describe("a moment of a turn", () => {
  const drawn = (what: string, at: string, of = {}) => ({ key: what + at, what, at, to: at, way: 0, here: 1, ...of });
  const moment = (of: Partial<Moment>): Moment => ({
    still: [],
    moving: [],
    parts: [],
    flashes: [],
    counts: new Map(),
    events: [],
    seat: "",
    line: 0,
    t: 0.5,
    over: false,
    ...of,
  });

  test("shows armies as far as one end of their way is in sight", () => {
    const moving = [drawn("army red", "G5", { to: "H4", number: 2 }), drawn("army blue", "E1", { to: "F2", number: 9 })];
    const { armies } = scenery(moment({ moving }), (hex) => hex === "H4");
    expect(armies.map(({ nation, number, from, to }) => [nation, number, from, to])).toEqual([["red", 2, "G5", "H4"]]);
  });

  test("knows whose the land is, and counts a fight of two once", () => {
    const flash = (at: string, to: string) => ({ what: "fight", at, to, number: 0 });
    const { owners, fights } = scenery(
      moment({ still: [drawn("land", "G5", { owner: "red" })], flashes: [flash("G5", "H4"), flash("H4", "G5")] }),
      () => true,
    );
    expect([...owners]).toEqual([["G5", "red"]]);
    expect(fights).toHaveLength(1);
  });

  test("presses armies together where they fight on one hex", () => {
    const still = [drawn("army red", "G5"), drawn("army red", "H4")];
    const { armies } = scenery(moment({ still, flashes: [{ what: "fight", at: "G5", to: "", number: 0 }] }), () => true);
    expect(armies[0]!.press).toBeGreaterThan(0);
    expect(armies[1]!.press).toBe(0);
  });
});

describe("results", () => {
  const march = (to: string, number = 2): Order => ({ order: "march", from: "G5", to, number });
  const event = (of: Event) => told(of, "red");
  const turn = (sheet: (Order | null)[], events: Event[], of: Partial<Frame> = {}): Frame =>
    frame({ view: view(), sheets: { red: sheet }, events: events.map(event), ...of });
  const fates = (of: Frame) => results(of, "red").map(({ fate }) => fate);

  test("say what became of each line", () => {
    const found = turn(
      [march("H4"), march("I5", 1), { order: "bless", hex: "G5" }],
      [
        { kind: "marched", rule: "5.1", line: 1, hex: "G5", to: "H4" },
        { kind: "held at the border", rule: "6.1", line: 2, hex: "G5", to: "I5" },
        { kind: "blessed", rule: "6.4", line: 3, hex: "G5" },
      ],
    );
    expect(fates(found)).toEqual(["done", "held", "blessed"]);
    expect(results(found, "red").map(({ number }) => number)).toEqual([2, 1, null]);
  });

  test("tell a lost battle, and how many were sent home", () => {
    const marched: Event = { kind: "marched", rule: "5.1", line: 1, hex: "G5", to: "H4" };
    const beaten: Event = { kind: "beaten", rule: "7.1", hex: "H4" };
    const home: Event = { kind: "sent home", rule: "7.2", hex: "H4", number: 1 };
    const [lost] = results(turn([march("H4")], [marched, beaten, home]), "red");
    expect(lost).toMatchObject({ fate: "lost", rule: "7.2", words: expect.stringContaining("1 ") });
    const [all] = results(turn([march("H4")], [marched, beaten, home, { kind: "no refuge", rule: "7.4", hex: "H4" }]), "red");
    expect(all!.words).toContain("all");
  });

  test("tell lines over one border as one group, whose event names the first of them", () => {
    expect(
      fates(turn([march("H4", 1), march("H4", 1)], [{ kind: "marched", rule: "5.1", line: 1, hex: "G5", to: "H4", number: 2 }])),
    ).toEqual(["done", "done"]);
  });

  test("tell void lines with their paragraph, also such as could not be read", () => {
    const faults = { red: [{ ...fault("no", "3.1"), line: 1 }, { ...fault("no", "3.9"), line: 2 }] }; // prettier-ignore
    const found = results(turn([march("H4"), null], [], { faults, orders: { red: ["", "what?"] } }), "red");
    expect(found.map(({ fate, rule, text }) => [fate, rule, text])).toEqual([
      ["void", "3.1", "G5 → H4"],
      ["void", "3.9", "what?"],
    ]);
  });

  test("tell nothing of lines where the mode tells nothing, nor of other nations", () => {
    expect(results(turn([march("H4")], []), "red")).toEqual([]);
    expect(results(turn([march("H4")], []), "blue")).toEqual([]);
  });

  test("begin with the first turn that was played", () => {
    const report = { victories: [], defeats: [], score: 7, total: 7 };
    const start = frame({ view: view({ turn: 1, reports: { red: report } }) });
    expect([turnOf(start), reportOf(start, "red")]).toEqual([0, null]);
    const second = frame({ view: view({ turn: 2, reports: { red: report } }) });
    const third = frame({ view: view({ turn: 4, reports: { red: { ...report, score: 9 } } }) });
    expect(scores([start, second, undefined, third], "red", 3)).toEqual([7, undefined, 9]);
    expect(scores([start, second, third], "red", 1)).toEqual([7]);
    expect(scores([], "red", 0)).toEqual([]);
  });
});

describe("sentences", () => {
  const options = [option({ order: "march", from: "G5", to: "H4" }, { least: 1, most: 2 })];
  const hexes = { G5: ground("red", 3), H4: ground("blue", 1), I5: ground(null), K5: ground("red") };
  const scene = (of: Partial<words.Scene> = {}): words.Scene => ({
    setting,
    view: view({ hexes }),
    you: "red",
    orders: orders<Order>({ options, lines: [line(1, { order: "march", from: "G5", to: "H4", number: 1 } as Order)] }),
    notes: null,
    ...of,
  });
  const way = { from: "G5", to: "H4", most: 2, line: null, figures: { chances: [[97.4, 71.6]] as const } };

  test("count one regiment and several", () => {
    expect([0, 1, 2].map(words.regiments)).toEqual(["0 regiments", "1 regiment", "2 regiments"]);
  });

  test("round chances, and tell one figure where the blessing changes nothing", () => {
    expect(words.chanceWords([97.4, 71.6])).toMatch(/^97 %.*72/);
    expect(words.chanceWords([3.2, 2.9])).toBe("3 %");
  });

  test("count the regiments that no lawful line asks for", () => {
    expect(words.freeAt(scene(), "G5")).toBe(2);
    const refused = orders<Order>({ lines: [line(1, { order: "march", from: "G5", to: "H4", number: 9 } as Order, { fault: fault() })] });
    expect(words.freeAt(scene({ orders: refused }), "G5")).toBe(3);
    expect(words.freeAt(scene(), "A1")).toBe(0);
  });

  test("know your armies", () => {
    expect(["G5", "H4", "I5", "K5", "A1"].map((hex) => words.isArmy(scene(), hex))).toEqual([true, false, false, false, false]);
  });

  test("name a hex by whose it is and what stands there", () => {
    expect(words.cellName(scene(), "G5")).toMatch(/^G5, .*home base.*3 regiments.*2 free.*1 ordered to H4/);
    expect(words.cellName(scene(), "H4")).toMatch(/^H4, blue, 1 regiment, .*attack from G5/);
    expect(words.cellName(scene(), "E1")).toMatch(/not in sight.*blue/);
    expect(words.cellName(scene({ notes: { I5: "trap" } }), "I5")).toMatch(/trap$/);
  });

  test("say what would be met", () => {
    expect(words.metWords(scene(), way, 1)).toMatch(/H4.*1 blue.*97 %/);
    expect(words.metWords(scene(), { ...way, to: "I5", figures: {} }, 1)).toMatch(/I5.*unclaimed/);
    expect(words.metWords(scene(), { ...way, to: "A1", figures: {} }, 1)).toMatch(/A1.*not in sight/);
    expect(words.metWords(scene(), { ...way, to: "G5", figures: {} }, 1)).toMatch(/G5.*3/);
  });

  test("of a refused line have its reason and its paragraph", () => {
    const lines = [
      line(1, { order: "march", from: "G5", to: "H4", number: 9 } as Order, { text: "G5-H4 9", fault: fault("too many", "3.3") }),
    ];
    expect(words.refusal(scene({ orders: orders<Order>({ lines }) }), "G5")).toMatchObject({
      refused: true,
      text: "too many",
      rule: "3.3",
    });
    expect(words.refusal(scene(), "G5")).toBeNull();
  });

  test("of orders name their hexes", () => {
    expect(words.orderWords({ order: "march", from: "G5", to: "H4", number: 1 })).toMatchObject({
      text: "G5 → H4",
      spoken: expect.stringMatching(/G5.*H4.*1 regiment$/),
    });
    expect(words.orderWords({ order: "bless", hex: "I7" }).text).toContain("I7");
  });

  test("have the right plural where lines are taken back", () => {
    expect(words.backWords(1, "G5")).toMatch(/1 order at/);
    expect(words.backWords(2, "G5")).toMatch(/2 orders at/);
  });
});

test("larger numbers are written smaller, so that they fit on the piece", () => {
  for (const seat of ["red", "green"]) {
    const sizes = [7, 42, 421].map((count) => figures(seat, 10, count).size);
    expect(sizes).toEqual(sizes.toSorted((a, b) => b - a));
    expect(new Set(sizes).size).toBe(3);
    expect(figures(seat, 10, 99_999).size).toBe(sizes[2]);
  }
});
