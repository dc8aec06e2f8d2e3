// What is drawn on the map: numbers on pieces, and marks that belong to nobody.

import { GLYPHS } from "../../ui/look";
import { shapeOf } from "../../ui/seats";
import { fixed, type Point } from "./geometry";

/** Size and baseline of the number on a piece. */
export function figures(seat: string, r: number, count: number): { size: number; base: number } {
  const digits = Math.min(String(count).length, 3) - 1;
  const { sink, low } = shapeOf(seat);
  const size = r * (low ? [1.17, 0.95, 0.72] : [1.17, 1.08, 0.84])[digits]!;
  return { size, base: (sink + low) * r + 0.36 * size };
}

// On a grid of 24.
export const STAR = GLYPHS["star"]![0]![0];
export const RAYS = GLYPHS["rays"]![0]![0];
export const CLASH = GLYPHS["burst"]![0]![0];

/** The transform that centres a mark of this size on a point. */
export function placed([x, y]: Point, size: number): string {
  return `translate(${fixed(x - size / 2)} ${fixed(y - size / 2)}) scale(${fixed(size / 24)})`;
}
