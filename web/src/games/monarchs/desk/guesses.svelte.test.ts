// @vitest-environment happy-dom
import { flushSync, mount, unmount } from "svelte";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import type { DeskRoom } from "./desk.svelte";
import Guesses from "./Guesses.svelte";

let made: ReturnType<typeof mount> | null = null;
let done: object[] = [];
let target: HTMLElement;

function open(abstain: boolean): void {
  done = [];
  target = document.body.appendChild(document.createElement("main"));
  const carriers = Object.fromEntries(
    ["red", "green", "blue"].map((nation) => [nation, [1, 2, 3].map((n) => ({ role: `${nation}-${n}`, name: `${nation} ${n}` }))]),
  );
  const everything = { setup: { options: { abstain } }, names: {}, guesses: {} };
  const room = {
    told: { card: { carriers, sight: { everything } } },
    do: async (act: object) => done.push(act),
  } as unknown as DeskRoom;
  made = mount(Guesses, { target, props: { room } });
  flushSync();
}

const button = () => target.querySelector<HTMLButtonElement>("button")!;

function choose(list: number, role: string): void {
  const select = target.querySelectorAll("select")[list]!;
  select.value = role;
  select.dispatchEvent(new Event("change", { bubbles: true }));
  flushSync();
}

// Unlike a browser, this DOM doesn't find the chosen option of a list as `:checked`.
beforeEach(() => {
  const find = HTMLSelectElement.prototype.querySelector;
  vi.spyOn(HTMLSelectElement.prototype, "querySelector").mockImplementation(function (this: HTMLSelectElement, what: string) {
    return what === ":checked" ? (this.options[this.selectedIndex] ?? null) : (find.call(this, what) as Element | null);
  });
});
afterEach(async () => {
  vi.restoreAllMocks();
  if (made) await unmount(made);
  target.remove();
});

test("where monarchs may abstain, they may name nobody, one courtier or two", () => {
  open(true);
  expect(button().disabled).toBe(false);
  button().click();
  expect(done).toEqual([{ act: "guess", court: "red", spies: { green: null, blue: null } }]);
  choose(0, "red-1");
  expect(button().disabled).toBe(false);
  choose(1, "red-1");
  expect(button().disabled).toBe(true); // nobody serves two
  choose(1, "red-2");
  button().click();
  expect(done.at(-1)).toEqual({ act: "guess", court: "red", spies: { green: "red-1", blue: "red-2" } });
});

test("where nobody may abstain, both spies are named", () => {
  open(false);
  expect(button().disabled).toBe(true);
  choose(0, "red-1");
  expect(button().disabled).toBe(true);
  choose(1, "red-2");
  expect(button().disabled).toBe(false);
});
