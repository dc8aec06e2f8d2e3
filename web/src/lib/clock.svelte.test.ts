import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { Clocks } from "./clock.svelte";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

test("a clock that runs counts down by itself, and never below nought", () => {
  const clocks = new Clocks();
  clocks.take({ left: { red: 10, blue: 20 }, running: ["red"] });
  vi.advanceTimersByTime(3000);
  expect(clocks.left("red")).toBeCloseTo(7, 3);
  expect(clocks.left("blue")).toBe(20);
  vi.advanceTimersByTime(60_000);
  expect(clocks.left("red")).toBe(0);
  clocks.stop();
});

test("what the server says counts from then on", () => {
  const clocks = new Clocks();
  clocks.take({ left: { red: 10 }, running: ["red"] });
  vi.advanceTimersByTime(3000);
  clocks.take({ left: { red: 60 }, running: [] });
  vi.advanceTimersByTime(3000);
  expect(clocks.left("red")).toBe(60);
  expect(clocks.runs("red")).toBe(false);
});

test("a seat without a clock has no time left to tell", () => {
  const clocks = new Clocks();
  expect(clocks.left("red")).toBeNull();
  expect(clocks.seats).toEqual([]);
  clocks.take({ left: { red: 0 }, running: [] });
  expect(clocks.left("red")).toBe(0);
  expect(clocks.seats).toEqual(["red"]);
});

test("nothing ticks while no clock runs, nor after it is stopped", () => {
  const clocks = new Clocks();
  clocks.take({ left: { red: 5 }, running: [] });
  expect(vi.getTimerCount()).toBe(0);
  clocks.take({ left: { red: 5 }, running: ["red"] });
  clocks.take({ left: { red: 5 }, running: ["red"] });
  expect(vi.getTimerCount()).toBe(1);
  clocks.stop();
  expect(vi.getTimerCount()).toBe(0);
});
