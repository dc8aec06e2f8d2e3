import { expect, test } from "vitest";
import type { Frame } from "../wire";
import { bars, ceiling, lineOf, logLines, spentBy } from "./lanes";

const frame = (number: number, cpu: number, more: Partial<Frame> = {}): Frame =>
  ({ number, turn: number, cpu: { red: cpu }, strikes: {}, faults: {}, ...more }) as unknown as Frame;

test("time is added up by seat", () => {
  const frames = [frame(0, 0), frame(1, 0.01), frame(2, 0.03, { strikes: { red: "late" } }), frame(3, 0.02)];
  const [red] = spentBy(frames, 4, ["red"]);
  expect(red).toMatchObject({ median: 0.02, worst: 0.03, strikes: 1, void: 0 });
  expect(red!.whole).toBeCloseTo(0.06);
});

test("lanes share one scale above what a turn adds", () => {
  const spent = spentBy([frame(0, 0.02), frame(1, 0.03)], 2, ["red"]);
  expect(ceiling(spent, 0.05)).toBeGreaterThan(0.05);
  expect(bars([1, 5, 2, 3], 2)).toEqual([
    { at: 0, seconds: 5 },
    { at: 2, seconds: 3 },
  ]);
});

test("a log follows the turn", () => {
  const lines = logLines("0\thello\n1\tplan a\n1\tplan b\nstill b\n4\tlate\n");
  expect(lines.map((line) => line.turn)).toEqual([0, 1, 1, 1, 4]);
  expect(lines[3]!.text).toBe("still b");
  expect([0, 1, 2, 4].map((turn) => lineOf(lines, turn))).toEqual([0, 1, 1, 4]);
  expect(logLines("")).toEqual([]);
});
