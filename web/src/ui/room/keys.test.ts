// @vitest-environment happy-dom
import { beforeEach, describe, expect, test, vi } from "vitest";
import { prefs } from "../../lib/prefs.svelte";
import type { Draft } from "../../lib/sheet.svelte";
import type { Viewer } from "../../lib/viewer.svelte";
import { answer, letter, pressed, type Desk } from "./keys";

const fitAll = vi.hoisted(() => vi.fn());
vi.mock("../BoardFrame.svelte", () => ({ fitAll }));

const key = (key: string, of: KeyboardEventInit = {}, target: EventTarget = document.body): KeyboardEvent => {
  const event = new KeyboardEvent("keydown", { key, cancelable: true, ...of });
  Object.defineProperty(event, "target", { value: target });
  return event;
};

/** A desk that writes down what was done. */
function desk(writing = true): { desk: Desk; done: string[] } {
  const done: string[] = [];
  const noting = <T extends object>(): T =>
    new Proxy({} as T, {
      get:
        (_, deed) =>
        (...given: unknown[]) =>
          void done.push([deed, ...given].join(" ")),
    });
  return {
    done,
    desk: {
      viewer: noting<Viewer>(),
      draft: writing ? noting<Draft>() : null,
      file: () => done.push("file"),
      help: () => done.push("help"),
    },
  };
}

beforeEach(() => void (prefs.keys = true));

describe("the keys of a table", () => {
  test("move the playhead", () => {
    const { desk: at, done } = desk();
    for (const name of [" ", ",", ".", "<", ">", "[", "]", "-", "+", "Home", "End"]) expect(pressed(key(name), at)).toBe(true);
    expect(done).toEqual([
      "toggle",
      "step -1",
      "step 1",
      "markBy -1",
      "markBy 1",
      "stageBy -1",
      "stageBy 1",
      "faster -1",
      "faster 1",
      "first",
      "last",
    ]);
  });

  test("change how the board looks", () => {
    const before = [prefs.turned, prefs.names, prefs.hatching, prefs.ranges];
    for (const name of ["F", "C", "H", "R"]) pressed(key(name, { shiftKey: true }), desk().desk);
    expect([prefs.turned, prefs.names, prefs.hatching, prefs.ranges]).toEqual(before.map((on) => !on));
  });

  test("show the whole board, wherever a keyboard has the sign of Shift 0", () => {
    for (const name of ["0", ")", "="]) pressed(key(name, { shiftKey: true }), desk().desk);
    expect(fitAll).toHaveBeenCalledTimes(3);
  });

  test("undo, redo and file while there is a sheet to write", () => {
    const { desk: at, done } = desk();
    pressed(key("z", { ctrlKey: true }), at);
    pressed(key("Z", { ctrlKey: true, shiftKey: true }), at);
    pressed(key("y", { ctrlKey: true }), at);
    pressed(key("Enter", { ctrlKey: true }), at);
    expect(done).toEqual(["undo", "redo", "redo", "file"]);
    expect(pressed(key("z", { ctrlKey: true }), desk(false).desk)).toBe(false);
  });

  test("do not file one turn after another while they are held down", () => {
    const { desk: at, done } = desk();
    pressed(key("Enter", { ctrlKey: true, repeat: true }), at);
    expect(done).toEqual([]);
  });
});

describe("a letter", () => {
  test("begins a typed line where nothing else has the focus", () => {
    expect(letter(key("g"))).toBe("g");
    for (const other of ["G", "1", "Enter", "é"]) expect(letter(key(other))).toBeNull();
    expect(letter(key("g", { ctrlKey: true }))).toBeNull();
    expect(letter(key("g", {}, document.createElement("p")))).toBeNull();
    prefs.keys = false;
    expect(letter(key("g"))).toBeNull();
  });
});

describe("a question", () => {
  const question = {
    title: "",
    text: "",
    choices: [{ label: "1", value: 1 }, { label: "2", value: 2 }], // prettier-ignore
    usual: 1,
    choose: () => undefined,
    dismiss: () => undefined,
  };

  test("is answered by digits, and by Enter as usual", () => {
    expect(answer(key("1"), question)?.value).toBe(1);
    expect(answer(key("Enter"), question)?.value).toBe(2);
    expect(answer(key("Enter"), { ...question, usual: -1 })).toBeNull();
    expect(answer(key("7"), question)).toBeNull();
  });

  test("is not answered by what goes into a text, presses a button or is held with Ctrl", () => {
    expect(answer(key("1", {}, document.createElement("input")), question)).toBeNull();
    expect(answer(key("Enter", {}, document.createElement("button")), question)).toBeNull();
    expect(answer(key("1", { ctrlKey: true }), question)).toBeNull();
  });
});
