// @vitest-environment happy-dom
import { beforeEach, describe, expect, test, vi } from "vitest";
import type { GameTable } from "../games/contract";
import { frame } from "../testing/make";
import type { Frame, Stage } from "../wire";
import { Frames } from "./frames.svelte";
import { prefs } from "./prefs.svelte";
import { frameOf, momentOf, SPEEDS, Viewer } from "./viewer.svelte";

const stage = (name: string, ms = 100): Stage => ({ name, ms, beats: [] });

/** Five frames; the turn that led to each but the first has three stages, unless said otherwise. */
function match(of: (number: number) => Partial<Frame> = () => ({}), count = 5): Frames {
  const stages = [stage("a"), stage("b"), stage("c")];
  return Frames.of(
    Array.from({ length: count }, (_, number) => frame({ number, turn: number, stages: number ? stages : [], ...of(number) })),
  );
}

let pump: (ms: number) => void;

function viewing(frames = match(), longest?: number): Viewer {
  return new Viewer(
    frames,
    () => (longest ? ({ longest } as GameTable) : null),
    () => ({}),
  );
}

/** Where the viewer is: its frame, and the stage that is shown; -1: the position after the turn. */
const where = (viewer: Viewer): [number, number] => [viewer.at, viewer.shown?.index ?? -1];

beforeEach(() => {
  let now = 0;
  let due: FrameRequestCallback | null = null;
  vi.stubGlobal("performance", { now: () => now });
  vi.stubGlobal("requestAnimationFrame", (call: FrameRequestCallback) => {
    due = call;
    return 1;
  });
  vi.stubGlobal("cancelAnimationFrame", () => (due = null));
  // Sixteen milliseconds at a time, as a screen does.
  pump = (ms) => {
    for (const end = now + ms; now < end;) {
      now = Math.min(end, now + 16);
      const call = due;
      due = null;
      call?.(now);
    }
  };
  prefs.speed = 1;
  prefs.still = false;
});

describe("moving about", () => {
  test("stays between the first and the last frame", () => {
    const viewer = viewing();
    viewer.seek(99);
    expect(viewer.at).toBe(4);
    viewer.step(1);
    expect(viewer.at).toBe(4);
    viewer.seek(-3);
    expect(viewer.at).toBe(0);
    viewer.step(-1);
    expect([viewer.at, viewer.before]).toEqual([0, null]);
  });

  test("accepts an empty list of frames", () => {
    const viewer = viewing(Frames.of([]));
    viewer.seek(3);
    viewer.play();
    viewer.stageBy(1);
    expect([viewer.frame, viewer.shown, viewer.happened]).toEqual([null, null, []]);
  });

  test("from mark to mark, over those without", () => {
    const viewer = viewing(match((number) => ({ marks: number === 1 || number === 4 ? [{ words: "!", rule: "", seat: null }] : [] })));
    viewer.markBy(1);
    viewer.markBy(1);
    expect(viewer.at).toBe(4);
    viewer.markBy(1);
    expect(viewer.at).toBe(4);
    viewer.markBy(-1);
    viewer.markBy(-1);
    expect(viewer.at).toBe(1);
  });

  test("from fault to fault as well", () => {
    const viewer = viewing(match((number) => (number === 3 ? { strikes: { red: "was late" } } : {})));
    viewer.markBy(1);
    expect(viewer.at).toBe(3);
  });

  test("speeds go up and down within their list", () => {
    const viewer = viewing();
    viewer.faster(-1);
    expect(prefs.speed).toBe(SPEEDS[0]);
    for (let i = 0; i < 9; i++) viewer.faster(1);
    expect(prefs.speed).toBe(SPEEDS.at(-1));
    viewer.faster(-1);
    expect(prefs.speed).toBe(SPEEDS.at(-2));
  });
});

describe("stages one by one", () => {
  test("go forth through a turn and on into the next", () => {
    const viewer = viewing();
    const seen = Array.from({ length: 6 }, () => {
      viewer.stageBy(1);
      return where(viewer);
    });
    expect(seen).toEqual([[1, 0], [1, 1], [1, 2], [1, -1], [2, 0], [2, 1]]); // prettier-ignore
  });

  test("go back the same way", () => {
    const viewer = viewing();
    viewer.seek(2);
    const seen = Array.from({ length: 5 }, () => {
      viewer.stageBy(-1);
      return where(viewer);
    });
    // The last stage shows the position after the turn, so that it is passed over.
    expect(seen).toEqual([[2, 1], [2, 0], [1, -1], [1, 1], [1, 0]]); // prettier-ignore
  });

  test("go back over turns of one stage, or of none", () => {
    for (const stages of [[stage("only")], []]) {
      const viewer = viewing(match((number) => ({ stages: number ? stages : [] })));
      viewer.seek(2);
      viewer.stageBy(-1);
      expect(where(viewer)).toEqual([1, -1]);
      viewer.stageBy(-1);
      viewer.stageBy(-1);
      expect(where(viewer)).toEqual([0, -1]);
    }
  });

  test("stop at the end of the game", () => {
    const viewer = viewing();
    viewer.last();
    viewer.stageBy(1);
    expect(where(viewer)).toEqual([4, -1]);
  });

  test("stand still, until one goes on to the position", () => {
    const viewer = viewing();
    viewer.seek(1);
    viewer.stageAt(1);
    expect([viewer.held, viewer.shown?.t]).toEqual([true, 1]);
    expect(viewer.leave()).toBe(true);
    expect([where(viewer), viewer.leave()]).toEqual([[1, -1], false]);
  });

  test("that there are not, are not shown", () => {
    const viewer = viewing();
    viewer.seek(1);
    viewer.stageAt(3);
    viewer.stageAt(-1);
    expect(where(viewer)).toEqual([1, -1]);
  });

  test("are known only once the frame before is here too", () => {
    const frames = new Frames();
    frames.resize(3);
    const viewer = viewing(frames);
    frames.put(match().items.slice(2, 3) as Frame[]);
    viewer.seek(2);
    expect(viewer.steps).toBeNull();
    frames.put(match().items.slice(1, 2) as Frame[]);
    viewer.arrived();
    expect(viewer.steps?.stages).toHaveLength(3);
  });
});

describe("playing", () => {
  test("shows the stages of turn after turn, to the end", () => {
    const viewer = viewing();
    viewer.play();
    pump(1100);
    expect([viewer.at, viewer.playing]).toEqual([1, true]);
    pump(10_000);
    expect([where(viewer), viewer.playing]).toEqual([[4, -1], false]);
  });

  test("starts again at the end", () => {
    const viewer = viewing();
    viewer.seek(4);
    viewer.toggle();
    expect([viewer.at, viewer.playing]).toEqual([0, true]);
    viewer.toggle();
    expect(viewer.playing).toBe(false);
  });

  test("at high speed shows no stages, and loses no turn of time", () => {
    prefs.speed = 60;
    const viewer = viewing(match(undefined, 200));
    viewer.play();
    pump(1000);
    expect(viewer.shown).toBeNull();
    expect(viewer.motion).toBe(false);
    expect(viewer.at).toBeGreaterThanOrEqual(58);
    expect(viewer.at).toBeLessThanOrEqual(60);
  });

  test("waits for frames that have not come", () => {
    const frames = new Frames(() => new Promise(() => undefined));
    frames.resize(5);
    frames.put(match().items.slice(0, 2) as Frame[]);
    const viewer = viewing(frames);
    viewer.play();
    pump(5000);
    expect([viewer.at, viewer.playing]).toEqual([1, true]);
  });

  test("moves nothing for who wants nothing to move", () => {
    prefs.still = true;
    const viewer = viewing();
    viewer.play();
    pump(1100);
    expect(where(viewer)).toEqual([1, -1]);
  });
});

describe("a running game", () => {
  test("shows a new turn as it was played, to who follows it", () => {
    const frames = match();
    const viewer = viewing(frames);
    viewer.last();
    frames.put([frame({ number: 5, turn: 5, stages: [stage("a"), stage("b")] })]);
    viewer.grown();
    expect(where(viewer)).toEqual([5, 0]);
    pump(400);
    expect(where(viewer)).toEqual([5, -1]);
    expect(viewer.following).toBe(true);
  });

  test("never moves who looks back", () => {
    const frames = match();
    const viewer = viewing(frames);
    viewer.last();
    viewer.step(-2);
    frames.put([frame({ number: 5 })]);
    viewer.grown();
    expect(viewer.at).toBe(2);
    expect(viewer.live).toBe(false);
  });

  test("shows its last turn once more to who plays at its end", () => {
    const viewer = viewing();
    viewer.last();
    viewer.play();
    expect(where(viewer)).toEqual([4, 0]);
    expect(viewer.skip()).toBe(true);
    expect([where(viewer), viewer.skip()]).toEqual([[4, -1], false]);
  });

  test("takes no longer for a turn than the game wants", () => {
    const viewer = viewing(
      match(() => ({ stages: [stage("a", 10_000)] })),
      400,
    );
    viewer.last();
    viewer.play();
    pump(350);
    expect(viewer.shown).not.toBeNull();
    pump(100);
    expect(viewer.shown).toBeNull();
  });
});

describe("the turn in a link", () => {
  // Turns 1, 1, 2, 3, 3, 3: some take more than one frame.
  const turns = [0, 1, 1, 2, 3, 3, 3];
  const frames = match((number) => ({ turn: turns[number]! }), turns.length);

  test("names the frame, and comes back to it", async () => {
    const links = turns.map((_, number) => momentOf(frames, number));
    expect(links).toEqual(["0", "1", "1.1", "2", "3", "3.1", "3.2"]);
    expect(await Promise.all(links.map((link) => frameOf(frames, link)))).toEqual([0, 1, 2, 3, 4, 5, 6]);
  });

  test("that nobody can read, or that was never played, leads to the end", async () => {
    for (const link of ["x", "99", "NaN", "Infinity"]) expect(await frameOf(frames, link)).toBe(6);
    expect(await frameOf(frames, "3.99")).toBe(6);
    expect(await frameOf(frames, "2.x")).toBe(3);
  });

  test("of a frame that is not here is its number", () => {
    expect(momentOf(frames, 42)).toBe("42");
  });

  test("is found with few questions", async () => {
    const asked: number[] = [];
    const long = new Frames((from, to) => {
      asked.push(from);
      return Promise.resolve(Array.from({ length: to - from }, (_, i) => frame({ number: from + i, turn: from + i })));
    });
    long.resize(5000);
    expect(await frameOf(long, "4321")).toBe(4321);
    expect(asked.length).toBeLessThanOrEqual(8);
  });
});
