import { expect, test } from "vitest";
import { SEATS } from "./look";
import { bends, hatchOf, isDotted, outline, paint, shapeOf } from "./seats";

const seats = Object.keys(SEATS);

test("no two seats have the same shape, or the same ground", () => {
  expect(new Set(seats.map((seat) => outline(seat, 10))).size).toBe(seats.length);
  expect(new Set(seats.map((seat) => JSON.stringify([hatchOf(seat), isDotted(seat)]))).size).toBe(seats.length);
});

test("a seat that nobody has heard of is drawn as what belongs to nobody", () => {
  for (const seat of [null, "", "mauve"]) {
    expect(shapeOf(seat)).toBe(shapeOf(null));
    expect(paint(seat)).toEqual(paint(null));
    expect(hatchOf(seat)).toEqual([]);
    expect(isDotted(seat)).toBe(false);
  }
  expect(seats.map(shapeOf)).not.toContain(shapeOf(null));
});

test("directions of hatching have length 1", () => {
  for (const seat of seats) for (const [x, y] of hatchOf(seat)) expect(Math.hypot(x, y)).toBeCloseTo(1, 9);
  expect(hatchOf("red")).toEqual([[0, 1]]); // upright, the engravers' red
  expect(hatchOf("blue")).toEqual([[1, 0]]); // level, the engravers' blue
});

test("a circle is two arcs and closes", () => {
  expect(outline("blue", 100)).toBe("M-96 0a96 96 0 1 0 192 0a96 96 0 1 0 -192 0z");
});

test("a square has four bends, rounded as far as its shape says", () => {
  const square = shapeOf("red");
  const corners = bends(square);
  expect(corners).toHaveLength(4);
  for (const { before, corner, after } of corners)
    for (const end of [before, after]) {
      const [dx, dy] = [end[0] - corner[0], end[1] - corner[1]].map(Math.abs);
      expect(Math.max(dx!, dy!)).toBeCloseTo(square.round, 9); // along one side,
      expect(Math.min(dx!, dy!)).toBeCloseTo(0, 9); // and not aside
    }
  expect(outline("red", 100).match(/Q/g)).toHaveLength(4);
});

test("a seat's colours are those of the style sheet", () => {
  expect(paint("red")).toMatchObject({ piece: "var(--red-piece)", on: "var(--on-red)", cased: false, dash: "" });
  expect(paint("yellow").cased).toBe(true); // light
});
