// @vitest-environment happy-dom
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { keyOf, press, writing } from "./keys";
import { prefs } from "./prefs.svelte";

const key = (key: string, of: KeyboardEventInit = {}): KeyboardEvent =>
  new KeyboardEvent("keydown", { key, cancelable: true, bubbles: true, ...of });

describe("a key is written", () => {
  test("as a capital, with what is held", () => {
    expect(keyOf(key("f", { shiftKey: true }))).toBe("Shift F");
    expect(keyOf(key("F", { shiftKey: true }))).toBe("Shift F");
    expect(keyOf(key("z", { ctrlKey: true }))).toBe("Ctrl Z");
    expect(keyOf(key("Z", { ctrlKey: true, shiftKey: true }))).toBe("Ctrl Shift Z");
    expect(keyOf(key("a", { altKey: true }))).toBe("Alt A");
  });

  test("the same with the key of a Macintosh", () => {
    expect(keyOf(key("z", { metaKey: true }))).toBe("Ctrl Z");
  });

  test("as the sign itself, for which Shift may be needed", () => {
    expect(keyOf(key(","))).toBe(",");
    expect(keyOf(key("?", { shiftKey: true }))).toBe("?");
    expect(keyOf(key("<", { shiftKey: true }))).toBe("<");
  });

  test("as a digit with Shift where a keyboard has digits there", () => {
    expect(keyOf(key("0", { shiftKey: true }))).toBe("Shift 0");
    expect(keyOf(key("0"))).toBe("0");
  });

  test("by its name", () => {
    expect(keyOf(key(" "))).toBe("Space");
    expect(keyOf(key("Enter", { ctrlKey: true }))).toBe("Ctrl Enter");
    expect(keyOf(key("ArrowUp", { shiftKey: true }))).toBe("Shift ArrowUp");
  });
});

describe("pressing", () => {
  const act = vi.fn();
  const bindings = { F: act, "Ctrl Z": act, Escape: act, Space: act };

  /** Whether a key meant something while this element had the focus. */
  function pressed(name: string, of: KeyboardEventInit = {}, html = "<p></p>"): boolean {
    document.body.innerHTML = html;
    const event = key(name, of);
    Object.defineProperty(event, "target", { value: document.body.firstElementChild });
    const meant = press(event, bindings);
    expect(event.defaultPrevented).toBe(meant);
    expect(act).toHaveBeenCalledTimes(meant ? 1 : 0);
    act.mockClear();
    return meant;
  }

  beforeEach(() => void (prefs.keys = true));
  afterEach(() => void (document.body.innerHTML = ""));

  test("a key that means something does it, and is used up", () => {
    expect(pressed("f")).toBe(true);
    expect(pressed("g")).toBe(false);
  });

  test("single keys do nothing while something is written; Escape and those with Ctrl do", () => {
    for (const html of ["<input>", "<textarea></textarea>", "<select></select>", "<div contenteditable></div>"]) {
      expect(pressed("f", {}, html)).toBe(false);
      expect(pressed("z", { ctrlKey: true }, html)).toBe(true);
      expect(pressed("Escape", {}, html)).toBe(true);
    }
    expect(pressed("f", {}, "<input type=checkbox>")).toBe(true);
  });

  test("single keys do nothing for who switched them off", () => {
    prefs.keys = false;
    expect(pressed("f")).toBe(false);
    expect(pressed("z", { ctrlKey: true })).toBe(true);
    expect(pressed("Escape")).toBe(true);
  });

  test("Space on a button or a link is the button's", () => {
    expect(pressed(" ", {}, "<button></button>")).toBe(false);
    expect(pressed(" ", {}, "<a href=/></a>")).toBe(false);
    expect(pressed(" ")).toBe(true);
  });

  test("behind an open dialogue nothing happens", () => {
    expect(pressed("f", {}, "<p></p><dialog open></dialog>")).toBe(false);
  });

  test("what somebody else has done is not done again", () => {
    const event = key("f");
    event.preventDefault();
    expect(press(event, bindings)).toBe(false);
  });
});

test("writing is where letters go into something", () => {
  document.body.innerHTML = "<div contenteditable><b>x</b></div>";
  expect(writing(document.querySelector("b"))).toBe(true);
  expect(writing(document.body)).toBe(false);
  expect(writing(null)).toBe(false);
});
