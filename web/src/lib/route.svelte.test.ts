// @vitest-environment happy-dom
import { beforeEach, describe, expect, test, vi } from "vitest";
import { follow, route } from "./route.svelte";

beforeEach(() => {
  (window as unknown as { happyDOM: { setURL(url: string): void } }).happyDOM.setURL("http://polemos.test/");
  route.go("/");
});

describe("an address", () => {
  test("is parted at its strokes and read", () => {
    route.go("/table/a%20b/?turn=3#seat=x");
    expect(route.parts).toEqual(["table", "a b"]);
    expect(route.query.get("turn")).toBe("3");
    expect(route.hash).toBe("#seat=x");
  });

  test("of the first page has no parts", () => {
    expect(route.parts).toEqual([]);
  });

  test("that is malformed leads nowhere and raises no error", () => {
    route.go("/table/%E0%A4%A");
    expect(route.parts).toEqual(["table", "%E0%A4%A"]);
  });
});

describe("going", () => {
  test("to another page begins at its top, unless a place on it is named", () => {
    const scroll = vi.fn();
    vi.stubGlobal("scrollTo", scroll);
    route.go("/games");
    expect(scroll).toHaveBeenCalledWith(0, 0);
    scroll.mockClear();
    route.go("/games?x=1");
    route.go("/rules#3.2");
    expect(scroll).not.toHaveBeenCalled();
  });

  test("back is followed", () => {
    route.go("/games");
    history.replaceState(null, "", "/lobby");
    dispatchEvent(new PopStateEvent("popstate"));
    expect(route.path).toBe("/lobby");
  });
});

describe("a click on a link", () => {
  /** Whether a click was taken; `to` is what stands in the page. */
  function clicked(to: string, of: MouseEventInit = {}): boolean {
    document.body.innerHTML = to;
    const event = new MouseEvent("click", { bubbles: true, cancelable: true, ...of });
    Object.defineProperty(event, "target", { value: document.body.querySelector("[data-here]") ?? document.body.firstElementChild });
    follow(event);
    return event.defaultPrevented;
  }

  test("within the app is taken, also on what stands in it", () => {
    expect(clicked('<a href="/games?x=1#y"><b data-here>g</b></a>')).toBe(true);
    expect([route.path, route.search, route.hash]).toEqual(["/games", "?x=1", "#y"]);
  });

  test("to another host, another window, a file or the interface is the browser's", () => {
    expect(clicked('<a href="https://example.org/games">g</a>')).toBe(false);
    expect(clicked('<a href="/games" target="_blank">g</a>')).toBe(false);
    expect(clicked('<a href="/games" download>g</a>')).toBe(false);
    expect(clicked('<a href="/api/tables/1/replay.jsonl.gz">g</a>')).toBe(false);
    expect(clicked("<p>no link</p>")).toBe(false);
    expect(route.path).toBe("/");
  });

  test("with another button or a key held is the browser's", () => {
    for (const of of [{ button: 1 }, { ctrlKey: true }, { metaKey: true }, { shiftKey: true }, { altKey: true }])
      expect(clicked('<a href="/games">g</a>', of)).toBe(false);
  });
});
