// Where things are on the board, and the paths that draw them. Pure functions: no view, no rules, no words.

import type { Heading } from "../../lib/board.svelte";
import { hatchOf, isDotted } from "../../ui/seats";

export type Point = readonly [number, number];
export type Segment = readonly [Point, Point];

/** A hex by its name: x counts half hexes to the right of the middle, y rows upwards. */
export interface Place {
  readonly name: string;
  readonly x: number;
  readonly y: number;
}

/** Radius of a hex, in the units of the drawing. */
export const S = 52;
const HALF = (Math.sqrt(3) / 2) * S;
const GAP = (Math.sqrt(3) / 10) * S; // ten lines per hex, so vertical lines never coincide with vertical borders

/** The frame of the drawing: left, top, width, height. */
export const FRAME = [-9 * HALF - 14, -7 * S - 14, 18 * HALF + 28, 14 * S + 28] as const;

export const PIECE = 0.36 * S;

/** Sizes that depend on how large a hex is on the screen: names must not get too small to read. */
export interface Fit {
  /** One pixel of the screen. */
  readonly px: number;
  /** So small that only the essentials fit. */
  readonly tight: boolean;
  readonly name: number;
  /** Baseline of the name above the middle of the hex. */
  readonly above: number;
  /** How far pieces are below the middle, to leave room for the name. */
  readonly drop: number;
}

const NAME = 0.23 * S;
const MIN = 9; // pixels

/** The sizes for a drawing of which one unit is `scale` pixels. */
export function fit(scale: number): Fit {
  const px = 1 / scale;
  const name = Math.max(NAME, Math.min(0.39 * S, MIN * px));
  const more = name - NAME;
  return { px, tight: S * scale < 34, name, above: -0.6 * S + 1.2 * more, drop: 0.08 * S + 0.8 * more };
}

const CORNERS = [
  [0, -2],
  [1, -1],
  [1, 1],
  [0, 2],
  [-1, 1],
  [-1, -1],
] as const;
// The neighbour behind the side that follows each corner, clockwise from the top.
const SIDES = [
  [1, 1],
  [2, 0],
  [1, -1],
  [-1, -1],
  [-2, 0],
  [-1, 1],
] as const;

/** The place with this name: its letter counts half columns, its digit rows. */
export function placeOf(name: string): Place {
  return { name, x: name.charCodeAt(0) - "I".charCodeAt(0), y: Number(name.slice(1)) - 5 };
}

/** The middle of a hex; a rotated board is upside down. */
export function middle(place: Place, turned = false): Point {
  const way = turned ? -1 : 1;
  return [way * place.x * HALF, -way * 1.5 * place.y * S];
}

/** The corners of a hex around a point, or of a smaller one inside it, clockwise from the top. */
export function corners([x, y]: Point, part = 1): Point[] {
  return CORNERS.map(([dx, dy]) => [x + part * dx * HALF, y + (part * dy * S) / 2]);
}

export function fixed(value: number): string {
  return String(Math.round(value * 100) / 100);
}

export function polygon(points: readonly Point[]): string {
  return points.map(([x, y]) => `${fixed(x)},${fixed(y)}`).join(" ");
}

export function strokes(lines: readonly Segment[]): string {
  return lines.map(([a, b]) => `M${fixed(a[0])} ${fixed(a[1])}L${fixed(b[0])} ${fixed(b[1])}`).join("");
}

// ---- borders

/** What a border needs to know about a hex. */
export interface Side {
  readonly seen: boolean;
  readonly owner: string | null;
}

export interface Borders {
  readonly inner: Segment[];
  readonly front: Segment[];
  readonly edge: Segment[];
  readonly fog: Segment[];
}

/** Every border once, by what it separates: land of one owner, two owners, the edge of sight, or fog from fog. */
export function borders(places: readonly Place[], look: (name: string) => Side, turned = false): Borders {
  const at = new Map(places.map((place) => [`${place.x} ${place.y}`, place]));
  const found: Borders = { inner: [], front: [], edge: [], fog: [] };
  for (const place of places) {
    const rim = corners(middle(place, turned));
    SIDES.forEach(([dx, dy], i) => {
      const way = turned ? -1 : 1;
      const other = at.get(`${place.x + way * dx} ${place.y + way * dy}`);
      if (other && i >= 3) return; // drawn from the other side
      const here = look(place.name);
      const there = other ? look(other.name) : null;
      const line: Segment = [rim[i]!, rim[(i + 1) % 6]!];
      if (!here.seen && !there?.seen) found.fog.push(line);
      else if (!here.seen || !there?.seen) found.edge.push(line);
      else if (here.owner === there.owner) found.inner.push(line);
      else found.front.push(line);
    });
  }
  return found;
}

// ---- hatching

const TOUCH = 1e-6; // a line on the rim itself would coincide with the border

/** The hatching of a seat inside a convex outline. The whole picture has one phase, so that lines continue from hex to hex. */
export function hatching(seat: string | null, outline: readonly Point[], gap = GAP): Segment[] {
  if (isDotted(seat)) return dots(outline, gap);
  return hatchOf(seat).flatMap((direction) => lines(outline, gap, direction));
}

function lines(outline: readonly Point[], gap: number, [dx, dy]: Point): Segment[] {
  const offsets = outline.map(([x, y]) => y * dx - x * dy);
  const first = Math.ceil((Math.min(...offsets) + TOUCH) / gap);
  const last = Math.floor((Math.max(...offsets) - TOUCH) / gap);
  const found: Segment[] = [];
  for (let k = first; k <= last; k++) {
    const ends = crossings(outline, offsets, k * gap);
    const [a, b] = ends;
    if (a && b && Math.hypot(b[0] - a[0], b[1] - a[1]) > gap / 4) found.push([a, b]);
  }
  return found;
}

function crossings(outline: readonly Point[], offsets: readonly number[], level: number): Point[] {
  const found: Point[] = [];
  outline.forEach(([bx, by], i) => {
    const before = (i + outline.length - 1) % outline.length;
    const [ax, ay] = outline[before]!;
    const a = offsets[before]! - level;
    const b = offsets[i]! - level;
    if (a < 0 !== b < 0) found.push([ax + (a / (a - b)) * (bx - ax), ay + (a / (a - b)) * (by - ay)]);
  });
  return found;
}

/** Points in rows, every second row shifted by half a step; drawn as short lines with round ends. */
function dots(outline: readonly Point[], gap: number): Segment[] {
  const step = 1.5 * gap;
  return lines(outline, step / 2, [1, 0]).flatMap(([a, b]) => {
    const y = a[1];
    const shift = Math.round(y / (step / 2)) % 2 ? step / 2 : 0;
    const left = Math.min(a[0], b[0]) + gap / 4;
    const right = Math.max(a[0], b[0]) - gap / 4;
    const row: Segment[] = [];
    for (let k = Math.ceil((left - shift) / step); k <= Math.floor((right - shift) / step); k++)
      row.push([
        [shift + k * step, y],
        [shift + k * step + 0.01, y],
      ]);
    return row;
  });
}

// ---- arrows

export interface Arrow {
  readonly shaft: string;
  readonly head: string;
  readonly disc: Point;
}

/** A march from army to army with space for its number halfway; `aside` moves it to its right. */
export function arrow(from: Point, to: Point, aside = 0): Arrow {
  const way = Math.hypot(to[0] - from[0], to[1] - from[1]);
  const dx = (to[0] - from[0]) / way;
  const dy = (to[1] - from[1]) / way;
  const at = (along: number, off = 0): Point => [from[0] + along * dx - (off + aside) * dy, from[1] + along * dy + (off + aside) * dx];
  const tail = 0.44 * S;
  const neck = way - 0.57 * S;
  const tip = way - 0.4 * S;
  return {
    shaft: strokes([[at(tail), at(neck)]]),
    head: polygon([at(tip), at(neck, 0.15 * S), at(neck, -0.15 * S)]),
    disc: at((tail + neck) / 2),
  };
}

// ---- the keyboard cursor

/**
 * The next hex in the direction of an arrow key. Up and down have two: the nearer one is on the side of `drift`, where
 * the cursor last came from; with `other`, the second.
 */
export function step(
  places: ReadonlyMap<string, Place>,
  from: string,
  heading: Heading,
  { other = false, drift = 0, turned = false } = {},
): string | null {
  const place = places.get(from);
  if (!place) return null;
  const way = turned ? -1 : 1;
  const at = (dx: number, dy: number): string | null => {
    const wanted = [...places.values()].find((p) => p.x === place.x + way * dx && p.y === place.y + way * dy);
    return wanted?.name ?? null;
  };
  if (heading === "left") return at(-2, 0);
  if (heading === "right") return at(2, 0);
  const dy = heading === "up" ? 1 : -1;
  const near = drift < 0 ? 1 : drift > 0 ? -1 : place.x * way <= 0 ? 1 : -1;
  return other ? at(-near, dy) : (at(near, dy) ?? at(-near, dy));
}
