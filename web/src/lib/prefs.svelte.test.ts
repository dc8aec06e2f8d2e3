// @vitest-environment happy-dom
import { beforeEach, describe, expect, test, vi } from "vitest";
import { kept } from "./store";

/** A system that wants dark pages or still ones, and can change its mind. */
function system(wants: { dark: boolean; still: boolean }) {
  const changed: (() => void)[] = [];
  vi.stubGlobal("matchMedia", (query: string) => ({
    get matches() {
      return query.includes("dark") ? wants.dark : wants.still;
    },
    addEventListener: (_: string, heard: () => void) => changed.push(heard),
  }));
  return (now: typeof wants): void => {
    Object.assign(wants, now);
    for (const heard of changed) heard();
  };
}

/** What a person wants, read anew as when a page is opened. */
async function opened() {
  vi.resetModules();
  return (await import("./prefs.svelte")).prefs;
}

beforeEach(() => localStorage.clear());

describe("the theme", () => {
  test("is the system's until somebody chooses", async () => {
    const change = system({ dark: true, still: false });
    const prefs = await opened();
    expect(prefs.dark).toBe(true);
    change({ dark: false, still: false });
    expect(prefs.dark).toBe(false);
    prefs.flip();
    expect([prefs.theme, prefs.dark]).toEqual(["dark", true]);
    change({ dark: false, still: false });
    expect(prefs.dark).toBe(true);
    prefs.flip();
    expect(prefs.theme).toBe("light");
  });

  test("is handed to the style sheet only where it was chosen", async () => {
    system({ dark: false, still: false });
    const prefs = await opened();
    prefs.theme = "dark";
    prefs.save();
    expect(document.documentElement.dataset["theme"]).toBe("dark");
    prefs.theme = "system";
    prefs.save();
    expect(document.documentElement.dataset["theme"]).toBeUndefined();
  });
});

test("preferences are kept, except those for this visit only", async () => {
  system({ dark: false, still: false });
  const prefs = await opened();
  Object.assign(prefs, { names: false, speed: 16, name: "Ada", turned: true, ranges: true });
  prefs.save();
  expect(kept("prefs")).toMatchObject({ names: false, speed: 16, name: "Ada" });
  const again = await opened();
  expect([again.names, again.speed, again.name, again.turned, again.ranges]).toEqual([false, 16, "Ada", false, false]);
});

test("nothing moves for who wants nothing to move", async () => {
  const change = system({ dark: false, still: false });
  const prefs = await opened();
  expect([prefs.looks(true).motion, prefs.looks(false).motion]).toEqual([true, false]);
  change({ dark: false, still: true });
  expect(prefs.looks(true).motion).toBe(false);
});
