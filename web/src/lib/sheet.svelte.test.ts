// @vitest-environment happy-dom
import { beforeEach, describe, expect, test, vi } from "vitest";
import { fault, line, option, sheet } from "../testing/make";
import type { FileSheet, SetDraft, Sheet, SheetLine, Withdraw } from "../wire";
import { Draft } from "./sheet.svelte";
import { kept } from "./store";

type Wish = SetDraft | FileSheet | Withdraw;

const march = (number: number, to = "H4") => ({ order: "march", from: "G5", to, number });
const written = (text: string, of: Partial<SheetLine> = {}): SheetLine => ({
  text,
  order: null,
  fault: null,
  figures: {},
  role: null,
  ...of,
});

/** A sheet at a table, and what it sent; wishes are numbered from 1. */
function at(first: Partial<Sheet> | null = { step: 0, state: "empty" }) {
  const sent: Wish[] = [];
  const reopen = vi.fn();
  const draft = new Draft("t1", (wish) => sent.push(wish), reopen);
  if (first) draft.take(sheet(first));
  /** The server's answer to the last wish: the lines as they were handed in, unless said otherwise. */
  const answer = (of: Partial<Sheet> = {}): void => {
    const handed = (sent.at(-1) as SetDraft).lines;
    const lines = handed.map((one) => (typeof one === "string" ? written(one) : written(JSON.stringify(one), { order: one })));
    draft.take(sheet({ step: draft.step, lines, re: sent.length, ...of }));
    draft.answered(sent.length);
  };
  return { draft, sent, answer, reopen };
}

const orders = (draft: Draft): unknown[] => draft.lines.map((line) => line.order ?? line.text);

beforeEach(() => localStorage.clear());

describe("a sheet that is not here yet", () => {
  test("cannot be written", () => {
    const { draft, sent } = at(null);
    draft.add(march(1));
    draft.file();
    draft.undo();
    expect([draft.open, draft.lines, sent]).toEqual([false, [], []]);
  });
});

describe("a new line", () => {
  test("is shown at once, pending, and sent", () => {
    const { draft, sent } = at();
    draft.add(march(2), { chance: 97 });
    expect(draft.lines).toEqual([line(1, march(2), { pending: true, figures: { chance: 97 } })]);
    expect(sent).toEqual([{ type: "draft", lines: [march(2)] }]);
    expect([draft.pending, draft.saved]).toEqual([true, false]);
  });

  test("may be a text, which the server reads", () => {
    const { draft, sent, answer } = at();
    draft.add("g5 h4 2");
    expect(draft.lines[0]).toMatchObject({ text: "g5 h4 2", order: null, pending: true });
    expect(sent).toEqual([{ type: "draft", lines: ["g5 h4 2"] }]);
    answer({ lines: [written("G5-H4 2", { order: march(2) })] });
    expect(draft.lines[0]).toMatchObject({ key: 1, text: "G5-H4 2", order: march(2), pending: false });
    expect(draft.saved).toBe(true);
  });

  test("is judged when the server answers", () => {
    const { draft, answer } = at();
    draft.add(march(9));
    answer({ lines: [written("G5-H4 9", { order: march(9), fault: fault() })] });
    expect([draft.refused, draft.valid]).toEqual([1, 0]);
    expect(draft.lines[0]).toMatchObject({ key: 1, pending: false });
  });
});

describe("changing", () => {
  test("keeps the place and the key of the line, and what was known of it", () => {
    const { draft } = at();
    draft.add(march(1), { chance: 50 });
    draft.add(march(1, "F4"));
    draft.change(1, march(2));
    expect(draft.lines.map(({ key, order, figures }) => [key, order, figures])).toEqual([
      [1, march(2), { chance: 50 }],
      [2, march(1, "F4"), {}],
    ]);
  });

  test("striking takes one line away", () => {
    const { draft } = at();
    draft.add(march(1));
    draft.add(march(1, "F4"));
    draft.strike(1);
    expect(orders(draft)).toEqual([march(1, "F4")]);
  });

  test("setting all lines keeps those that stand already, with their keys", () => {
    const { draft } = at();
    draft.add("a");
    draft.add("b");
    draft.add("a");
    draft.set(["a", "c", "a"]);
    expect(draft.lines.map(({ key, text }) => [key, text])).toEqual([
      [1, "a"],
      [4, "c"],
      [3, "a"],
    ]);
  });

  test("the lines of the last step are known", () => {
    const { draft } = at();
    draft.add("a");
    draft.add("b");
    expect([...draft.latest]).toEqual([2]);
  });
});

describe("undo", () => {
  test("goes back step by step, and forth again", () => {
    const { draft } = at();
    expect([draft.undoable, draft.redoable]).toEqual([false, false]);
    draft.add("a");
    draft.add("b");
    draft.undo();
    expect(orders(draft)).toEqual(["a"]);
    draft.undo();
    expect([orders(draft), draft.undoable, draft.redoable]).toEqual([[], false, true]);
    draft.redo();
    draft.redo();
    expect([orders(draft), draft.redoable]).toEqual([["a", "b"], false]);
  });

  test("forgets what was undone once something else is written", () => {
    const { draft } = at();
    draft.add("a");
    draft.undo();
    draft.add("b");
    expect([draft.redoable, orders(draft)]).toEqual([false, ["b"]]);
  });

  test("has nothing of the turn before", () => {
    const { draft } = at();
    draft.add("a");
    draft.take(sheet({ step: 1, state: "empty" }));
    expect([draft.undoable, draft.lines, draft.pending]).toEqual([false, [], false]);
  });

  test("goes back to before the step of which settling was a consequence", () => {
    const { draft } = at();
    draft.add("a");
    draft.add("b");
    draft.settle([2]);
    expect(orders(draft)).toEqual(["b"]);
    draft.undo();
    expect(orders(draft)).toEqual(["a"]);
  });

  test("settling what is settled sends nothing", () => {
    const { draft, sent } = at();
    draft.add("a");
    draft.settle([1]);
    expect(sent).toHaveLength(1);
  });
});

describe("answers", () => {
  test("to an older draft do not touch what was written since", () => {
    const { draft } = at();
    draft.add("a");
    draft.add("b");
    draft.take(sheet({ re: 1, lines: [written("a")] }));
    expect(orders(draft)).toEqual(["a", "b"]);
    expect(draft.pending).toBe(true);
  });

  test("of nobody's asking wait while a draft is on its way", () => {
    const { draft } = at();
    draft.add("a");
    draft.take(sheet({ re: null, lines: [] }));
    expect(orders(draft)).toEqual(["a"]);
  });

  test("of nobody's asking count when nothing is on its way: another window has written", () => {
    const { draft, answer } = at();
    draft.add("a");
    answer();
    draft.take(sheet({ re: null, lines: [written("b"), written("a")] }));
    expect(draft.lines.map(({ key, text }) => [key, text])).toEqual([
      [2, "b"],
      [1, "a"],
    ]);
  });

  test("leave a line the same object where they say nothing new of it", () => {
    const { draft, answer } = at();
    draft.add("a");
    answer();
    const [before] = draft.lines;
    draft.take(sheet({ re: null, lines: [written("a")] }));
    expect(draft.lines[0]).toBe(before);
  });

  test("of a seat of several come in another order, and lines keep their keys by what they order", () => {
    const { draft } = at();
    draft.mine = ["general"];
    draft.add(march(1));
    draft.add(march(1, "F4"));
    draft.take(
      sheet({
        re: 2,
        lines: [
          written("x", { order: march(3, "K1"), role: "spy" }),
          written("y", { order: march(1, "F4") }),
          written("z", { order: march(1) }),
        ],
      }),
    );
    expect(draft.lines.map(({ key, text }) => [key, text])).toEqual([
      [3, "x"],
      [2, "y"],
      [1, "z"],
    ]);
  });
});

describe("filing", () => {
  test("sends the lines with their turn, and is answered", () => {
    const { draft, sent } = at({ step: 7, state: "empty" });
    draft.add(march(1));
    draft.file();
    expect(sent.at(-1)).toEqual({ type: "file", lines: [march(1)], step: 7 });
    expect(draft.filing).toBe(2);
    draft.answered(2);
    expect(draft.filing).toBeNull();
  });

  test("a change takes a filed sheet back first, and it is a draft at once", () => {
    const { draft, sent } = at({ step: 0, state: "filed", lines: [written("a")] });
    expect(draft.state).toBe("filed");
    draft.add("b");
    expect(sent.map(({ type }) => type)).toEqual(["withdraw", "draft"]);
    expect(draft.state).toBe("draft");
    draft.add("c");
    expect(sent.map(({ type }) => type)).toEqual(["withdraw", "draft", "draft"]);
  });

  test("a change takes back that this person's part is done", () => {
    const { draft, reopen } = at();
    draft.finished = true;
    draft.add("a");
    draft.add("b");
    expect(reopen).toHaveBeenCalledTimes(1);
    expect(draft.finished).toBe(false);
  });

  test("a sheet that is locked, or whose turn was played, cannot be changed", () => {
    const locked = at({ step: 0, state: "locked", lines: [written("a")] });
    locked.draft.strike(1);
    expect([orders(locked.draft), locked.sent]).toEqual([["a"], []]);
    const passed = at();
    passed.draft.passed = true;
    passed.draft.add("a");
    expect([passed.draft.open, passed.sent]).toEqual([false, []]);
  });

  test("a sheet that is closed is empty, and cannot be written", () => {
    const { draft } = at();
    draft.add("a");
    draft.close();
    expect([draft.open, draft.lines, draft.pending, draft.undoable]).toEqual([false, [], false, false]);
  });
});

describe("a draft that could not be sent", () => {
  test("is kept in the browser until it is answered", () => {
    const { draft, answer } = at();
    draft.add(march(1));
    expect(kept("draft.t1")).toEqual({ step: 0, lines: [march(1)] });
    answer();
    expect(kept("draft.t1")).toBeNull();
  });

  test("is written again when the page is reopened", () => {
    at().draft.add(march(1));
    const { draft, sent } = at({ step: 0, state: "empty" });
    expect(orders(draft)).toEqual([march(1)]);
    expect(sent).toEqual([{ type: "draft", lines: [march(1)] }]);
  });

  test("is not written on the sheet of another turn, nor on a locked one", () => {
    at().draft.add(march(1));
    const later = at({ step: 1, state: "empty" });
    expect([later.draft.lines, later.sent]).toEqual([[], []]);
    at().draft.add(march(1));
    expect(at({ step: 0, state: "locked" }).sent).toEqual([]);
  });
});

describe("the stepper of a line", () => {
  const options = [option({ order: "march", from: "G5", to: "H4" }, { least: 1, most: 3 })];

  test("goes to what the line has and what is left", () => {
    const { draft } = at({ step: 0, options });
    expect(draft.range(line(1, march(2)))).toEqual({ least: 1, most: 5 });
  });

  test("of a refused line goes to what is left, or stays: it has taken nothing", () => {
    const { draft } = at({ step: 0, options });
    expect(draft.range(line(1, march(2), { fault: fault() }))).toEqual({ least: 1, most: 3 });
    expect(draft.range(line(1, march(9), { fault: fault() }))).toEqual({ least: 1, most: 9 });
  });

  test("cannot grow where nothing is left", () => {
    const { draft } = at({ step: 0, options });
    expect(draft.range(line(1, march(2, "F4")))).toEqual({ least: 1, most: 2 });
  });

  test("is there for orders with a number only", () => {
    const { draft } = at({ step: 0, options });
    expect(draft.range(line(1, { order: "bless", hex: "I7" }))).toBeNull();
    expect(draft.range(line(1, null, { text: "what?" }))).toBeNull();
  });
});

test("lines belong to roles, to nobody, or to the lone person", () => {
  const { draft } = at();
  const of = (role: string | null) => line(1, {}, { role });
  expect([null, "spy"].map((role) => draft.owns(of(role)))).toEqual([true, true]);
  draft.mine = ["general"];
  expect([null, "spy", "general"].map((role) => draft.owns(of(role)))).toEqual([true, false, true]);
});
