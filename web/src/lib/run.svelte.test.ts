// @vitest-environment happy-dom
import { flushSync } from "svelte";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import type { SideProps } from "../games/contract";
import { frame, option, orders as sheetOf, type Done } from "../testing/make";
import { room } from "../testing/props.svelte";
import { Run } from "./run.svelte";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** A table where each frame may bring news. */
function table() {
  let news: string | null = null;
  const done: Done[] = [];
  const sheet = () => sheetOf({ file: () => void done.push(["file"]) });
  const places = room({ setting: {}, view: {}, you: "red", orders: sheet() });
  const run = new Run<SideProps>({ passed: (one) => [`frame ${one.number}`], begin: () => null, news: () => news });
  const stop = $effect.root(() => run.follow(places.props));
  const play = (number: number, why: string | null = null) => {
    news = why;
    places.set({ frame: frame({ number, turn: number }), before: frame({ number: number - 1, turn: number - 1 }), orders: sheet() });
    flushSync();
  };
  return { run, places, done, play, stop };
}

test("files sheet after sheet until there is news, and says what passed", () => {
  const { run, places, done, play, stop } = table();
  run.start(places.props());
  flushSync();
  expect(done).toEqual([]);
  vi.advanceTimersByTime(1000);
  expect(done).toEqual([["file"]]);
  play(1);
  vi.advanceTimersByTime(1000);
  play(2, "an enemy");
  vi.advanceTimersByTime(9000);
  expect(done).toEqual([["file"], ["file"]]);
  expect([run.running, run.why]).toEqual([false, "an enemy"]);
  expect(run.passed).toEqual([
    { turn: 0, words: ["frame 1"] },
    { turn: 1, words: ["frame 2"] },
  ]);
  stop();
});

test("news that is there already doesn't keep it from playing one turn", () => {
  const { run, places, done, play, stop } = table();
  play(0, "still here");
  run.start(places.props());
  flushSync();
  vi.advanceTimersByTime(1000);
  expect(done).toEqual([["file"]]);
  play(1, "still here");
  expect(run.running).toBe(false);
  stop();
});

test("what is known at first is what the umpire says of the sheet as it is filed", () => {
  const begun: unknown[] = [];
  const run = new Run<SideProps>({
    passed: () => [],
    begin: ({ orders }) => orders?.options.length,
    news: (_, known) => {
      begun.push(known);
      return null;
    },
  });
  const places = room({ setting: {}, view: {}, you: "red", orders: sheetOf({ pending: true, options: [option({}), option({})] }) });
  const stop = $effect.root(() => run.follow(places.props));
  run.start(places.props());
  flushSync();
  places.set({ orders: sheetOf({ options: [option({})] }) }); // the last edit has been checked: less can be ordered
  flushSync();
  places.set({ frame: frame({ number: 1, turn: 1 }), orders: sheetOf({}) });
  flushSync();
  expect(begun).toEqual([1]);
  stop();
});

describe("what was known is never missing, also where the first turn is played before a sheet could be filed by itself", () => {
  function comparing() {
    const begun: unknown[] = [];
    const run = new Run<SideProps>({
      passed: () => [],
      begin: ({ orders }) => new Set(orders?.options.map((_, i) => i)),
      news: (_, known) => {
        begun.push([...(known as Set<number>)]);
        return null;
      },
    });
    const places = room({ setting: {}, view: {}, you: "red", orders: sheetOf({}) });
    const stop = $effect.root(() => run.follow(places.props));
    const set = (number: number, of: Parameters<typeof sheetOf>[0]) => {
      places.set({ frame: frame({ number, turn: number }), orders: sheetOf(of) });
      flushSync();
    };
    const start = () => {
      run.start(places.props());
      flushSync();
    };
    return { run, begun, start, set, stop };
  }

  test.each([
    ["it had been filed already", { state: "filed" as const }],
    ["the last edit was never checked", { pending: true }],
  ])("because %s", (_, of) => {
    const { run, begun, start, set, stop } = comparing();
    set(0, { ...of, options: [option({})] });
    start();
    set(1, { options: [option({}), option({})] });
    expect([run.running, begun]).toEqual([true, [[0]]]);
    stop();
  });

  test("nor left over from the run before", () => {
    const { run, begun, start, set, stop } = comparing();
    set(0, { options: [option({})] });
    start();
    run.stop("You stopped it.");
    set(1, { state: "filed", options: [option({}), option({})] });
    start();
    set(2, {});
    expect(begun).toEqual([[0, 1]]);
    stop();
  });
});

test("Escape stops it before the next sheet is filed", () => {
  const { run, places, done, stop } = table();
  run.start(places.props());
  flushSync();
  window.dispatchEvent(new KeyboardEvent("keydown", { key: "Escape" }));
  flushSync();
  vi.advanceTimersByTime(9000);
  expect([run.running, done]).toEqual([false, []]);
  stop();
});

test("nothing is filed while a turn is played or an edit hasn't been checked", () => {
  const { run, places, done, stop } = table();
  run.start(places.props());
  places.set({ orders: null });
  flushSync();
  vi.advanceTimersByTime(9000);
  places.set({ orders: sheetOf({ pending: true, file: () => void done.push(["file"]) }) });
  flushSync();
  vi.advanceTimersByTime(9000);
  expect([run.running, done]).toEqual([true, []]);
  stop();
});

test("a sheet that wasn't taken is filed again", () => {
  const { run, places, done, stop } = table();
  run.start(places.props());
  flushSync();
  vi.advanceTimersByTime(4000);
  expect(done).toEqual([["file"], ["file"]]);
  stop();
});

test("the end of the game stops it", () => {
  const { run, places, stop } = table();
  run.start(places.props());
  places.set({ frame: frame({ number: 1, view: { outcome: {} } }), orders: null });
  flushSync();
  expect([run.running, run.why]).toEqual([false, "The game is over."]);
  stop();
});
