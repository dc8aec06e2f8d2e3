// @vitest-environment happy-dom
// Geometry, orders, crews and pieces of Minions.

import { beforeEach, describe, expect, test } from "vitest";
import { fault, frame, line, option, orders as sheetOf, told, warning } from "../../testing/make";
import type { Crew } from "../../wire";
import { commands, dutiesOf, gazeOf, gazesOn, isDone, nameOf, roleOf } from "./crew";
import { deedsOf as turnDeeds, movesOn } from "./deeds";
import { desk } from "./desk.svelte";
import { asideOf, between, columnOf, drawn, frameOf, groundOf, hexAt, HEXES, middle, placeOf, S, step } from "./geometry";
import { afterBeat, pieces } from "./pieces";
import { marksOf, secondOf } from "./shapes";
import { addAll, brokenBy, choicesOn, deedsOf, linesOn, refusedOn, roomFor, spellOn, spellsOn, stepsOf, strike, type Line } from "./sheet";
import { complete } from "./typed";
import type { Order, Setting, TypeFacts, Unit, View } from "./wire";
import * as words from "./words";

describe("hexes", () => {
  test("are a hundred, files a to j and ranks 0 to 9", () => {
    expect([HEXES.length, HEXES[0], HEXES.at(-1)]).toEqual([100, "a0", "j9"]);
    expect([placeOf("c7"), hexAt(2, 7), hexAt(10, 0), hexAt(0, -1)]).toEqual([{ x: 2, y: 7 }, "c7", null, null]);
  });

  test("have six neighbours at one distance", () => {
    const [x, y] = middle("e4");
    for (const hex of ["d4", "f4", "e5", "d5", "e3", "f3"]) {
      const [nx, ny] = middle(hex);
      expect(Math.hypot(nx - x, ny - y)).toBeCloseTo(Math.sqrt(3) * S, 6);
    }
  });

  test("of a turned board lie where their opposites lie", () => {
    expect(middle("a0", true)).toEqual(middle("j9"));
    expect(middle("c7", true)).toEqual(middle("h2"));
  });

  test("lie within the frame, with their corners", () => {
    for (const labelled of [true, false]) {
      const [left, top, wide, high] = frameOf(labelled);
      for (const hex of HEXES) {
        const [x, y] = middle(hex);
        expect(x - S).toBeGreaterThan(left - S);
        expect(x + (Math.sqrt(3) / 2) * S).toBeLessThanOrEqual(left + wide);
        expect(y - S).toBeGreaterThanOrEqual(top);
        expect(y + S).toBeLessThanOrEqual(top + high);
      }
    }
  });

  test("between two there is a way", () => {
    expect(between([0, 0], [10, 20], 0.5)).toEqual([5, 10]);
  });
});

describe("a map", () => {
  // Rows from rank 0 up; a digit for so many plain hexes, 0 for ten.
  const rows = `G8W/0/${Array.from({ length: 8 }, () => "0").join("/")}`;

  test("is a hundred hexes, some of them graveyards or water", () => {
    const ground = groundOf(rows);
    expect(ground.size).toBe(100);
    expect([ground.get("a0"), ground.get("b0"), ground.get("j0"), ground.get("j9")]).toEqual(["graveyard", "plain", "water", "plain"]);
  });

  test("is drawn with its graveyards told apart", () => {
    const found = drawn(rows, false);
    expect(found.yards).toEqual(["a0"]);
    expect(found.plain.match(/z/g)).toHaveLength(98);
    expect(found.waves).not.toBe("");
  });
});

describe("arrow keys", () => {
  const column = columnOf("e4");

  test("lead to the neighbour, and up and down to the nearer of two", () => {
    expect([step("e4", "left", column), step("e4", "right", column)]).toEqual(["d4", "f4"]);
    expect([step("e4", "up", column), step("e4", "up", column, { other: true })].sort()).toEqual(["d5", "e5"]);
    expect([step("e4", "down", column), step("e4", "down", column, { other: true })].sort()).toEqual(["e3", "f3"]);
  });

  test("go straight up in a zigzag", () => {
    let hex = "e0";
    for (let i = 0; i < 8; i++) hex = step(hex, "up", columnOf("e0"))!;
    expect(columnOf(hex)).toBe(columnOf("e0"));
  });

  test("stop at the edge, and lead as it is seen on a turned board", () => {
    expect([step("a0", "left", 0), step("a0", "down", 0), step("a5", "up", columnOf("a5"))]).toEqual([null, null, "a6"]);
    expect(step("e4", "left", column, { turned: true })).toBe("f4");
    expect(["e3", "f3"]).toContain(step("e4", "up", column, { turned: true }));
  });
});

test("a card has its place beside the board, or none", () => {
  const [, , wide, tall] = frameOf(true);
  expect(asideOf(wide, tall, { width: 5 * wide, height: 10 }, true)).toBeNull();
  expect(asideOf(3 * wide, tall, { width: 10, height: 10 }, true)).toBeCloseTo(wide, 6); // in the middle
  const tight = asideOf(1.5 * wide, tall, { width: 0.4 * wide, height: tall }, true)!;
  expect(tight).toBeLessThan(0.25 * wide); // moved to the left
});

const orders = (of: Parameters<typeof sheetOf<Order>>[0] = {}) => sheetOf<Order>(of);
const move = (start: string, target: string, board = 1): Order => ({ order: "move", board, start, target });
const attack = (start: string, target: string, board = 1): Order => ({ order: "attack", board, start, target });
const spawn = (unit: string, target: string, board = 1): Order => ({ order: "spawn", board, unit, target });
const spells = (...names: string[]): Order => ({ order: "spells", spells: names });

describe("legal orders on a board", () => {
  const options = [
    option(move("a1", "a2")),
    option(move("a1", "b1")),
    option({ ...move("c1", "c2"), board: null }),
    option(move("d1", "d2", 2)),
    option(attack("a1", "a3")),
    option({ order: "blink", board: 1, start: "h1" }),
    option({ order: "tick", board: 1, moves: ["e1-e2", "e2-e1"] }),
    option(spawn("Z", "f1")),
    option({ order: "buy", board: 1, unit: "B" }, { figures: { hexes: ["g1", "g2"] } }),
    option({ order: "resign", board: 1 }),
    option(spells("tech 1"), { figures: { card: 1 } }),
    option({ order: "end" }),
  ];
  const choices = choicesOn(options, 1);

  test("is found by start and target; without a number it is board 1", () => {
    expect([...choices.moves].map(([start, targets]) => [start, [...targets.keys()]])).toEqual([
      ["a1", ["a2", "b1"]],
      ["c1", ["c2"]],
    ]);
    expect([...choices.attacks.keys()]).toEqual(["a1"]);
    expect(choices.resign).not.toBeNull();
    expect([...choices.blinks.keys()]).toEqual(["h1"]);
    expect([...choicesOn(options, 2).moves.keys()]).toEqual(["d1"]);
  });

  test("swaps are found from either of the two", () => {
    expect(choices.swaps.get("e1")?.has("e2")).toBe(true);
    expect(choices.swaps.get("e2")?.has("e1")).toBe(true);
  });

  test("a unit has room from the reserve, or after it was bought, or nowhere", () => {
    expect([...roomFor(choices, "Z")]).toEqual(["f1"]);
    expect([...roomFor(choices, "B")]).toEqual(["g1", "g2"]);
    expect([...roomFor(choices, "X")]).toEqual([]);
  });

  test("spells are found by their card", () => {
    expect([...spellsOn(options).keys()]).toEqual([1]);
  });
});

describe("lines", () => {
  test("belong to their board; spells and the end of the turn to none", () => {
    const lines: Line[] = [line(1, move("a1", "a2")), line(2, move("a1", "a2", 2)), line(3, spells("march")), line<Order>(4, null)];
    expect(linesOn(lines, 1).map(({ key }) => key)).toEqual([1]);
    expect(linesOn(lines, 0).map(({ key }) => key)).toEqual([3, 4]);
  });

  test("send units, also several at once, unless they are refused", () => {
    const lines: Line[] = [
      line(1, move("a1", "a2")),
      line<Order>(2, { order: "tick", board: 1, moves: ["b1-b2", "c1-c2"] }),
      line(3, move("d1", "d9"), { fault: fault() }),
    ];
    expect(stepsOf(lines)).toEqual([{ from: "a1", to: "a2" }, { from: "b1", to: "b2" }, { from: "c1", to: "c2" }]); // prettier-ignore
    expect(refusedOn(lines)).toEqual(["d9"]);
  });

  test("of one unit are found back to where it began, and no others", () => {
    const lines: Line[] = [
      line(1, spawn("Z", "a1")),
      line(2, move("b1", "c1")), // another unit, which makes room
      line<Order>(3, { order: "tick", board: 1, moves: ["a1-b1", "x1-a1"] }),
      line(4, attack("b1", "b3")),
      line(5, attack("c1", "c3")),
      line(6, move("a1", "b1", 2)), // on another board
    ];
    expect(deedsOf(lines, 1, "b1").map(({ key }) => key)).toEqual([4, 3, 1]);
    expect(deedsOf(lines, 1, "c1").map(({ key }) => key)).toEqual([5, 2]);
    expect(deedsOf(lines, 1, "j9")).toEqual([]);
  });

  test("of a card are its last spell, or else the last march", () => {
    const lines: Line[] = [line(1, spells("march")), line(2, spells("tech 3")), line(3, spells("tech Zombie")), line(4, spells("march"))];
    expect(spellOn(lines, 3, "Skeleton").map(({ key }) => key)).toEqual([2]);
    expect(spellOn(lines, 9, "zombie").map(({ key }) => key)).toEqual([3]);
    expect(spellOn(lines, 5, "Ghost").map(({ key }) => key)).toEqual([4]);
    expect(spellOn([], 5, "Ghost")).toEqual([]);
  });

  test("that striking others broke are told from those that were wrong before", () => {
    const before = [
      line(1, move("a1", "a2"), { text: "a" }),
      line(2, attack("a2", "a3"), { text: "b" }),
      line(3, move("z", "z"), { text: "c", fault: fault() }),
    ];
    const after = [line(2, attack("a2", "a3"), { text: "b", fault: fault() }), line(3, move("z", "z"), { text: "c", fault: fault() })];
    expect(brokenBy(orders(), before, after).map(({ key }) => key)).toEqual([2]);
    expect(brokenBy(orders({ owns: () => false }), before, after)).toEqual([]);
    expect(brokenBy(orders(), after, before)).toEqual([]);
  });

  test("are struck and added as one step", () => {
    const lines = [line(1, move("a1", "a2")), line(2, attack("a2", "a3")), line<Order>(3, null, { text: "what?" })];
    const sheet = orders({ lines });
    strike(sheet, []);
    strike(sheet, [lines[0]!]);
    strike(sheet, lines.slice(0, 2));
    addAll(sheet, [{ order: move("b1", "b2"), figures: { yard: true } }]);
    addAll(sheet, [{ order: spawn("Z", "a1") }, { order: spawn("Z", "a2") }]);
    expect(sheet.done).toEqual([
      ["strike", 1],
      ["set", ["what?"]],
      ["add", move("b1", "b2"), { yard: true }],
      ["set", [move("a1", "a2"), attack("a2", "a3"), "what?", spawn("Z", "a1"), spawn("Z", "a2")]],
    ]);
  });
});

describe("a typed line", () => {
  const options = ["1 move c1-c0", "2 move c1-c2", "2 attack c1-c3", "spells: march"].map((text) => option({}, { text }));

  beforeEach(() => void (desk.focus = 2));

  test("is meant for the board in focus first", () => {
    expect(complete("c1", options)).toEqual(["2 move c1-c2", "2 attack c1-c3"]);
    expect(complete("c1 c3", options)).toEqual(["2 attack c1-c3"]);
    expect(complete("attack", options)).toEqual(["2 attack c1-c3"]);
  });

  test("may name the board, in any signs and letters", () => {
    expect(complete("1 MOVE C1>c", options)).toEqual(["1 move c1-c0"]);
    expect(complete("spells march", options)).toEqual(["spells: march"]);
    expect(complete("z", options)).toEqual([]);
  });
});

describe("a crew", () => {
  const one = (player: string, of: Partial<Crew> = {}): Crew => ({
    player,
    roles: [],
    you: false,
    here: true,
    looks: null,
    done: [],
    wait: null,
    ...of,
  });
  const crew = [
    one("Ada", { roles: ["general"], you: true, looks: "1 a1" }),
    one("Bo", { roles: ["captain 1"], done: ["captain 1"], looks: "1 c4" }),
    one("Cy", { looks: "1 c4" }),
    one("Di", { looks: "0", here: false }),
  ];

  test("has a general for the techline and a captain for each board", () => {
    expect([roleOf(0), roleOf(2)]).toEqual(["general", "captain 2"]);
    const duties = dutiesOf(crew, 2);
    expect(duties.map(({ role, holder, done }) => [role, nameOf(holder), done])).toEqual([
      ["general", "you", false],
      ["captain 1", "Bo", true],
      ["captain 2", "nobody", false],
    ]);
    expect(duties[1]!.watchers).toEqual(["Cy"]); // neither the captain nor you
  });

  test("gives orders by its roles; a lone person gives all", () => {
    expect(commands([], [], 1)).toBe(true);
    expect([commands(crew, ["general"], 0), commands(crew, ["general"], 1)]).toEqual([true, false]);
    expect([isDone(crew, 1), isDone(crew, 2)]).toEqual([true, false]);
  });

  test("looks at a board, and perhaps at a hex, while it is here", () => {
    expect(gazeOf(one("x", { looks: "2" }))).toEqual({ board: 2, hex: null });
    for (const of of [{ looks: null }, { looks: "1 a1", here: false }, { looks: "<b>" }, { looks: "1 z9" }])
      expect(gazeOf(one("x", of))).toBeNull();
    expect([...gazesOn(crew, 1)]).toEqual([["c4", "Bo, Cy"]]);
  });
});

const facts = (name: string, of: Partial<TypeFacts> = {}): TypeFacts => ({ name, letter: name.charAt(0), attack: "hit", number: 2, defence: 4, speed: 1, range: 1, cost: 3, rebate: 1, keywords: [], basic: true, reach: 1, words: "", ...of }); // prettier-ignore
const setting = {
  boards: 1,
  maps: [`G9/${Array.from({ length: 9 }, () => "0").join("/")}`],
  names: [""],
  line: [],
  units: [facts("Zombie"), facts("Bone Rat", { attack: "flurry", number: 3 })],
  necromancers: [facts("Basic", { keywords: ["Necromancer"] }), facts("Ghoul"), facts("Grim"), facts("Wisp")],
  pool: ["Ghoul", "Grim", "Wisp"],
} as unknown as Setting;
const unit = (hex: string, of: Partial<Unit> = {}): Unit => ({ hex, side: "yellow", type: "Zombie", letter: "Z", ...of });
const view = (units: Unit[], of: Partial<View> = {}): View => ({
  who: "yellow",
  turn: 1,
  side: "yellow",
  boards: [
    {
      number: 1,
      state: "",
      units,
      zones: { yellow: { Zombie: 2 }, blue: {} },
      due: false,
      closed: false,
      resigned: false,
      killed: false,
      income: { yellow: 3 },
    },
  ],
  spells: { yellow: [0, 2], blue: [0, 0] },
  money: { yellow: 6, blue: 6 },
  points: { yellow: 0, blue: 0 },
  used: {},
  placed: 0,
  teched: [],
  gave_up: [],
  outcome: null,
  ...of,
});

describe("pieces", () => {
  test("are units with their attacks, reserves and spells", () => {
    expect(pieces(setting, view([unit("a0", { used: 1 })])).map(({ what, at, number }) => [what, at, number])).toEqual([
      ["unit 1", "1 a0", undefined],
      ["attacks 1", "1 a0", 1],
      ["reserve yellow Zombie", "1", 2],
      ["spells yellow", "card 2", 2],
    ]);
  });

  test("make a view of the middle of a turn", () => {
    const before = frame({ view: view([unit("a0"), unit("b0", { side: "blue" })]) });
    const after = frame({
      view: view([unit("a1")]),
      stages: [
        { name: "Orders", ms: 1, beats: [
          { ops: [{ op: "move", what: "unit 1", at: "1 a0", to: "1 a1" }], line: 4 },
          { ops: [{ op: "vanish", what: "unit 1", at: "1 b0" }, { op: "count", what: "money yellow", number: -2 }, { op: "count", what: "reserve yellow Zombie", at: "1", number: -1 }] },
          { ops: [{ op: "flash", what: "end", at: "1" }] },
        ] },
      ], // prettier-ignore
    });
    const turn = { before, after, shows: {} };
    const first = afterBeat(setting, turn, 0);
    expect([first.line, first.view.boards[0]!.units.map(({ hex }) => hex).sort()]).toEqual([4, ["a1", "b0"]]);
    const second = afterBeat(setting, turn, 1).view;
    expect([
      second.boards[0]!.units.map(({ hex }) => hex),
      second.money,
      second.boards[0]!.zones["yellow"],
      second.spells["yellow"],
    ]).toEqual([["a1"], { yellow: 4, blue: 6 }, { Zombie: 1 }, [0, 2]]);
    expect(afterBeat(setting, turn, 2).view).toBe(after.view);
  });
});

describe("the last turn", () => {
  const moved = (hex: string, to: string, board = 1) => told({ kind: "moved", rule: "5.1", board, hex, to });

  test("is told order by order, and last what its end brought", () => {
    const played = frame({
      events: [moved("a0", "a1"), moved("b0", "b1", 2), told({ kind: "income", rule: "11.1" })],
      stages: [{ name: "", ms: 1, beats: [{ events: [[0, 1]], line: 1 }, { events: [[1, 1]], line: 2 }, { events: [[2, 1]] }] }],
    });
    expect(turnDeeds(played).map(({ line, board, beat }) => [line, board, beat])).toEqual([
      [1, 1, 0],
      [2, 2, 1],
      [0, 0, 2],
    ]);
    expect(turnDeeds(frame())).toEqual([]);
  });

  test("shows where units of a board went, unless it was reset after", () => {
    const events = [moved("a0", "a1"), moved("b0", "b1", 2)];
    expect(movesOn(events, 1)).toEqual([{ from: "a0", to: "a1" }]);
    expect(movesOn([...events, told({ kind: "reset", rule: "10.1", board: 1 })], 1)).toEqual([]);
  });
});

describe("units", () => {
  test("are drawn by silhouette and letter as far as there is room", () => {
    expect(marksOf("Unheard", "U", 99)).toEqual({ paths: null, lettered: true });
    const sizes = [20, 30, 40].map((across) => marksOf("Basic", "N", across));
    expect(sizes.map(({ paths, lettered }) => [paths !== null, lettered])).toEqual([
      [false, true],
      [true, false],
      [true, true],
    ]);
  });

  test("advanced necromancers have a second letter, two where types begin alike", () => {
    const second = (type: string, letter = "N") => secondOf(setting, { type, letter });
    expect([second("Wisp"), second("Ghoul"), second("Grim"), second("Basic"), second("Zombie", "Z")]).toEqual(["W", "Gh", "Gr", "", ""]);
  });

  test("have what is left of their defence, if they are damaged", () => {
    expect(words.leftOf(setting, unit("a0", { damage: 1 }))).toBe(3);
    expect(words.leftOf(setting, unit("a0"))).toBeNull();
    expect([words.acted(unit("a0")), words.acted(unit("a0", { used: 1 })), words.acted(unit("a0", { fresh: true }))]).toEqual([
      false,
      true,
      true,
    ]);
  });

  test("are known by letter or type", () => {
    expect(words.letterOf(setting, { type: "Bone Rat", letter: "" })).toBe("B");
    expect(words.byLetter(setting, "Z")?.name).toBe("Zombie");
    expect(words.factsOf(setting, { type: "Wisp", letter: "N" })?.name).toBe("Wisp");
    expect(words.factsOf(setting, { type: "Wisp", letter: "W" })).toBeNull();
  });

  test("have figures in short", () => {
    expect(words.attackFigure(facts("a"))).toBe("2");
    expect(words.attackFigure(facts("a", { attack: "flurry", number: 3 }))).toBe("3×1");
    expect(words.attackFigure(facts("a", { range: 0 }))).toBe("–");
  });

  test("hold graveyards, and a side has its income in all", () => {
    const now = view([unit("a0"), unit("b0"), unit("a0", { side: "blue" })]);
    expect(words.yardsHeld(setting, now.boards[0]!, "yellow")).toBe(1);
    expect([words.incomeOf(now, "yellow"), words.incomeOf(now, "blue")]).toEqual([3, 0]);
  });

  test("are in danger where an alert says so", () => {
    const alerts = [warning({ where: "board 1 c4" }), warning({ where: "board 12" })];
    expect([words.dangerOn(alerts, 1, "c4"), words.dangerOn(alerts, 1, "c5"), words.dangerOn(alerts, 2, "c4")]).toEqual([
      alerts[0],
      null,
      null,
    ]);
    expect([words.alertOn(alerts, 1)?.where, words.alertOn(alerts, 2)]).toEqual(["board 1 c4", null]);
  });

  test("what an attack does is told by its figures", () => {
    expect(words.outcomeWords({ does: "hit", left: 3 }, "blue")).toMatch(/^3 /);
    expect(words.outcomeWords({ does: "destroyed", back: 1 }, "blue")).toMatch(/Blue.*1 back$/);
    expect(words.outcomeWords({ does: "destroyed", back: 0 }, "blue")).not.toMatch(/Blue/);
  });

  test("boards without a name are called by their number, and each side has another", () => {
    expect(words.other("yellow")).toBe("blue");
    expect(words.boardName(setting, 1)).toBe("Board 1");
  });
});
