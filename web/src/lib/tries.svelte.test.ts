// @vitest-environment happy-dom
import { flushSync } from "svelte";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import type { Line } from "./live";
import { tries } from "./tries.svelte";

beforeEach(() => void vi.useFakeTimers({ now: 1_000_000 }));
afterEach(() => void vi.useRealTimers());

/** The count for a line, within an effect that ends with the test. */
function counting(first: Line): { seconds: () => number; set: (line: Line) => void; stop: () => void } {
  let line = $state.raw(first);
  let told: { readonly seconds: number } | undefined;
  const stop = $effect.root(() => {
    told = tries(() => line);
  });
  flushSync();
  return {
    seconds: () => told!.seconds,
    set: (next) => {
      line = next;
      flushSync();
    },
    stop,
  };
}

test("seconds count down to the next try, and stay at one until it is made", () => {
  const { seconds, stop } = counting({ up: false, next: 1_004_000, closed: null });
  expect(seconds()).toBe(4);
  vi.advanceTimersByTime(1500);
  expect(seconds()).toBe(3); // 2.5 are left
  vi.advanceTimersByTime(5000);
  expect(seconds()).toBe(1);
  stop();
});

test("while a try is under way there are no seconds", () => {
  const { seconds, stop } = counting({ up: false, next: null, closed: null });
  expect(seconds()).toBe(0);
  stop();
});

test("nothing counts while the line is up, nor after the page is left", () => {
  const { set, stop } = counting({ up: false, next: 1_004_000, closed: null });
  expect(vi.getTimerCount()).toBe(1);
  set({ up: true, next: null, closed: null });
  expect(vi.getTimerCount()).toBe(0);
  set({ up: false, next: 1_009_000, closed: null });
  expect(vi.getTimerCount()).toBe(1);
  stop();
  expect(vi.getTimerCount()).toBe(0);
});
