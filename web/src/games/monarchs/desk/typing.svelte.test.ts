import { expect, test } from "vitest";
import { Draft } from "../../../lib/sheet.svelte";
import { Typing } from "./typing.svelte";

/** A sheet whose lines the server has judged. */
function sheet(...texts: string[]) {
  const draft = new Draft("typing", () => 1);
  const lines = texts.map((text) => ({ text, order: null, fault: null, figures: {} }));
  draft.take({ type: "sheet", step: 0, state: "draft", lines, options: [], alerts: [], re: null } as unknown as Parameters<
    Draft["take"]
  >[0]);
  return { draft, typing: new Typing(draft), texts: () => draft.lines.map((line) => line.text) };
}

test("a line is typed again in its place", () => {
  const { draft, typing, texts } = sheet("a", "b", "c");
  typing.change(draft.lines[1]!);
  expect(typing.typed).toBe("b");
  typing.typed = "x";
  typing.enter();
  expect(texts()).toEqual(["a", "x", "c"]);
  typing.change(draft.lines[0]!);
  typing.typed = "y; z";
  typing.enter();
  expect(texts()).toEqual(["y", "z", "x", "c"]);
  typing.typed = "d";
  typing.enter();
  expect(texts()).toEqual(["y", "z", "x", "c", "d"]);
});

test("a line that is deleted while it is being changed does not come back", () => {
  const { draft, typing, texts } = sheet("a", "b", "c");
  typing.change(draft.lines[1]!);
  draft.strike(draft.lines[1]!.key);
  expect(typing.stale).toBe(true);
  typing.enter();
  expect(texts()).toEqual(["a", "c"]);
  expect(typing).toMatchObject({ typed: "", changing: null });
});

test("a line that is settled or changed on the map while it is being changed stays as it is", () => {
  const { draft, typing, texts } = sheet("a", "b", "c");
  typing.change(draft.lines[1]!);
  draft.change(draft.lines[1]!.key, "settled");
  typing.enter();
  expect(texts()).toEqual(["a", "settled", "c"]);
});

test("what has been typed is not lost when another line is clicked", () => {
  const { draft, typing, texts } = sheet("a", "b");
  typing.typed = "c";
  typing.change(draft.lines[0]!);
  expect(texts()).toEqual(["a", "b", "c"]);
  expect(typing.typed).toBe("a");
  typing.typed = "A";
  typing.change(draft.lines[0]!); // only goes back into the field
  expect(typing.typed).toBe("A");
  typing.change(draft.lines[1]!);
  expect(texts()).toEqual(["A", "b", "c"]);
});

test("taking the last line back leaves the line alone that was being changed", () => {
  const { draft, typing, texts } = sheet("a", "b", "c");
  typing.change(draft.lines[1]!);
  typing.typed = "";
  typing.back();
  typing.enter();
  expect(texts()).toEqual(["a", "b", "c"]);
});

test("what is pasted takes the place of the line that is being changed", () => {
  const { draft, typing, texts } = sheet("a", "b", "c");
  typing.change(draft.lines[1]!);
  typing.paste("x\ny");
  expect(texts()).toEqual(["a", "x", "y", "c"]);
  typing.typed = "d";
  typing.paste(" 1\ne 1");
  expect(texts()).toEqual(["a", "x", "y", "c", "d 1", "e 1"]);
});
