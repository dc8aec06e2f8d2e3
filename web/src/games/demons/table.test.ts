// @vitest-environment happy-dom
// Lines of the sheet, pieces of a view, and sentences by their facts.

import { beforeEach, describe, expect, test } from "vitest";
import type { Moment } from "../../lib/scene";
import { fault, line, option, orders as sheetOf } from "../../testing/make";
import { directions, told, wordFor } from "./directions.svelte";
import { groundOf } from "./geometry";
import { aheadOf, tensionOf } from "./music.svelte";
import { atRest, inMotion, pieces } from "./pieces";
import * as sheet from "./sheet";
import type { Order, Setting, View } from "./wire";
import * as words from "./words";

// Figures of its own: nothing here depends on the rules of one edition.
const setting: Setting = {
  rules: "seed",
  options: {},
  name: "duel",
  symmetry: "half-turn",
  rows: ["rro", "obb"],
  lanes: [],
  lane_of_blue: [],
  directions: { red: { ahead: "E", right: "S", back: "W", left: "N" }, blue: { ahead: "W", right: "N", back: "E", left: "S" } },
  towers: { house: { price: 10, cooldown: 7, range: 0, damage: 0 }, cannon: { price: 20, cooldown: 5, range: 2, damage: 4 } },
  facing: true,
  guide: { health: 50, wave: 5, ready: 1, mercenary: { price: 10, health: 5, damage: 1 }, covers: { cannon: [[1, 0], [0, 1], [9, 9]] }, demon_damage: 1, spares: false }, // prettier-ignore
};
const view = (of: Partial<View> = {}): View => ({
  who: "red",
  turn: 1,
  turns: 300,
  step: "",
  bases: { red: { x: 0, y: 0, health: 50, gold: 30, queued: { N: 0, E: 1 } }, blue: { x: 2, y: 1, health: 40, gold: 5, queued: {} } },
  towers: [],
  units: [],
  portals: [],
  prices: { red: { house: 12, cannon: 20 } },
  dropped: [],
  fallen: {},
  outcome: null,
  ...of,
});
const orders = (of: Parameters<typeof sheetOf<Order>>[0] = {}) => sheetOf<Order>(of);
const site = (tower: string, x: number, y: number) => option({ order: "build", tower, x, y }, { figures: { price: 12, left: 18 } });
const way = (direction: string) => option({ order: "hire", direction });

beforeEach(() => directions.tell(false));

describe("directions", () => {
  test("are told by the compass, or as seen from your base (1.8)", () => {
    expect(wordFor(setting, "blue", "N")).toBe("right");
    expect([told(setting, "red", "E"), told(setting, "red", "ahead")]).toEqual(["east", "east"]);
    directions.tell(true);
    expect([told(setting, "red", "E"), told(setting, "red", "ahead")]).toEqual(["ahead", "ahead"]);
    expect(told(setting, "nobody", "E")).toBe("east");
  });
});

describe("the sheet", () => {
  test("has one line of each part: builder, mercenary, provoking", () => {
    expect((["build", "destroy", "hire", "provoke"] as const).map((order) => sheet.partOf({ order } as Order))).toEqual([
      "builder",
      "builder",
      "hire",
      "provoke",
    ]);
  });

  test("takes a new order of a part in place of the old one", () => {
    const written = orders({ lines: [line(3, sheet.buildAt("house", 1, 0) as Order)] });
    sheet.give(written, sheet.destroyAt(1, 1));
    sheet.give(written, sheet.hireTo("N"), { price: 10 });
    expect(written.done).toEqual([
      ["change", 3, sheet.destroyAt(1, 1), {}],
      ["add", sheet.hireTo("N"), { price: 10 }],
    ]);
  });

  test("finds the lines that are drawn at a place", () => {
    const lines = [line<Order>(1, sheet.buildAt("house", 1, 0)), line<Order>(2, sheet.hireTo("N")), line<Order>(3, null)];
    expect(sheet.linesAt(lines, "1,0").map(({ key }) => key)).toEqual([1]);
  });

  test("sorts legal orders by kind and place", () => {
    const options = [
      site("house", 1, 0),
      site("cannon", 1, 0),
      option({ order: "destroy", x: 1, y: 1 }),
      way("N"),
      option({ order: "provoke" }),
    ];
    const choices = sheet.choicesOf(orders({ options }), 1);
    expect([...choices.sites].map(([kind, sites]) => [kind, [...sites.keys()]])).toEqual([
      ["house", ["1,0"]],
      ["cannon", ["1,0"]],
    ]);
    expect([[...choices.destroys.keys()], [...choices.hires.keys()], choices.provoke !== null]).toEqual([["1,1"], ["N"], true]);
  });

  test("remembers what was listed before a line of the part stood, and forgets it with the turn", () => {
    const written = orders({ options: [site("house", 1, 0), way("N")] }) as ReturnType<typeof orders> & {
      lines: unknown;
      options: unknown;
    };
    sheet.choicesOf(written, 1);
    written.lines = [line<Order>(1, sheet.buildAt("house", 1, 0))];
    written.options = [way("N")];
    expect(sheet.choicesOf(written, 1).sites.get("house")?.has("1,0")).toBe(true);
    written.options = [way("N")];
    expect(sheet.choicesOf(written, 2).sites.size).toBe(0);
  });

  test("allows nothing to who may not order", () => {
    expect(sheet.choicesOf(null, 1)).toBe(sheet.NOTHING);
    expect(sheet.choicesOf(orders({ open: false, options: [way("N")] }), 1)).toBe(sheet.NOTHING);
  });
});

describe("pieces", () => {
  const unit = { kind: "demon", side: "red", x: 2, y: 0, health: 7, damage: 1, state: "moving" };
  const tower = { kind: "cannon", owner: "red", x: 1, y: 0, cooldown: 3 };
  const portal = { x: 2, y: 0, next_in: 2, queued: 0, target: "blue", health: 9, fixed: false, released: 0 };
  const now = view({ units: [unit, { ...unit, kind: "mercenary", x: 0, y: 1, health: 3 }], towers: [tower], portals: [portal] });

  test("are units, towers and portals by their places", () => {
    expect(pieces(setting, now).map(({ what, at }) => [what, at])).toEqual([
      ["unit", "2,0"],
      ["unit", "0,1"],
      ["tower", "1,0"],
      ["portal", "2,0"],
    ]);
  });

  test("at rest have bars filled by the health that such a unit comes with", () => {
    const { units, towers } = atRest(setting, now, []);
    expect(units.map(({ health, full }) => [health, full])).toEqual([
      [7, 9], // the next demon of the portal
      [3, 5], // a mercenary
    ]);
    expect(towers).toMatchObject([{ kind: "cannon", cooldown: 3, here: 1 }]);
  });

  test("at rest show fights as far as one of the two still stands, each pair once", () => {
    const fight = (at: string, to: string) => ({ op: "flash" as const, what: "fight", at, to });
    expect(atRest(setting, now, [fight("2,0", "1,1"), fight("1,1", "2,0"), fight("8,8", "9,9")]).fights).toEqual([
      { from: [1, 1], to: [2, 0] },
    ]);
  });

  const moment = (of: Partial<Moment>): Moment => ({ still: [], moving: [], parts: [], flashes: [], counts: new Map(), events: [], seat: "", line: 0, t: 0.5, over: false, ...of }); // prettier-ignore

  test("in motion are between their tiles, and spent ones have no health left", () => {
    const drawn = {
      what: "unit",
      key: "u",
      at: "0,1",
      to: "1,1",
      way: 0.5,
      here: 0.5,
      number: 4,
      spent: true,
      kind: "mercenary",
      side: "red",
    };
    expect(inMotion(setting, now, moment({ moving: [drawn] })).units).toEqual([
      { key: "u", kind: "mercenary", side: "red", here: 0.5, x: 0.5, y: 1, health: 0, full: 5 },
    ]);
  });

  test("bases have the health and the queues of the moment", () => {
    const counts = new Map([["health blue", -3], ["queued red E", -1]]); // prettier-ignore
    const { bases } = inMotion(setting, now, moment({ counts }));
    expect([bases["blue"]!.health, bases["red"]!.queued, bases["red"]!.health]).toEqual([37, { N: 0, E: 0 }, 50]);
    expect(inMotion(setting, now, moment({})).bases).toBe(now.bases);
  });
});

describe("sentences", () => {
  const telling = (of: Partial<words.Telling> = {}): words.Telling => ({
    setting,
    ground: groundOf(setting.rows),
    view: view(),
    you: "red",
    orders: null,
    choices: sheet.NOTHING,
    ...of,
  });

  test("tell how far a tower is from acting", () => {
    expect(words.progress(setting, "cannon", 5)).toEqual({ turns: 5, come: 1 });
    expect(words.progress(setting, "cannon", 1)).toEqual({ turns: 5, come: 5 });
    expect(words.progress(setting, "cannon", 0).come).toBe(5);
    expect(words.progress(setting, "unheard", 1)).toEqual({ turns: 1, come: 1 });
  });

  test("count the tiles that a tower covers as far as the map has them", () => {
    expect(words.covered(telling(), "cannon", 1, 0).map(({ x, y }) => [x, y])).toEqual([[2, 0], [1, 1]]); // prettier-ignore
    expect(words.covered(telling(), "house", 1, 0)).toEqual([]);
  });

  test("name a price as it is now, or as the book says", () => {
    expect(words.priceOf(setting, view(), "red", "house")).toBe(12);
    expect(words.priceOf(setting, view(), "blue", "house")).toBe(10);
    expect(words.costWords({ figures: { price: 10, left: 27 } })).toMatch(/^10 gold, 27/);
    expect(words.costWords({ figures: { back: 5 } })).toMatch(/^5 gold back/);
    expect(words.costWords({})).toBe("");
  });

  test("count the gold that the lawful lines leave", () => {
    const lines = [
      line<Order>(1, sheet.buildAt("house", 1, 0)), // 12, by the prices of the view
      line<Order>(2, sheet.hireTo("N"), { figures: { price: 10 } }),
      line<Order>(3, sheet.buildAt("cannon", 1, 0), { fault: fault() }),
      line<Order>(4, null, { text: "what?" }),
    ];
    expect(words.goldLeft(setting, view(), lines)).toBe(30 - 12 - 10);
    expect(words.goldLeft(setting, view(), [line<Order>(1, sheet.destroyAt(1, 0), { figures: { back: 6 } })])).toBe(36);
  });

  test("name a tile with all that stands there", () => {
    const tower = { kind: "cannon", owner: "red", x: 1, y: 0, cooldown: 1 };
    const said = words.cellName(telling({ view: view({ towers: [tower] }) }), "1,0");
    expect(said).toMatch(/^1,0, red .*red cannon.*this turn.*4 damage.*2: covers 1 lane tile$/); // 2,0 is a lane, 1,1 is blue's
    expect(words.cellName(telling(), "0,0")).toMatch(/red base, 50 health, 30 gold.*east$/);
    expect(words.cellName(telling(), "9,9")).toBe("9,9");
  });

  test("count turns to the next wave", () => {
    const portal = { x: 2, y: 0, queued: 0, target: "blue", health: 9, fixed: false, released: 0 };
    const said = [0, 1, 2].map((next_in) => words.portalWords({ ...portal, next_in }));
    expect(said[0]).toContain("this turn");
    expect(said[1]).toContain("1 turn:");
    expect(said[2]).toContain("2 turns:");
  });

  test("of orders name what and where", () => {
    expect(words.orderWords(sheet.buildAt("house", 1, 0)).text).toMatch(/^House.*1,0$/);
    expect(words.orderWords(sheet.destroyAt(1, 0)).text).toMatch(/1,0$/);
    expect(["hire north", "Send a mercenary South", "hire left", "build house 1,0"].map(sheet.spelt)).toEqual([
      "hire N",
      "hire S",
      "hire left",
      "build house 1,0",
    ]);
    expect(words.orderWords(sheet.hireTo("N"))).toMatchObject({ text: expect.stringMatching(/north$/), icon: "up" });
    expect(words.orderWords(sheet.hireTo("ahead")).text).toMatch(/ahead$/);
  });

  test("of a refused line have its reason and its paragraph", () => {
    const refused = line<Order>(1, null, { text: "bild house", fault: fault("no such word", "4.1") });
    expect(words.refusal(refused)).toMatchObject({ refused: true, subject: expect.stringContaining("bild house"), rule: "4.1" });
  });
});

describe("music", () => {
  test("is as tense as the seat that has more to fear, between 0 and 1", () => {
    expect(tensionOf({ tension: { red: 0.2, blue: 0.7 } })).toBe(0.7);
    expect(tensionOf({ tension: { red: 9 } })).toBe(1);
    expect(tensionOf({ tension: { red: -1 } })).toBe(0);
    expect(tensionOf({})).toBe(0);
  });

  test("is for who is ahead by health, then by worth", () => {
    expect(aheadOf({ health: { red: 10, blue: 20 }, worth: { red: 9, blue: 0 } })).toBe("blue");
    expect(aheadOf({ health: { red: 10, blue: 10 }, worth: { red: 9, blue: 0 } })).toBe("red");
    expect(aheadOf({ health: { red: 10, blue: 10 } })).toBeNull();
    expect(aheadOf({})).toBeNull();
  });
});
