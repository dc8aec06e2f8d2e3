// @vitest-environment happy-dom
import { flushSync, mount, unmount } from "svelte";
import { expect, test } from "vitest";
import Markdown from "./Markdown.svelte";

/** A text of a book as it stands in the page. */
function drawn(text: string): HTMLElement {
  const target = document.createElement("main");
  const made = mount(Markdown, { target, props: { text, known: new Set(["3.2"]) } });
  flushSync();
  const copy = target.cloneNode(true) as HTMLElement;
  void unmount(made);
  return copy;
}

test("what looks like HTML is shown as it was written", () => {
  const hostile = '<img src=x onerror="alert(1)"><script>alert(2)</script>';
  for (const text of [
    hostile,
    `**${hostile}**`,
    `- ${hostile}`,
    `> ${hostile}`,
    `# ${hostile}`,
    `\`${hostile}\``,
    `| ${hostile} |\n| --- |`,
  ]) {
    const page = drawn(text);
    expect(page.querySelector("img, script")).toBeNull();
    expect(page.textContent).toContain(hostile);
  }
});

test("an address cannot leave its attribute, nor run anything", () => {
  const quoted = drawn('[a](https://example.org/"onclick="alert)').querySelector("a")!;
  expect(quoted.getAttributeNames()).toEqual(["href"]);
  expect(quoted.getAttribute("href")).toBe('https://example.org/"onclick="alert');
  expect(drawn("[a](javascript:alert(1))").querySelector("a")).toBeNull();
});

test("paragraphs that are named lead to their place", () => {
  expect(drawn("see 3.2").querySelector("a")?.getAttribute("href")).toBe("#3.2");
});

test("a list is a list and a table a table", () => {
  expect(drawn("1. a\n2. b").querySelectorAll("ol > li")).toHaveLength(2);
  const table = drawn("| a | b |\n| --- | --- |\n| 1 | 2 |").querySelector("table")!;
  expect([table.querySelectorAll("th").length, table.querySelectorAll("td").length]).toEqual([2, 2]);
});
