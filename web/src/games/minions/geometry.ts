// Where things are on a board, and the paths that draw them. Pure functions: no view, no rules, no words.

import type { Heading } from "../../lib/board.svelte";

export type Point = readonly [number, number];

/** A way from hex to hex. */
export interface Step {
  readonly from: string;
  readonly to: string;
}

/** Radius of a hex, in the units of the drawing. */
export const S = 30;
export const SIDE = 10;
const HALF = (Math.sqrt(3) / 2) * S;
const LABELS = 1.15 * S;
export const PIECE = 0.6 * S;

export const FILES = "abcdefghij";
export const HEXES: readonly string[] = Array.from({ length: SIDE * SIDE }, (_, i) => `${FILES[i % SIDE]}${Math.floor(i / SIDE)}`);

const WIDE = (3 * SIDE - 1) * HALF;
const HIGH = (1.5 * (SIDE - 1) + 2) * S;

/** The frame of the drawing: left, top, width, height. */
export function frameOf(labelled: boolean): readonly [number, number, number, number] {
  const room = labelled ? LABELS : 3;
  const rest = labelled ? 6 : 3;
  return [-HALF - room, -(HIGH - S) - rest, WIDE + room + rest, HIGH + room + rest];
}

/**
 * How far from the left the drawing has to be so that a card fits into the lower right corner, beside the board, with the
 * drawing as close to the middle as that allows; null if it doesn't fit. All in pixels.
 */
export function asideOf(width: number, height: number, card: { width: number; height: number }, labelled: boolean): number | null {
  const [left, top, wide, tall] = frameOf(labelled);
  const scale = Math.min(width / wide, height / tall);
  const floor = (height - tall * scale) / 2; // below the drawing
  const low = (card.height - floor) / scale - (top + tall); // above the middle of rank 0, in units of the drawing
  const rank = Math.min(SIDE - 1, Math.max(0, Math.ceil((low + S) / (1.5 * S)) - 1)); // the highest one that is beside it
  const edge = (2 * (SIDE - 1) + rank + 1) * HALF - left;
  const free = width - edge * scale - card.width;
  return free < 0 ? null : Math.min(free, (width - wide * scale) / 2);
}

/** How wide the empty corner at the upper left is beside the upper four ranks, in px. */
export function cornerOf(width: number, height: number, aside: number | null, labelled: boolean): number {
  const [left, , wide, tall] = frameOf(labelled);
  const scale = Math.min(width / wide, height / tall);
  const start = aside ?? (width - wide * scale) / 2;
  return Math.max(0, start + ((SIDE - 4) * HALF - HALF - left - LABELS) * scale - 12);
}

export interface Place {
  readonly x: number;
  readonly y: number;
}

export function placeOf(hex: string): Place {
  return { x: FILES.indexOf(hex.charAt(0)), y: Number(hex.charAt(1)) };
}

export function hexAt(x: number, y: number): string | null {
  return x >= 0 && x < SIDE && y >= 0 && y < SIDE ? `${FILES[x]}${y}` : null;
}

/** The middle of a hex; a rotated board is upside down. */
export function middle(hex: string, turned = false): Point {
  const { x, y } = placeOf(hex);
  return turned ? spot(SIDE - 1 - x, SIDE - 1 - y) : spot(x, y);
}

const spot = (x: number, y: number): Point => [(2 * x + y) * HALF, -1.5 * y * S];

export const fixed = (value: number): string => String(Math.round(value * 100) / 100);

const CORNERS = [
  [0, -2],
  [1, -1],
  [1, 1],
  [0, 2],
  [-1, 1],
  [-1, -1],
] as const;

/** A hex around a point, or a smaller one inside it, as the points of a polygon. */
export function outline([x, y]: Point, part = 1): string {
  return CORNERS.map(([dx, dy]) => `${fixed(x + part * dx * HALF)},${fixed(y + (part * dy * S) / 2)}`).join(" ");
}

function path(at: Point, part = 1): string {
  return `M${outline(at, part).replaceAll(" ", "L")}z`;
}

// ---- the ground

export type Ground = "plain" | "graveyard" | "water";

/** The hexes of a map: rows from rank 0 up, a digit for that many plain hexes and 0 for ten. */
export function groundOf(rows: string): ReadonlyMap<string, Ground> {
  const found = new Map<string, Ground>();
  rows.split("/").forEach((row, y) => {
    let x = 0;
    for (const sign of row) {
      const many = /[0-9]/.test(sign) ? Number(sign) || SIDE : 1;
      for (let i = 0; i < many; i++) found.set(`${FILES[x++]}${y}`, sign === "G" ? "graveyard" : sign === "W" ? "water" : "plain");
    }
  });
  return found;
}

export interface Drawn {
  readonly plain: string;
  readonly graveyard: string;
  readonly water: string;
  readonly waves: string;
  readonly yards: readonly string[];
}

export function drawn(rows: string, turned: boolean): Drawn {
  const parts: Record<Ground, string> = { plain: "", graveyard: "", water: "" };
  const yards: string[] = [];
  let waves = "";
  for (const [hex, kind] of groundOf(rows)) {
    const at = middle(hex, turned);
    parts[kind] += path(at);
    if (kind === "graveyard") yards.push(hex);
    if (kind === "water") waves += wave(at);
  }
  return { ...parts, waves, yards };
}

function wave([x, y]: Point): string {
  const step = `${fixed(0.222 * S)} 0`;
  const row = (dx: number, dy: number): string =>
    `M${fixed(x + dx * S)} ${fixed(y + dy * S)}q${fixed(0.111 * S)} ${fixed(-0.144 * S)} ${step}${`t${step}`.repeat(3)}`;
  return row(-0.55, -0.173) + row(-0.37, 0.173);
}

// ---- marks

/** Four corners around a target. */
export function brackets([x, y]: Point, part = 0.82): string {
  const w = part * HALF;
  const h = part * 0.94 * S;
  const l = 0.3 * S;
  const corner = (sx: number, sy: number): string =>
    `M${fixed(x + sx * (w - l))} ${fixed(y + sy * h)}H${fixed(x + sx * w)}V${fixed(y + sy * (h - l))}`;
  return corner(-1, -1) + corner(1, -1) + corner(-1, 1) + corner(1, 1);
}

/** A way over hexes, closed if it comes back. */
export function way(points: readonly Point[]): string {
  return points.map(([x, y], i) => `${i ? "L" : "M"}${fixed(x)} ${fixed(y)}`).join("");
}

export function between([ax, ay]: Point, [bx, by]: Point, t: number): Point {
  return [ax + (bx - ax) * t, ay + (by - ay) * t];
}

// ---- the keyboard cursor

/**
 * The next hex in the direction of an arrow key. Up and down have two: the one nearer to `column`, where the cursor went up
 * or down from; with `other`, the second.
 */
export function step(hex: string, heading: Heading, column: number, { other = false, turned = false } = {}): string | null {
  const { x, y } = placeOf(hex);
  const way = turned ? -1 : 1;
  if (heading === "left") return hexAt(x - way, y);
  if (heading === "right") return hexAt(x + way, y);
  const up = (heading === "up" ? 1 : -1) * way;
  const found = [hexAt(x, y + up), hexAt(x - up, y + up)].filter((next): next is string => next !== null);
  found.sort((a, b) => Math.abs(columnOf(a) - column) - Math.abs(columnOf(b) - column));
  return (other ? found[1] : found[0]) ?? null;
}

/** How far to the right a hex is, whichever way the board is rotated. */
export function columnOf(hex: string): number {
  const { x, y } = placeOf(hex);
  return 2 * x + y;
}
