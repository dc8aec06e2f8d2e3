// @vitest-environment happy-dom
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { Calm, CALM, followPointers } from "./calm.svelte";

const CLICK = 50; // by then the click of a press has come

followPointers(window);
const happen = (kind: string, of: object = {}): boolean => window.dispatchEvent(Object.assign(new Event(kind), of));
const press = (pointerId = 1, isPrimary = true): boolean => happen("pointerdown", { button: 0, pointerId, isPrimary });
const letGo = (pointerId = 1): boolean => happen("pointerup", { pointerId });

beforeEach(() => void vi.useFakeTimers());
afterEach(() => {
  happen("visibilitychange"); // nothing is down
  vi.useRealTimers();
});

/** Something that appeared while a pointer was down, so long ago that it waits for nothing else. */
function waited(): Calm {
  const calm = new Calm();
  press();
  calm.begin();
  vi.advanceTimersByTime(10 * CALM);
  expect(calm.ready).toBe(false);
  return calm;
}

test("what has just appeared takes no click for a moment", () => {
  const calm = new Calm();
  expect(calm.ready).toBe(true);
  calm.begin();
  vi.advanceTimersByTime(CALM - 1);
  expect(calm.ready).toBe(false);
  vi.advanceTimersByTime(1);
  expect(calm.ready).toBe(true);
});

test.each(["pointerup", "pointercancel"])("a press that began before it appeared is never its click, however late its %s", (end) => {
  const calm = waited();
  happen(end, { pointerId: 1 });
  expect(calm.ready).toBe(false); // the click comes right after
  vi.advanceTimersByTime(CLICK);
  expect(calm.ready).toBe(true);
});

test("nor is one that began since and is still down when the moment is over", () => {
  const calm = new Calm();
  calm.begin();
  vi.advanceTimersByTime(CALM - 1);
  press();
  vi.advanceTimersByTime(CALM);
  expect(calm.ready).toBe(false);
});

test("nothing is waited for once it is gone", () => {
  const calm = waited();
  calm.stop();
  letGo();
  expect(vi.getTimerCount()).toBe(0);
});

test("something newer has its own moment, also if the last one was still waiting", () => {
  const calm = waited();
  calm.begin();
  letGo();
  vi.advanceTimersByTime(CALM - 1);
  expect(calm.ready).toBe(false);
  vi.advanceTimersByTime(1);
  expect(calm.ready).toBe(true);
});

describe("with two pointers", () => {
  test("each is let go by itself", () => {
    const calm = waited();
    press(2, false);
    letGo(2);
    vi.advanceTimersByTime(CALM);
    expect(calm.ready).toBe(false);
    letGo(1);
    vi.advanceTimersByTime(CLICK);
    expect(calm.ready).toBe(true);
  });

  test("another button isn't the end of a press, nor the beginning of one", () => {
    const calm = waited();
    happen("pointerdown", { button: 2, pointerId: 2, isPrimary: true });
    vi.advanceTimersByTime(CALM);
    expect(calm.ready).toBe(false);
    letGo(1);
    vi.advanceTimersByTime(CLICK);
    expect(calm.ready).toBe(true);
  });

  test("a mouse that moves says nothing of a finger", () => {
    const calm = waited();
    happen("pointermove", { pointerType: "mouse", buttons: 0, pointerId: 2 });
    vi.advanceTimersByTime(CALM);
    expect(calm.ready).toBe(false);
  });
});

describe("a press that is never seen to end", () => {
  test.each([
    ["the mouse moves without it", "pointermove", { pointerType: "mouse", buttons: 0, pointerId: 1 }],
    ["the window loses the focus", "blur", {}],
    ["the page is hidden or shown again", "visibilitychange", {}],
    ["something is dragged", "dragstart", {}],
    ["it was dragged", "dragend", {}],
    ["Ctrl+click opens a menu", "contextmenu", { ctrlKey: true }],
  ])("is over when %s", (_, kind, of) => {
    const calm = waited();
    happen(kind, of);
    vi.advanceTimersByTime(CLICK);
    expect(calm.ready).toBe(true);
  });

  test.each([
    ["the mouse moves with it", "pointermove", { pointerType: "mouse", buttons: 1, pointerId: 1 }],
    ["a finger moves", "pointermove", { pointerType: "touch", buttons: 0, pointerId: 1 }],
    ["a long press opens a menu", "contextmenu", { ctrlKey: false }],
    ["a key that was down before goes on", "keydown", { key: "Shift", repeat: true }],
  ])("isn't over when %s", (_, kind, of) => {
    const calm = waited();
    happen(kind, of);
    vi.advanceTimersByTime(CALM);
    expect(calm.ready).toBe(false);
  });

  test("isn't over when a field loses the focus", () => {
    const calm = waited();
    const field = document.body.appendChild(document.createElement("input"));
    field.dispatchEvent(new Event("blur"));
    field.remove();
    vi.advanceTimersByTime(CALM);
    expect(calm.ready).toBe(false);
  });

  test("is over with the next one: a first finger is down alone", () => {
    const calm = waited();
    press(7);
    vi.advanceTimersByTime(CALM);
    expect(calm.ready).toBe(false); // its own click isn't taken
    letGo(7);
    vi.advanceTimersByTime(CLICK);
    expect(calm.ready).toBe(true);
  });

  test("never keeps the keyboard out: the first key counts", () => {
    const calm = waited();
    happen("keydown", { key: "Enter", repeat: false });
    expect(calm.ready).toBe(true);
    calm.begin();
    vi.advanceTimersByTime(CALM);
    expect(calm.ready).toBe(true);
  });

  test("doesn't shorten the moment for the keyboard either", () => {
    const calm = new Calm();
    press();
    calm.begin();
    happen("keydown", { key: "Enter", repeat: false });
    expect(calm.ready).toBe(false);
    vi.advanceTimersByTime(CALM);
    expect(calm.ready).toBe(true);
  });
});

test("a button is pressed once by a key that is held down", () => {
  const [button, field] = [document.createElement("button"), document.createElement("input")];
  document.body.append(button, field);
  const held = (on: Element, key: string, repeat: boolean): boolean => {
    const event = new KeyboardEvent("keydown", { key, repeat, bubbles: true, cancelable: true });
    on.dispatchEvent(event);
    return event.defaultPrevented;
  };
  expect(held(button, "Enter", false)).toBe(false);
  expect(held(button, "Enter", true)).toBe(true);
  expect(held(button, "ArrowLeft", true)).toBe(false);
  expect(held(field, "Enter", true)).toBe(false);
});

test("what is done once is done by no second click, however long it takes, nor by one for what comes after it", async () => {
  const calm = new Calm();
  const done: string[] = [];
  let answer = (): void => undefined;
  const act = (name: string): Promise<void> => calm.once(() => new Promise((so) => ((answer = so), done.push(name))));
  const first = act("first");
  vi.advanceTimersByTime(10 * CALM);
  void act("second");
  answer();
  await first;
  void act("third");
  expect([done, calm.ready]).toEqual([["first"], false]);
  vi.advanceTimersByTime(CALM);
  void act("fourth");
  expect(done).toEqual(["first", "fourth"]);
});
