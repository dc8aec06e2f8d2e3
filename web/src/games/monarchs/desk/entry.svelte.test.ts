// @vitest-environment happy-dom
import { flushSync, mount, unmount } from "svelte";
import { afterEach, beforeEach, expect, test } from "vitest";
import type { GameTable } from "../../contract";
import type { DeskRoom, Open } from "./desk.svelte";
import Entry from "./Entry.svelte";

/** The server's way to write a line. */
const written = (line: unknown): string => String(line).toUpperCase();
const opened = (lines: readonly unknown[], check?: Open["check"]): Open => {
  const told = lines.map((line) => ({ text: written(line), order: null, fault: null, figures: {} }));
  const sheet = { type: "sheet", step: 0, state: "draft", lines: told, options: [], alerts: [], re: null };
  return { sheet, setting: {}, view: { hexes: {} }, ...(check ? { check } : {}) } as unknown as Open;
};

let kept: unknown[] = []; // the draft on the server
let filed: unknown[][] = [];
let closed = 0;
let gate: Promise<void> | null = null;
let entry: ReturnType<typeof mount> & Record<"again" | "check" | "file" | "leave", () => Promise<void>>;
let target: HTMLElement;

function open(lines: readonly unknown[], check?: Open["check"]): void {
  kept = [...lines];
  const room = {
    told: { others: ["Luca"], card: { sight: { everything: { orders: {} } } } },
    refused: null,
    async ask(path: string, said: { lines?: unknown[] }) {
      await gate;
      if (path === "/draft") kept = said.lines!.map(written);
      if (path === "/file") filed.push(said.lines!);
      return path === "/draft" ? opened(said.lines!) : {};
    },
  } as unknown as DeskRoom;
  const game = { board: () => ({}), words: () => ({ text: "" }) } as unknown as GameTable;
  const close = () => void closed++;
  entry = mount(Entry, { target, props: { room, nation: "red", open: opened(lines, check), game, close } }) as typeof entry;
  flushSync();
}

const field = () => target.querySelector<HTMLInputElement>(".entry input")!;
const lines = () => [...target.querySelectorAll(".sheet .t")].map((line) => line.textContent);
const button = (name: string) =>
  [...target.querySelectorAll("button")].find((one) => (one.getAttribute("aria-label") ?? one.textContent)!.startsWith(name));

function fill(text: string): void {
  field().value = text;
  field().dispatchEvent(new Event("input", { bubbles: true }));
}

function key(key: string): void {
  field().dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true, cancelable: true }));
}

async function quiet(): Promise<void> {
  await new Promise((done) => setTimeout(done));
  flushSync();
}

async function type(...texts: string[]): Promise<void> {
  for (const text of texts) {
    fill(text);
    key("Enter");
  }
  await quiet();
}

beforeEach(() => {
  localStorage.clear();
  filed = [];
  closed = 0;
  gate = null;
  target = document.body.appendChild(document.createElement("main"));
});
afterEach(async () => {
  await unmount(entry);
  target.remove();
});

test("a line that is deleted while its text is in the field is not filed", async () => {
  open(["A", "B", "C"]);
  button("Change line 2")!.click();
  flushSync();
  expect(field().value).toBe("B");
  button("Delete line 2")!.click();
  await quiet();
  expect(field().value).toBe("");
  await entry.file();
  expect(filed).toEqual([["A", "C"]]);
  expect(closed).toBe(1);
});

test("what was settled while that line was being changed is filed", async () => {
  open([], { name: "Anna", lines: ["A", "B"] });
  await type("a", "x");
  button("Change line 2")!.click();
  button("The first is right about line 2")!.click();
  await quiet();
  expect(field().value).toBe("");
  await entry.file();
  expect(filed).toEqual([["A", "B"]]);
});

test("half a line becomes a line when the other reading comes back", async () => {
  open(["A"]);
  fill("b");
  await entry.again();
  await quiet();
  expect(lines()).toEqual([]);
  await entry.again();
  await quiet();
  expect(lines()).toEqual(["A", "B"]);
});

test("the key that is pressed twice while lines are being saved turns over one reading", async () => {
  open(["A", "B"]);
  let go = (): void => undefined;
  gate = new Promise((done) => (go = done));
  fill("c");
  const pressed = [entry.again(), entry.again()];
  go();
  await Promise.all(pressed);
  await quiet();
  expect(lines()).toEqual([]);
  await entry.again();
  await quiet();
  expect(lines()).toEqual(["A", "B", "C"]);
});

test("the second reading is there again after a look at the first", async () => {
  open(["A", "B"]);
  await entry.again();
  await type("x");
  await entry.again();
  await quiet();
  expect(lines()).toEqual(["A", "B"]);
  expect(button("Back to the second reading")).toBeDefined();
  await entry.again();
  await quiet();
  expect(lines()).toEqual(["X"]);
});

test("whatever happens during a second reading, the server keeps the first", async () => {
  open(["A", "B"]);
  await entry.again();
  await quiet();
  expect(kept).toEqual(["A", "B"]);
  await type("x");
  expect(kept).toEqual(["A", "B"]);
  expect(localStorage).toHaveLength(0); // nor does a half of it wait in this browser
  await type("b");
  button("The second is right about line 1")!.click();
  await quiet();
  expect(kept).toEqual(["X", "B"]);
  fill("c");
  await entry.leave();
  expect(kept).toEqual(["X", "B"]);
  expect(lines()).toEqual(["X", "B", "C"]);
});

test("half a line is kept when the desk turns to something else", async () => {
  open(["A"]);
  fill("b");
  await entry.leave();
  expect(kept).toEqual(["A", "B"]);
});

test("who reads a sheet for a colleague keeps to their own reading", async () => {
  open([], { name: "Anna", lines: ["A", "B"] });
  await type("x");
  expect(button("Back to")).toBeUndefined();
  await entry.again();
  await entry.check();
  await quiet();
  expect(lines()).toEqual(["X"]);
  expect(closed).toBe(0);
});

test("lines beyond the first reading are settled from its end", async () => {
  open(["A"]);
  await entry.again();
  await type("a", "b", "c");
  expect(button("The second is right about line 3")).toBeUndefined();
  button("The second is right about line 2")!.click();
  await quiet();
  button("The first is right about line 3")!.click();
  await quiet();
  await entry.file();
  expect(filed).toEqual([["A", "B"]]);
});
