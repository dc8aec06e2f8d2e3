// @vitest-environment happy-dom
import { flushSync, mount, unmount } from "svelte";
import { expect, test, vi } from "vitest";
import { CALM } from "../../../lib/calm.svelte";
import type { Evening } from "./evening.svelte";
import Guess from "./Guess.svelte";

test("the second half of a double tap does not lock a guess for good", () => {
  vi.useFakeTimers();
  const act = vi.fn(async () => true);
  const people = ["red-1", "red-2", "red-3"].map((role) => ({ role, name: role, court: "red" }));
  const evening = { role: "red", sight: { agreed: { abstain: true } }, busy: false, courtiers: () => people, act } as unknown as Evening;
  const target = document.createElement("main");
  const made = mount(Guess, { target, props: { evening } });
  flushSync();
  const press = (): void => {
    target.querySelector("form")!.dispatchEvent(new Event("submit", { cancelable: true }));
    flushSync();
  };
  press();
  expect(target.querySelector("button")!.textContent).toContain("for good");
  press();
  expect(act).not.toHaveBeenCalled();
  vi.advanceTimersByTime(CALM);
  press();
  expect(act).toHaveBeenCalledOnce();
  void unmount(made);
  vi.useRealTimers();
});
