// The pieces of the seats: a seat is told by colour, shape and hatching, and any two of them suffice.

import { fixed, type Hatch, type Point } from "./geometry";

type Shape = "square" | "circle" | "triangle";

const SHAPES: Record<string, Shape> = { red: "square", green: "triangle", blue: "circle" };
const HATCHES: Record<string, Hatch> = { red: "upright", green: "falling", blue: "level" };

export function hatchOf(seat: string | null): Hatch {
  return (seat && HATCHES[seat]) || "none";
}

const ROUND = 0.96; // radius of the circle
const SINK = 0.11; // the triangle's middle lies low, so it is set lower to look centred

// Corners for radius 1, and how far from a corner its rounding begins; all shapes look equally large.
const CORNERS: Record<"square" | "triangle", { points: readonly Point[]; round: number }> = {
  square: {
    points: [
      [-0.86, -0.86],
      [0.86, -0.86],
      [0.86, 0.86],
      [-0.86, 0.86],
    ],
    round: 0.16,
  },
  triangle: {
    points: [
      [0, -1.16],
      [1.2, 0.84],
      [-1.2, 0.84],
    ],
    round: 0.37,
  },
};

/** The outline of a seat's piece around (0, 0). */
export function outline(seat: string, r: number): string {
  const shape = SHAPES[seat] ?? "circle";
  if (shape === "circle") {
    const wide = fixed(ROUND * r);
    const half = (across: number): string => `a${wide} ${wide} 0 1 0 ${fixed(across)} 0`;
    return `M${fixed(-ROUND * r)} 0${half(2 * ROUND * r)}${half(-2 * ROUND * r)}z`;
  }
  const { points, round } = CORNERS[shape];
  const sunk = points.map(([x, y]): Point => [x * r, (y + (shape === "triangle" ? SINK : 0)) * r]);
  const parts = sunk.map((corner, i) => {
    const before = towards(corner, sunk[(i + sunk.length - 1) % sunk.length]!, round * r);
    const after = towards(corner, sunk[(i + 1) % sunk.length]!, round * r);
    return `${pair(before)}Q${pair(corner)} ${pair(after)}`;
  });
  return `M${parts.join("L")}z`;
}

/** Size and baseline of the number on a piece. */
export function figures(seat: string, r: number, count: number): { size: number; base: number } {
  const digits = Math.min(String(count).length, 3) - 1;
  const triangle = SHAPES[seat] === "triangle";
  const size = r * (triangle ? [1.17, 0.95, 0.72] : [1.17, 1.08, 0.84])[digits]!;
  return { size, base: (triangle ? 0.31 : 0) * r + 0.36 * size };
}

function towards(start: Point, end: Point, way: number): Point {
  const part = way / Math.hypot(end[0] - start[0], end[1] - start[1]);
  return [start[0] + part * (end[0] - start[0]), start[1] + part * (end[1] - start[1])];
}

function pair([x, y]: Point): string {
  return `${fixed(x)} ${fixed(y)}`;
}

// Marks that belong to nobody, drawn on a grid of 24.
export const STAR = "M12 1.8l3 6.8 7.3.8-5.5 4.9 1.6 7.3L12 17.8l-6.4 3.8 1.6-7.3L1.7 9.4 9 8.6z";
export const RAYS =
  "M12 1.8v4M12 18.2v4M1.8 12h4M18.2 12h4M4.8 4.8l2.8 2.8M16.4 16.4l2.8 2.8M19.2 4.8l-2.8 2.8M7.6 16.4l-2.8 2.8";
export const CLASH =
  "M12 1.6l2 5.6 5.2-2.8-2.4 5.4 5.6 2.2-5.6 2.2 2.4 5.4-5.2-2.8-2 5.6" +
  "-2-5.6-5.2 2.8 2.4-5.4L1.6 12l5.6-2.2-2.4-5.4L10 7.2z";

/** The transform that centres a mark of this size on a point. */
export function placed([x, y]: Point, size: number): string {
  return `translate(${fixed(x - size / 2)} ${fixed(y - size / 2)}) scale(${fixed(size / 24)})`;
}
