import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { Calm, CALM, followPointers } from "./calm.svelte";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const page = new EventTarget();
followPointers(page);
const press = (): boolean => page.dispatchEvent(Object.assign(new Event("pointerdown"), { button: 0 }));
const letGo = (): boolean => page.dispatchEvent(new Event("pointerup"));

test("what has just appeared takes no click for a moment", () => {
  const calm = new Calm();
  expect(calm.ready).toBe(true);
  calm.begin();
  vi.advanceTimersByTime(CALM - 1);
  expect(calm.ready).toBe(false);
  vi.advanceTimersByTime(1);
  expect(calm.ready).toBe(true);
});

test("a press that began before it appeared is never its click, however late it ends", () => {
  const calm = new Calm();
  press();
  calm.begin();
  vi.advanceTimersByTime(10 * CALM);
  expect(calm.ready).toBe(false);
  letGo();
  expect(calm.ready).toBe(false); // the click comes right after
  vi.advanceTimersByTime(CALM);
  expect(calm.ready).toBe(true);
});

test("nothing is waited for once it is gone", () => {
  const calm = new Calm();
  press();
  calm.begin();
  vi.advanceTimersByTime(CALM);
  calm.stop();
  letGo();
  expect(vi.getTimerCount()).toBe(0);
});
