// The pieces of the seats as paths for a canvas. Seats differ in colour, shape and hatching, and any two are enough.

import { GLYPHS, SEATS } from "../../ui/look";
import { bends, hatchOf, isDotted, shapeOf } from "../../ui/seats";

// The size of one to four figures on a piece, in tiles.
const FIGURES: Record<string, readonly number[]> = {
  square: [0.38, 0.35, 0.31, 0.25],
  circle: [0.38, 0.35, 0.31, 0.25],
  triangle: [0.35, 0.315, 0.265, 0.21],
  diamond: [0.35, 0.325, 0.285, 0.25],
};

const ON_CIRCLE = FIGURES["circle"]!;

/** The outline of a seat's piece around a point. */
export function outline(seat: string, x: number, y: number, r: number): Path2D {
  const shape = shapeOf(seat);
  const path = new Path2D();
  if (!shape.corners.length) {
    path.arc(x, y, shape.round * r, 0, 2 * Math.PI);
    return path;
  }
  bends(shape).forEach(({ before, corner, after }, i) => {
    if (i) path.lineTo(x + before[0] * r, y + before[1] * r);
    else path.moveTo(x + before[0] * r, y + before[1] * r);
    path.quadraticCurveTo(x + corner[0] * r, y + corner[1] * r, x + after[0] * r, y + after[1] * r);
  });
  path.closePath();
  return path;
}

/** Size of the number on a piece, and how far below the middle it is. */
export function figures(seat: string, r: number, text: string, side: number): { size: number; low: number } {
  const { sink, low } = shapeOf(seat);
  const sizes = FIGURES[SEATS[seat]?.shape ?? ""] ?? ON_CIRCLE;
  return { size: sizes[Math.min(text.length, 4) - 1]! * side, low: (sink + low) * r };
}

const DETAIL = 4; // lines of hatching per tile

/** The lines of a seat's hatching in a box. Every tile is hatched the same way, so lines continue from tile to tile. */
export function hatching(path: Path2D, seat: string, box: Box, side: number): void {
  const gap = side / DETAIL;
  if (isDotted(seat)) points(path, box, gap);
  for (const [dx, dy] of hatchOf(seat)) {
    if (dx === 0) for (const x of marks(box.left, box.right, gap)) line(path, x, box.top, x, box.bottom);
    else if (dy === 0) for (const y of marks(box.top, box.bottom, gap)) line(path, box.left, y, box.right, y);
    else slanting(path, box, side / (DETAIL - 1), dy > 0);
  }
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

/** Lines are at half a gap, one gap, ... so that they never coincide with the grid. */
function marks(from: number, to: number, gap: number): number[] {
  const found: number[] = [];
  for (let k = Math.ceil(from / gap - 0.5); (k + 0.5) * gap < to; k++) found.push((k + 0.5) * gap);
  return found;
}

/** Three per tile vertically are as far apart as four horizontally. Rising lines are falling ones, mirrored. */
function slanting(path: Path2D, { left, top, right, bottom }: Box, gap: number, falls: boolean): void {
  const [from, to] = falls ? [top, bottom] : [-bottom, -top];
  const sign = falls ? 1 : -1;
  for (const c of marks(from - right, to - left, gap)) {
    const ax = Math.max(left, from - c);
    const bx = Math.min(right, to - c);
    if (bx - ax > gap / 6) line(path, ax, sign * (ax + c), bx, sign * (bx + c));
  }
}

function points(path: Path2D, { left, top, right, bottom }: Box, gap: number): void {
  for (const y of marks(top, bottom, gap)) {
    const shift = Math.round(y / gap - 0.5) % 2 ? gap / 2 : 0;
    for (const x of marks(left - shift + gap / 4, right - shift - gap / 4, gap)) line(path, x + shift, y, x + shift + 0.01, y);
  }
}

// On a grid of 24.
const HAMMER = GLYPHS["hammer"]!;
export const HANDLE = HAMMER[0]![0];
export const HEAD = HAMMER[1]![0];
