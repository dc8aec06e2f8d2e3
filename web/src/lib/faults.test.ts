import { describe, expect, test } from "vitest";
import { fault, frame } from "../testing/make";
import type { Frame } from "../wire";
import { faultsOf, gathered, isFaulty, reasonsIn, tally, toldOf } from "./faults";

const late = frame({ number: 3, turn: 4, strikes: { red: "was late" }, reasons: { red: "no answer in time" } });
const sloppy = frame({ number: 5, turn: 6, faults: { blue: [fault(), fault()] } });
const gone = frame({
  number: 9,
  turn: 10,
  strikes: { red: "was late" },
  dropped: { red: "dropped out (3 strikes)", blue: "dropped out (crash)" },
  reasons: { red: "no answer in time", blue: "exit code 1: ValueError: no bow" },
});

describe("the faults of a turn", () => {
  test("are told in words, the gravest first", () => {
    expect(faultsOf(gone).map(({ seat, kind, words }) => [seat, kind, words])).toEqual([
      ["red", "out", "Red dropped out (3 strikes): no answer in time"],
      ["blue", "out", "Blue dropped out (crash): exit code 1: ValueError: no bow"],
    ]);
    expect(faultsOf(late).map(({ words }) => words)).toEqual(["Red was late: no answer in time"]);
    expect(faultsOf(sloppy).map(({ words }) => words)).toEqual(["Blue: 2 void lines"]);
  });

  test("stand after the moments of the turn", () => {
    const both = frame({ ...late, marks: [{ words: "A tower fell.", rule: "", seat: null }] });
    expect(toldOf(both)).toBe("A tower fell. Red was late: no answer in time.");
  });

  test("are none where nothing happened", () => {
    expect(faultsOf(frame())).toEqual([]);
    expect(isFaulty(frame())).toBe(false);
    expect([late, sloppy, gone].every(isFaulty)).toBe(true);
  });

  test("do not include resigning", () => {
    expect(faultsOf(frame({ dropped: { red: "resigned" } }))).toEqual([]);
  });
});

describe("marks on a timeline", () => {
  const items: (Frame | undefined)[] = [];
  items[3] = late;
  items[5] = sloppy;
  items[9] = gone;

  test("stand apart where there is room", () => {
    const marks = gathered(items, 10, 9, 10);
    expect(marks.map(({ number, kind, seats }) => [number, kind, seats])).toEqual([
      [3, "strike", ["red"]],
      [5, "void", ["blue"]],
      [9, "out", ["red", "blue"]],
    ]);
    expect(marks[0]!.words).toBe("Turn 3: Red was late: no answer in time");
  });

  test("are drawn together where there is none, and say all", () => {
    const [mark, ...others] = gathered(items, 10, 9, 1);
    expect(others).toEqual([]);
    expect([mark!.number, mark!.kind, mark!.seats]).toEqual([3, "out", ["red", "blue"]]);
    expect(mark!.words).toBe(
      "Turn 3: Red was late: no answer in time. Turn 5: Blue: 2 void lines. " +
        "Turn 9: Red dropped out (3 strikes): no answer in time. Blue dropped out (crash): exit code 1: ValueError: no bow",
    );
  });

  test("of many turns say how many", () => {
    const many = Array.from({ length: 200 }, (_, number) => frame({ number, turn: number + 1, faults: { red: [fault()] } }));
    const [mark] = gathered(many, 200, 199, 1);
    expect(mark!.words).toBe("Turns 0 to 199: Red: 200 void lines");
  });
});

test("the reasons for dropping out are found wherever they are", () => {
  expect(reasonsIn([frame(), undefined, gone, frame()])).toEqual({ red: "no answer in time", blue: "exit code 1: ValueError: no bow" });
});

test("times and faults add up by seat", () => {
  const frames = [
    frame(),
    frame({ number: 1, cpu: { red: 0.5 }, wall: { red: 1, blue: 0.25 } }),
    frame({ number: 2, cpu: { red: 0.25 }, wall: { red: 3 }, strikes: { red: "was late" }, faults: { blue: [fault()] } }),
    undefined,
  ];
  expect(tally(frames, ["red", "blue", "green"])).toEqual([
    { seat: "red", cpu: 0.75, wall: 4, slowest: 3, strikes: 1, void: 0 },
    { seat: "blue", cpu: 0, wall: 0.25, slowest: 0.25, strikes: 0, void: 1 },
  ]);
});
