import { describe, expect, test, vi } from "vitest";
import { frame } from "../testing/make";
import type { Frame } from "../wire";
import { Frames } from "./frames.svelte";

const numbered = (from: number, to: number): Frame[] =>
  Array.from({ length: Math.max(0, to - from) }, (_, i) => frame({ number: from + i, turn: from + i }));

/** Frames of a server that answers at once, and what it was asked for. */
function served(count: number, answer = (from: number, to: number) => numbered(from, to)) {
  const asked: [number, number][] = [];
  const frames = new Frames((from, to) => {
    asked.push([from, to]);
    return Promise.resolve(answer(from, to));
  });
  frames.resize(count);
  return { frames, asked };
}

test("a record is there from the first to the last", () => {
  const frames = Frames.of(numbered(0, 3));
  expect([frames.count, frames.last, frames.loaded]).toEqual([3, 2, 3]);
  expect(frames.first?.number).toBe(0);
  expect(frames.at(3)).toBeNull();
});

test("an empty list of frames is accepted", () => {
  const frames = Frames.of([]);
  expect([frames.count, frames.last, frames.loaded, frames.first]).toEqual([0, -1, 0, null]);
});

describe("frames of a server", () => {
  test("come by chunks of fifty, when one of them is needed", async () => {
    const { frames, asked } = served(120);
    await frames.need(70);
    expect(asked).toEqual([[50, 100]]);
    expect([frames.at(49), frames.at(100)]).toEqual([null, null]);
    expect(frames.loaded).toBe(50);
    await frames.need(119);
    expect(asked.at(-1)).toEqual([100, 120]);
  });

  test("are asked for once, also by two who need the same chunk", async () => {
    const { frames, asked } = served(60);
    await Promise.all([frames.need(3), frames.need(4), frames.need(3)]);
    await frames.need(5);
    expect(asked).toEqual([[0, 50]]);
  });

  test("are asked for on where large ones come a few at a time", async () => {
    const { frames, asked } = served(50, (from) => numbered(from, Math.min(from + 20, 50)));
    await frames.need(45);
    expect(asked).toEqual([[0, 50], [20, 50], [40, 50]]); // prettier-ignore
    expect(frames.at(45)?.number).toBe(45);
  });

  test("that do not exist are not asked for", async () => {
    const { frames, asked } = served(10);
    await Promise.all([frames.need(-1), frames.need(10)]);
    expect(asked).toEqual([]);
  });

  test("of which the server sends none are not asked for without end", async () => {
    const { frames, asked } = served(10, () => []);
    await frames.need(3);
    expect(asked).toEqual([[0, 10]]);
    expect(frames.at(3)).toBeNull();
  });

  test("are filled up from the end backwards", async () => {
    const { frames, asked } = served(120);
    await frames.fill();
    expect(asked).toEqual([[100, 120], [50, 100], [0, 50]]); // prettier-ignore
    expect(frames.loaded).toBe(120);
  });

  test("keep the first trouble, and ask no more", async () => {
    const fetch = vi.fn().mockRejectedValue(new Error("down"));
    const frames = new Frames(fetch);
    frames.resize(120);
    await frames.fill();
    expect(fetch).toHaveBeenCalledTimes(1);
    expect((frames.trouble as Error).message).toBe("down");
  });
});

test("turns that were taken back are gone", () => {
  const frames = Frames.of(numbered(0, 5));
  frames.resize(3);
  expect([frames.count, frames.at(3), frames.at(2)?.number]).toEqual([3, null, 2]);
  frames.resize(5);
  expect([frames.count, frames.at(3)]).toEqual([5, null]);
});

test("every change can be seen by the version", () => {
  const frames = new Frames();
  const seen = [frames.version];
  frames.put(numbered(0, 1));
  seen.push(frames.version);
  frames.resize(4);
  seen.push(frames.version);
  expect(new Set(seen).size).toBe(3);
});
