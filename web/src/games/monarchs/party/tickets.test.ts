import { expect, test } from "vitest";
import { numbered } from "./tickets";

test("tickets are numbered in the order in which they are held", () => {
  const held: [string, number][] = [
    ["red-1", 4],
    ["red-2", 0],
    ["green-1", 1],
    ["blue-1", 9],
  ];
  expect(numbered(held)).toEqual([
    { role: "red-1", first: 1, last: 4 },
    { role: "green-1", first: 5, last: 5 },
    { role: "blue-1", first: 6, last: 14 },
  ]);
});
