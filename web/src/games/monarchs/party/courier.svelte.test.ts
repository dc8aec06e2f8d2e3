// @vitest-environment happy-dom
import { flushSync, mount, unmount } from "svelte";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { CALM } from "../../../lib/calm.svelte";
import Courier from "./Courier.svelte";
import type { Evening } from "./evening.svelte";
import type { Sight } from "./wire";

let sight = $state.raw<Sight>({ role: "red-1", times: { round: 1 } });
let acts: { act: string; lines?: string[] }[] = [];
let allowed = true;
let made: ReturnType<typeof mount>;
const target = document.createElement("main");

const carrying = (round: number, lines: string[]): Sight => ({
  role: "red-1",
  times: { round },
  agreed: undefined,
  sheet: { given: lines, lines },
  waiting: { errand: "orders", until: { left: 0 } },
});

function know(next: Sight): void {
  sight = next;
  flushSync();
}

const shown = () => [...target.querySelectorAll("li")].map((line) => line.textContent);

function add(line: string): void {
  const field = target.querySelector<HTMLInputElement>(".add input")!;
  field.value = line;
  field.dispatchEvent(new Event("input", { bubbles: true }));
  target.querySelector("form")!.dispatchEvent(new Event("submit", { cancelable: true }));
  flushSync();
}

beforeEach(() => {
  vi.useFakeTimers();
  acts = [];
  allowed = true;
  sight = carrying(1, ["g5 h4 1"]);
  const evening = {
    get sight() {
      return sight;
    },
    role: "red-1",
    court: "red",
    busy: false,
    seconds: () => 0,
    shown: () => "",
    name: (role: string) => role,
    async act(act: { act: string }) {
      acts.push(act);
      return allowed;
    },
  } as unknown as Evening;
  made = mount(Courier, { target, props: { evening } });
  flushSync();
});
afterEach(async () => {
  await unmount(made);
  vi.useRealTimers();
});

test.each([true, false])("what could not be saved of one sheet is not written on a later one, seen leaving: %s", async (seen) => {
  allowed = false; // the time was over, or the connection was lost
  add("a5 b6 1");
  await vi.advanceTimersByTimeAsync(1000);
  expect(acts).toEqual([{ act: "alter", role: "red-1", lines: ["g5 h4 1", "a5 b6 1"] }]);
  if (seen) know({ role: "red-1", times: { round: 1 } });
  allowed = true;
  know(carrying(3, ["k5 i5 2"]));
  expect(shown()).toHaveLength(1);
  expect(shown()[0]).toContain("K5");
  acts = [];
  for (let i = 0; i < 2; i++) {
    await vi.advanceTimersByTimeAsync(CALM);
    target.querySelector<HTMLButtonElement>("button.main")!.click();
    flushSync();
  }
  await vi.advanceTimersByTimeAsync(1000);
  expect(acts).toEqual([{ act: "handin", role: "red-1" }]);
});
