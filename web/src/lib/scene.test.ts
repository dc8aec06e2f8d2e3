import { describe, expect, test } from "vitest";
import { frame, told } from "../testing/make";
import type { Beat, Frame, Op, Show } from "../wire";
import { ease, happened, momentAfter, momentOf, operations, resting, singles, type Moment, type Piece } from "./scene";

type Views = Record<string, Piece[]>;
const at = (what: string, place: string, number?: number): Piece => ({ what, at: place, ...(number === undefined ? {} : { number }) });

/** A turn of stages, each a list of beats, each a list of operations; looked at when stage `index` is at `t`. */
function show(views: Views, stages: readonly (readonly Op[])[][]): { look: (index: number, t: number) => Moment; after: Frame } {
  const before = frame({ view: "before" });
  const made = stages.map((beats, i) => ({ name: String(i), ms: 1, beats: beats.map((ops) => ({ ops: [...ops] })) }));
  const after = frame({ view: "after", stages: made });
  const pieces = ({ view }: Frame): Piece[] => views[view]!;
  return { after, look: (index, t) => momentOf({ before, after, shows: {}, index, t }, pieces) };
}

const all = ({ still, moving }: Moment) => [...still, ...moving];
const stands = (moment: Moment): unknown[] =>
  all(moment)
    .map(({ what, at, number }) => [what, at, number])
    .sort();

describe("a march, a fight and an end", () => {
  const { look } = show(
    {
      before: [at("army red", "a", 3), at("army blue", "b", 2), { what: "land", at: "b", owner: "blue" }],
      after: [at("army red", "c", 9)],
    },
    [
      [
        [
          { op: "move", what: "army red", at: "a", to: "b", number: 2 },
          { op: "move", what: "army blue", at: "b", to: "a" },
          { op: "change", what: "land", at: "b", set: { owner: "red" } },
          { op: "count", what: "gold red", number: 5 },
        ],
      ],
      [
        [
          { op: "flash", what: "fight", at: "b", to: "a", lean: "army red" },
          { op: "count", what: "army red", at: "b", number: -1 },
        ],
        [
          { op: "vanish", what: "army blue", at: "a" },
          { op: "appear", what: "army red", at: "b", number: 4 },
        ],
      ],
      [[{ op: "flash", what: "end", at: "c" }]],
    ],
  );
  const owner = (moment: Moment) => all(moment).find(({ what }) => what === "land")!["owner"];

  test("those who move are on their way, and nothing is there twice", () => {
    expect(stands(look(0, 0))).toEqual([
      ["army blue", "b", 2],
      ["army red", "a", 1],
      ["army red", "a", 2],
      ["land", "b", undefined],
    ]);
    const half = Object.fromEntries(look(0, 0.5).moving.map(({ what, at, to, way }) => [`${what} ${at}-${to}`, way]));
    expect(half).toEqual({ "army red a-b": 0.5, "army blue b-a": 0.5, "army red a-a": 0, "land b-b": 0 });
    expect(stands(look(0, 1))).toEqual([
      ["army blue", "a", 2],
      ["army red", "a", 1],
      ["army red", "b", 2],
      ["land", "b", undefined],
    ]);
  });

  test("land changes hands when those who come have come", () => {
    expect(owner(look(0, 0.5))).toBe("blue");
    expect(owner(look(0, 1))).toBe("red");
  });

  test("sums beside the board are counted in the second half", () => {
    expect([...look(0, 0).counts]).toEqual([]);
    expect([...look(0, 1).counts]).toEqual([["gold red", 5]]);
    expect([...look(1, 1).counts]).toEqual([["gold red", 5]]);
  });

  test("beats follow each other", () => {
    const [early, late, second, end] = [look(1, 0.2), look(1, 0.45), look(1, 0.9), look(1, 1)];
    expect(stands(early)).toContainEqual(["army red", "b", 2]);
    expect(stands(late)).toContainEqual(["army red", "b", 1]);
    expect(early.flashes).toEqual([{ what: "fight", at: "b", to: "a", number: 0 }]);
    expect(second.flashes).toEqual([]);
    const blue = all(second).find(({ what }) => what === "army blue")!;
    expect(blue.here).toBeGreaterThan(0);
    expect(blue.here).toBeLessThan(1);
    expect(stands(end)).toEqual([
      ["army red", "a", 1],
      ["army red", "b", 5],
      ["land", "b", undefined],
    ]);
  });

  test("who strikes leans towards the other", () => {
    const leaning = look(1, 0.2).moving.find(({ what, at }) => what === "army red" && at === "b")!;
    expect(leaning.to).toBe("a");
    expect(leaning.way).toBeGreaterThan(0);
    expect(leaning.way).toBeLessThan(0.2);
  });

  test("when all is over, the board is what the turn led to", () => {
    expect(stands(look(2, 0.5))).toContainEqual(["army red", "b", 5]);
    expect(look(2, 0.5).over).toBe(false);
    expect(look(2, 1).over).toBe(true);
    expect(stands(look(2, 1))).toEqual([["army red", "c", 9]]);
    expect(look(2, 1).flashes.map(({ what }) => what)).toEqual(["end"]);
  });

  test("pieces that have no part in a beat are the same objects from picture to picture", () => {
    expect(look(1, 0.1).still).toBe(look(1, 0.3).still);
  });
});

describe("numbers", () => {
  const hurt = (place: string, number: number): Op => ({ op: "count", what: "unit", at: place, number });

  test("what is counted of a piece in a beat is added up: it may be saved by what it gains", () => {
    const ops = [hurt("a", -5), hurt("b", -3), hurt("a", 10), hurt("b", -3)];
    const units = [at("unit", "a", 5), at("unit", "b", 5), at("unit", "c", 5)];
    const { look, after } = show({ before: units, after: [] }, [[ops], [[hurt("c", -1)]]]);
    expect(happened(after, {})).toEqual([...ops, hurt("c", -1)]);
    const late = look(0, 0.75).moving;
    expect(late.map(({ at, number, here, spent }) => [at, number, here, spent]).sort()).toEqual([
      ["a", 10, 1, undefined],
      ["b", 5, 0.5, true],
    ]);
    expect(stands(look(0, 1))).toEqual([
      ["unit", "a", 10],
      ["unit", "c", 5],
    ]);
  });

  test("those who are joined are not there twice", () => {
    const march: Op = { op: "move", what: "army red", at: "a", to: "b", number: 2 };
    const armies = [at("army red", "a", 3), at("army red", "b", 5), at("army red", "c", 1)];
    const { look } = show({ before: armies, after: [] }, [[[march]], [[{ op: "flash", what: "end", at: "a" }]]]);
    const ways = (moment: Moment) => all(moment).map(({ at, to, number }) => [at, to, number]);
    expect(ways(look(0, 0.6)).sort()).toEqual([
      ["a", "a", 1],
      ["a", "b", 2],
      ["b", "b", 5],
      ["c", "c", 1],
    ]);
    expect(ways(look(0, 1)).sort()).toEqual([
      ["a", "a", 1],
      ["b", "b", 7],
      ["c", "c", 1],
    ]);
  });

  test("who comes out of the fog is made on the way", () => {
    const { look } = show({ before: [], after: [] }, [
      [[{ op: "move", what: "army red", at: "fog", to: "a", number: 4 }]],
      [[{ op: "flash", what: "end", at: "a" }]],
    ]);
    expect(look(0, 0.5).moving.map(({ at, to, number, way }) => [at, to, number, way])).toEqual([["fog", "a", 4, 0.5]]);
    expect(stands(look(0, 1))).toEqual([["army red", "a", 4]]);
  });

  test("what is counted of a piece that is not seen changes nothing", () => {
    const { look } = show({ before: [], after: [] }, [[[hurt("a", -1)]], [[{ op: "flash", what: "end", at: "a" }]]]);
    expect(stands(look(0, 1))).toEqual([]);
  });
});

describe("a change without properties", () => {
  const tower = (place: string, cooldown: number): Piece => ({ what: "tower", at: place, cooldown });
  const views = {
    before: [tower("a", 1), tower("b", 3), tower("c", 4), tower("d", 2)],
    after: [tower("a", 5), tower("b", 2), tower("c", 4)],
  };
  const { look } = show(views, [
    [[{ op: "change", what: "tower", at: "a" }]],
    [[{ op: "change", what: "tower" }]],
    [[{ op: "flash", what: "end", at: "a" }]],
  ]);
  const cooldowns = (moment: Moment) => Object.fromEntries(all(moment).map((piece) => [piece.at, piece["cooldown"]]));

  test("makes one piece, or all that are called so, what they are after the turn", () => {
    expect(cooldowns(look(0, 0.25))).toEqual({ a: 1, b: 3, c: 4, d: 2 });
    expect(cooldowns(look(0, 0.75))).toEqual({ a: 5, b: 3, c: 4, d: 2 });
    expect(cooldowns(look(1, 1))).toEqual({ a: 5, b: 2, c: 4, d: 2 });
    expect(cooldowns(look(2, 0.5))).toEqual({ a: 5, b: 2, c: 4, d: 2 });
  });

  test("leaves those alone that stay as they are", () => {
    expect(look(1, 1).moving.map(({ at }) => at)).toEqual(["b"]);
  });
});

describe("beats", () => {
  const turn = (beats: Beat[], lines: number[] = []) => ({
    before: frame({ view: "before" }),
    shows: {},
    after: frame({ view: "after", events: lines.map((line) => told({ line })), stages: [{ name: "All", ms: 1, beats }] }),
  });
  const views: Views = { before: [at("unit", "b")], after: [at("unit", "z")] };
  const pieces = ({ view }: Frame): Piece[] => views[view]!;

  test("one may stand for a beat of every line", () => {
    const beats: Beat[] = [
      {
        events: [
          [0, 1],
          [2, 3],
        ],
        seat: "red",
        by_line: true,
      },
      { events: [[1, 1]] },
    ];
    const made = turn(beats, [1, 0, 2, 2, 4]);
    const found = beats.flatMap((beat) => singles(beat, made.after.events));
    expect(found.map(({ seat, line, events }) => [seat, line, events!.map(([first]) => first)])).toEqual([
      ["red", 1, [0]],
      ["red", 2, [2, 3]],
      ["red", 4, [4]],
      [undefined, undefined, [1]],
    ]);
    const moments = [1, 2].map((beat) => momentAfter(made, beat, pieces));
    expect(moments.map(({ seat, line }) => [seat, line])).toEqual([
      ["red", 2],
      ["red", 4],
    ]);
  });

  test("after each the board is known, and pieces are told apart by their keys", () => {
    const made: Op = { op: "appear", what: "unit", at: "a" };
    const gone: Op = { op: "move", what: "unit", at: "a", to: "c" };
    const played = turn([[made], [gone], [made], [{ op: "vanish", what: "unit" } as Op], [made]].map((ops) => ({ ops })));
    const moments = [0, 1, 2, 3, 4].map((beat) => momentAfter(played, beat, pieces));
    expect(
      moments.map((moment) =>
        all(moment)
          .map((piece) => piece.at)
          .sort(),
      ),
    ).toEqual([["a", "b"], ["b", "c"], ["a", "b", "c"], [], ["z"]]);
    for (const moment of moments) expect(new Set(all(moment).map(({ key }) => key)).size).toBe(all(moment).length);
    expect(moments.map(({ over }) => over)).toEqual([false, false, false, false, true]);
  });

  test("longer ones take more of their stage", () => {
    const flash = (what: string): Op[] => [{ op: "flash", what, at: "b" }];
    const played = turn([{ ops: flash("long"), ms: 300 }, { ops: flash("short") }]); // one without a length counts 100
    const seen = (t: number) => momentOf({ ...played, index: 0, t }, pieces).flashes[0]!.what;
    expect([0, 0.74, 0.76, 1].map(seen)).toEqual(["long", "long", "short", "short"]);
  });

  test("of a stage without any show the board before the turn", () => {
    const played = turn([]);
    const moment = momentOf({ ...played, index: 0, t: 0.5 }, pieces);
    expect(stands(moment)).toEqual([["unit", "b", undefined]]);
    expect(moment.over).toBe(false);
  });
});

describe("what an event does", () => {
  const shows: Record<string, Show[]> = {
    moved: [
      { op: "move", what: "army {nation}", at: "{hex}", to: "{to}", number: "{number}" },
      { op: "count", what: "gold {nation}", number: "-{number}" },
      { op: "change", what: "land", at: "{to}", set: { owner: "{nation}", fixed: true } },
    ],
    paid: [{ op: "count", what: "gold", number: "5" }],
  };

  test("is said by its kind, with its fields filled in", () => {
    expect(operations(told({ kind: "moved", nation: "red", hex: "a", to: "b", number: 2 }), shows)).toEqual([
      { op: "move", what: "army red", at: "a", to: "b", lean: "", number: 2 },
      { op: "count", what: "gold red", at: "", to: "", lean: "", number: -2 },
      { op: "change", what: "land", at: "b", to: "", lean: "", number: null, set: { owner: "red", fixed: true } },
    ]);
    expect(operations(told({ kind: "paid" }), shows)[0]!.number).toBe(5);
  });

  test("is not shown as far as the audience does not know it", () => {
    expect(operations(told({ kind: "moved", nation: "red", hex: null, to: "b" }), shows).map(({ op }) => op)).toEqual(["count", "change"]);
    expect(operations(told({ kind: "unheard" }), shows)).toEqual([]);
  });
});

test("pieces at rest have keys that count those of their name", () => {
  expect(resting([at("unit", "a"), at("tower", "a"), at("unit", "b")]).map(({ key }) => key)).toEqual(["unit 0", "tower 0", "unit 1"]);
});

test("easing begins and ends at rest, and is half way in the middle", () => {
  expect([0, 0.5, 1].map(ease)).toEqual([0, 0.5, 1]);
  expect(ease(0.01)).toBeLessThan(0.01);
  expect(ease(0.99)).toBeGreaterThan(0.99);
});
