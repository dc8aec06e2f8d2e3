// The pieces of the seats as paths for a canvas: a seat is told by colour, shape and hatching, and any two suffice.

import type { Point } from "./geometry";

type Shape = "square" | "circle" | "triangle" | "diamond";
export type Hatch = "upright" | "level" | "falling" | "points";

const SHAPES: Record<string, Shape> = { red: "square", blue: "circle", green: "triangle", yellow: "diamond" };
const HATCHES: Record<string, Hatch> = { red: "upright", blue: "level", green: "falling", yellow: "points" };

const ROUND = 0.96; // radius of the circle
const SINK = 0.11; // the triangle's middle lies low, so it is set lower to look centred
const LOWERED = 0.31; // and its figures lower still

// Corners for radius 1, and how far from a corner its rounding begins; all shapes look equally large.
const CORNERS: Record<Exclude<Shape, "circle">, { points: readonly Point[]; round: number }> = {
  square: { points: [[-0.86, -0.86], [0.86, -0.86], [0.86, 0.86], [-0.86, 0.86]], round: 0.16 }, // prettier-ignore
  triangle: { points: [[0, -1.16], [1.2, 0.84], [-1.2, 0.84]], round: 0.37 }, // prettier-ignore
  diamond: { points: [[0, -1.2], [1.2, 0], [0, 1.2], [-1.2, 0]], round: 0.2 }, // prettier-ignore
};

// The size of one to four figures on a piece, in tiles.
const FIGURES: Record<Shape, readonly number[]> = {
  square: [0.38, 0.35, 0.31, 0.25],
  circle: [0.38, 0.35, 0.31, 0.25],
  triangle: [0.35, 0.315, 0.265, 0.21],
  diamond: [0.35, 0.325, 0.285, 0.25],
};

const shapeOf = (seat: string): Shape => SHAPES[seat] ?? "circle";

export const hatchOf = (seat: string): Hatch => HATCHES[seat] ?? "level";

/** Light pieces have dark rims in both themes. */
export const isLight = (seat: string): boolean => seat === "green" || seat === "yellow";

/** The outline of a seat's piece around a point. */
export function outline(seat: string, x: number, y: number, r: number): Path2D {
  const shape = shapeOf(seat);
  const path = new Path2D();
  if (shape === "circle") {
    path.arc(x, y, ROUND * r, 0, 2 * Math.PI);
    return path;
  }
  const { points, round } = CORNERS[shape];
  const placed = points.map(([px, py]): Point => [x + px * r, y + (py + (shape === "triangle" ? SINK : 0)) * r]);
  placed.forEach((corner, i) => {
    const before = towards(corner, placed[(i + placed.length - 1) % placed.length]!, round * r);
    const after = towards(corner, placed[(i + 1) % placed.length]!, round * r);
    if (i) path.lineTo(...before);
    else path.moveTo(...before);
    path.quadraticCurveTo(...corner, ...after);
  });
  path.closePath();
  return path;
}

/** Size of the number on a piece, and how far below the middle it stands. */
export function figures(seat: string, r: number, text: string, side: number): { size: number; low: number } {
  const shape = shapeOf(seat);
  return {
    size: FIGURES[shape][Math.min(text.length, 4) - 1]! * side,
    low: shape === "triangle" ? LOWERED * r : 0,
  };
}

function towards(start: Point, end: Point, way: number): Point {
  const part = way / Math.hypot(end[0] - start[0], end[1] - start[1]);
  return [start[0] + part * (end[0] - start[0]), start[1] + part * (end[1] - start[1])];
}

const DETAIL = 4; // lines of hatching to a tile

/** The lines of a seat's hatching in a box. Every tile is hatched alike, so the lines run on from tile to tile. */
export function hatching(path: Path2D, seat: string, box: Box, side: number): void {
  const hatch = hatchOf(seat);
  const gap = side / DETAIL;
  if (hatch === "upright") for (const x of marks(box.left, box.right, gap)) line(path, x, box.top, x, box.bottom);
  else if (hatch === "level") for (const y of marks(box.top, box.bottom, gap)) line(path, box.left, y, box.right, y);
  else if (hatch === "falling") falling(path, box, side / (DETAIL - 1));
  else points(path, box, gap);
}

export interface Box {
  readonly left: number;
  readonly top: number;
  readonly right: number;
  readonly bottom: number;
}

function line(path: Path2D, ax: number, ay: number, bx: number, by: number): void {
  path.moveTo(ax, ay);
  path.lineTo(bx, by);
}

/** Lines stand at half a gap, one gap, ... so that they never double the grid. */
function marks(from: number, to: number, gap: number): number[] {
  const found: number[] = [];
  for (let k = Math.ceil(from / gap - 0.5); (k + 0.5) * gap < to; k++) found.push((k + 0.5) * gap);
  return found;
}

/** Three to a tile upwards are as far apart as four are aside. */
function falling(path: Path2D, { left, top, right, bottom }: Box, gap: number): void {
  for (const c of marks(top - right, bottom - left, gap)) {
    const ax = Math.max(left, top - c);
    const bx = Math.min(right, bottom - c);
    if (bx - ax > gap / 6) line(path, ax, ax + c, bx, bx + c);
  }
}

function points(path: Path2D, { left, top, right, bottom }: Box, gap: number): void {
  for (const y of marks(top, bottom, gap)) {
    const shift = Math.round(y / gap - 0.5) % 2 ? gap / 2 : 0;
    for (const x of marks(left - shift + gap / 4, right - shift - gap / 4, gap))
      line(path, x + shift, y, x + shift + 0.01, y);
  }
}

// Drawn on a grid of 24.
export const HANDLE = "M5 20.6L14 10.4";
export const HEAD = "M10 5.2l4.4-3 7 6.6-3.2 4.2z";
