import { describe, expect, test } from "vitest";
import { blocks, inline, type Inline } from "./markdown";

const text = (words: string): Inline => ({ kind: "text", text: words });
const paragraph = (...words: Inline[]) => ({ kind: "paragraph", in: words });

describe("words", () => {
  test("without marks are one text", () => {
    expect(inline("2 * 3 = 6, a_b_c")).toEqual([text("2 * 3 = 6, a_b_c")]);
    expect(inline("")).toEqual([]);
  });

  test("may be strong, stressed, or code, and one within another", () => {
    expect(inline("a **b** c")).toEqual([text("a "), { kind: "strong", in: [text("b")] }, text(" c")]);
    expect(inline("*b*")).toEqual([{ kind: "em", in: [text("b")] }]);
    expect(inline("**a `b` c**")).toEqual([{ kind: "strong", in: [text("a "), { kind: "code", text: "b" }, text(" c")] }]);
  });

  test("in code mean nothing", () => {
    expect(inline("`**a** 3.2 [b](c)`", new Set(["3.2"]))).toEqual([{ kind: "code", text: "**a** 3.2 [b](c)" }]);
  });

  test("that name a paragraph point at it, if there is one", () => {
    const known = new Set(["3.2", "Q1.1"]);
    expect(inline("see 3.2.", known)).toEqual([text("see "), { kind: "rule", text: "3.2", to: "3.2" }, text(".")]);
    expect(inline("Q1.1", known)).toEqual([{ kind: "rule", text: "Q1.1", to: "Q1.1" }]);
    expect(inline("see 9.9 and 3.2", known)).toEqual([text("see 9.9 and "), { kind: "rule", text: "3.2", to: "3.2" }]);
    expect(inline("0.25", known)).toEqual([text("0.25")]);
    expect(inline("13.25", known)).toEqual([text("13.25")]);
  });
});

describe("a link", () => {
  const linked = (to: string) => inline(`[here](${to})`);

  test("leads to the web, to a page of ours, or to a place on this page", () => {
    for (const to of [
      "https://example.org/a?b=c",
      "http://example.org",
      "/games/monad",
      "#3.2",
      "rules.md",
      "maps/duel.txt",
      "rules.md#top",
    ])
      expect(linked(to)).toEqual([{ kind: "link", to, in: [text("here")] }]);
  });

  test("that could run something is only its words", () => {
    for (const to of [
      "javascript:alert(1)",
      "JaVaScRiPt:alert(1)",
      "javascript://example.org/%0aalert(1",
      "data:text/html,<script>alert(1)</script>",
      "vbscript:x",
      "javascript&colon;alert(1)",
      "blob:https://example.org/1",
      "file:///etc/passwd",
    ])
      expect(linked(to).every(({ kind }) => kind === "text")).toBe(true);
  });
});

describe("a block is", () => {
  test("a paragraph, over several lines until an empty one", () => {
    expect(blocks("a\nb\n\nc")).toEqual([paragraph(text("a b")), paragraph(text("c"))]);
    expect(blocks("")).toEqual([]);
    expect(blocks("\n \n")).toEqual([]);
  });

  test("a heading by its level", () => {
    expect(blocks("## The turn")).toEqual([{ kind: "heading", level: 2, in: [text("The turn")] }]);
    expect(blocks("#hash")).toEqual([paragraph(text("#hash"))]);
  });

  test("a list, whose items go on in lines that are not items", () => {
    expect(blocks("- a\n  b\n- c")).toEqual([{ kind: "list", ordered: false, items: [[text("a b")], [text("c")]] }]);
    expect(blocks("1. a\n2. b")).toEqual([{ kind: "list", ordered: true, items: [[text("a")], [text("b")]] }]);
  });

  test("a list right after a paragraph", () => {
    expect(blocks("Either:\n- a")).toEqual([paragraph(text("Either:")), { kind: "list", ordered: false, items: [[text("a")]] }]);
  });

  test("code, of which nothing is read", () => {
    expect(blocks("```\n# a\n\n- **b**\n```\nc")).toEqual([{ kind: "code", text: "# a\n\n- **b**" }, paragraph(text("c"))]);
    expect(blocks("```\nnever closed")).toEqual([{ kind: "code", text: "never closed" }]);
  });

  test("a quote", () => {
    expect(blocks("> a\n> b")).toEqual([{ kind: "quote", in: [text("a b")] }]);
  });

  test("a table, with bars in cells written as \\|", () => {
    expect(blocks("| a | b |\n| --- | :-: |\n| 1 \\| 2 | 3 |\nc")).toEqual([
      { kind: "table", head: [[text("a")], [text("b")]], rows: [[[text("1 | 2")], [text("3")]]] },
      paragraph(text("c")),
    ]);
  });

  test("a paragraph where bars begin no table", () => {
    expect(blocks("| a |\nb")).toEqual([paragraph(text("| a | b"))]);
  });
});

test("whatever is written ends, and nothing of it is lost", () => {
  for (const odd of ["**", "*", "`", "[a](", "[](b)", "|", "> ", "-", "1.", "#", "```", "****", "| a |\n|", "\\|"])
    expect(() => blocks(odd)).not.toThrow();
  expect(inline("** [a]( `")).toEqual([text("** [a]( `")]);
});
