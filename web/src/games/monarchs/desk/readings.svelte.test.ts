import { expect, test } from "vitest";
import type { DraftLine } from "../../contract";
import { Readings } from "./readings.svelte";

const judged = (text: string, pending = false) => ({ key: 0, text, pending }) as DraftLine;

test("readings are set side by side once the second is as long as the first, or is to be filed", () => {
  let lines = [judged("a")];
  const readings = new Readings(() => lines, ["b", "c"]);
  expect(readings).toMatchObject({ differs: [], missing: [], disagree: false });
  readings.compared = true;
  expect(readings).toMatchObject({ differs: [true], missing: ["c"], disagree: true });
  lines = [judged("b"), judged("C", true)]; // the server has not written the second in its own way yet
  readings.compared = false;
  expect(readings).toMatchObject({ differs: [false, false], missing: [], disagree: false });
  lines = [judged("b"), judged("d")];
  expect(readings.disagree).toBe(true);
});

test("lines that the first reading does not have are settled in their order", () => {
  const lines = ["a", "b", "c", "d", "e"].map((text) => judged(text));
  const readings = new Readings(() => lines, ["a", "b", "c"]);
  expect(lines.map((_, i) => readings.asks(i))).toEqual([false, false, false, true, false]);
  readings.settle(3, "d");
  expect(lines.map((_, i) => readings.asks(i))).toEqual([false, false, false, false, true]);
  readings.settle(4, "e");
  expect(readings.first).toEqual(["a", "b", "c", "d", "e"]);
  expect(readings.disagree).toBe(false);
  lines.pop();
  readings.compared = true;
  expect(readings.missing).toEqual(["e"]);
  readings.settle(4, undefined);
  expect(readings.disagree).toBe(false);
});

test("neither reading is lost on the way to the other one and back", () => {
  const readings = new Readings(() => [], null);
  expect(readings.turn(["a", "b"])).toEqual([]);
  expect(readings.turn(["x"])).toEqual(["a", "b"]);
  expect(readings).toMatchObject({ first: null, second: ["x"] });
  expect(readings.turn(["a", "c"])).toEqual(["x"]);
  expect(readings.first).toEqual(["a", "c"]);
});
