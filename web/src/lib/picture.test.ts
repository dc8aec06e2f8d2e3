import { expect, test } from "vitest";
import { coloured } from "./picture";

test("a picture gets the colours of the page", () => {
  const value = (name: string): string =>
    ({ "--ink": " rgb(27, 30, 34)", "--page": "rgb(245, 242, 234)", "--odd": '"><script>' })[name] ?? "";
  expect(coloured('<rect fill="var(--ink)" stroke="var(--page)"/><path fill="var(--ink)"/>', value)).toBe(
    '<rect fill="rgb(27, 30, 34)" stroke="rgb(245, 242, 234)"/><path fill="rgb(27, 30, 34)"/>',
  );
  expect(coloured('<rect fill="var(--odd)" stroke="var(--none)"/>', value)).toBe('<rect fill="var(--odd)" stroke="var(--none)"/>');
});
