// Where things are on the board, and the paths that draw them. Pure functions: no view, no rules, no words.

import type { Heading } from "../../lib/board.svelte";
import { hatchOf } from "../../ui/seats";

export type Point = readonly [number, number];

/** A tile by its column and row. */
export interface Tile {
  readonly x: number;
  readonly y: number;
  readonly letter: string;
}

/** Side of a tile, in the units of the drawing. */
export const T = 58;

export const placeName = (x: number, y: number): string => `${x},${y}`;

export function placeOf(name: string): Point {
  const [x = 0, y = 0] = name.split(",").map(Number);
  return [x, y];
}

const LANE = "oRBuvUVw";
const LAND: Record<string, string> = { red: "rp", blue: "bq" };

/** The map as the drawing needs it: all tiles that are not abyss, by name and by what they are. */
export interface Ground {
  readonly columns: number;
  readonly rows: number;
  readonly tiles: ReadonlyMap<string, Tile>;
  readonly lanes: readonly Tile[];
  readonly land: Readonly<Record<string, readonly Tile[]>>;
}

export function groundOf(rows: readonly string[]): Ground {
  const tiles = new Map<string, Tile>();
  rows.forEach((row, y) =>
    [...row].forEach((letter, x) => {
      if (letter !== ".") tiles.set(placeName(x, y), { x, y, letter });
    }),
  );
  const all = [...tiles.values()];
  const of = (letters: string) => all.filter((tile) => letters.includes(tile.letter));
  return {
    columns: Math.max(1, ...rows.map((row) => row.length)),
    rows: Math.max(1, rows.length),
    tiles,
    lanes: of(LANE),
    land: Object.fromEntries(Object.entries(LAND).map(([seat, letters]) => [seat, of(letters)])),
  };
}

/** Whose land a tile is; null for lanes. */
export function landOf({ letter }: Tile): string | null {
  return Object.keys(LAND).find((seat) => LAND[seat]!.includes(letter)) ?? null;
}

/** Places tiles in the drawing. A rotated board is upside down. */
export class Grid {
  constructor(
    readonly columns: number,
    readonly rows: number,
    readonly turned: boolean,
  ) {}

  /** The middle of a tile, or a place between tiles. */
  middle(x: number, y: number): Point {
    return this.turned ? [(this.columns - 0.5 - x) * T, (this.rows - 0.5 - y) * T] : [(x + 0.5) * T, (y + 0.5) * T];
  }

  /** The upper left corner of a tile. */
  corner(x: number, y: number): Point {
    return this.turned ? [(this.columns - 1 - x) * T, (this.rows - 1 - y) * T] : [x * T, y * T];
  }

  /** A direction as it appears on the screen. */
  seen([dx, dy]: Point): Point {
    return this.turned ? [-dx || 0, -dy || 0] : [dx, dy];
  }
}

const fix = (value: number): number => Math.round(value * 100) / 100;

export const translate = ([x, y]: Point): string => `translate(${fix(x)} ${fix(y)})`;

type XY = Pick<Tile, "x" | "y">;

/** All tiles as one area. */
export function area(grid: Grid, tiles: readonly XY[]): string {
  return tiles.map(({ x, y }) => `M${grid.corner(x, y).join(" ")}h${T}v${T}h${-T}z`).join("");
}

/** The lines between neighbouring tiles of one kind. */
export function seams(grid: Grid, tiles: readonly XY[]): string {
  const here = new Set(tiles.map(({ x, y }) => placeName(x, y)));
  let path = "";
  for (const { x, y } of tiles) {
    const [ax, ay] = grid.middle(x + 0.5, y - 0.5);
    const [bx, by] = grid.middle(x + 0.5, y + 0.5);
    if (here.has(placeName(x + 1, y))) path += `M${ax} ${ay}L${bx} ${by}`;
    const [cx, cy] = grid.middle(x - 0.5, y + 0.5);
    if (here.has(placeName(x, y + 1))) path += `M${cx} ${cy}L${bx} ${by}`;
  }
  return path;
}

// The sides of a tile, walked clockwise: the neighbour behind it, start and end as corners.
const SIDES: readonly (readonly [Point, Point, Point])[] = [
  [
    [0, -1],
    [0, 0],
    [1, 0],
  ],
  [
    [1, 0],
    [1, 0],
    [1, 1],
  ],
  [
    [0, 1],
    [1, 1],
    [0, 1],
  ],
  [
    [-1, 0],
    [0, 1],
    [0, 0],
  ],
];

/** The line around tiles, loop by loop, so that dashes continue around corners. */
export function outline(grid: Grid, tiles: readonly XY[]): string {
  const here = new Set(tiles.map(({ x, y }) => placeName(x, y)));
  const next = new Map<string, Point[]>();
  for (const { x, y } of tiles) {
    for (const [[dx, dy], [sx, sy], [ex, ey]] of SIDES) {
      if (here.has(placeName(x + dx, y + dy))) continue;
      const start = placeName(x + sx, y + sy);
      next.set(start, [...(next.get(start) ?? []), [x + ex, y + ey]]);
    }
  }
  let path = "";
  for (const start of next.keys()) {
    let at = start;
    let loop = "";
    for (let way = next.get(at)?.pop(); way; way = next.get(at)?.pop()) {
      const [px, py] = placeOf(at);
      const [x, y] = grid.middle(px - 0.5, py - 0.5);
      loop += `${loop ? "L" : "M"}${x} ${y}`;
      at = placeName(way[0], way[1]);
    }
    if (loop) path += `${loop}z`;
  }
  return path;
}

const HATCH = 4; // lines per tile, none of them on a border

/** The hatching of a seat on tiles: vertical or horizontal lines in one phase. */
export function hatching(grid: Grid, tiles: readonly XY[], seat: string): string {
  const upright = hatchOf(seat).some(([dx]) => dx === 0);
  let path = "";
  for (const { x, y } of tiles) {
    const [left, top] = grid.corner(x, y);
    for (let k = 0; k < HATCH; k++) {
      const off = ((k + 0.5) * T) / HATCH;
      path += upright ? `M${left + off} ${top}v${T}` : `M${left} ${top + off}h${T}`;
    }
  }
  return path;
}

// ---- meters, around the middle of a tile

const BAR = { left: -0.34 * T, wide: 0.68 * T, high: 0.085 * T };
const FEW = 6; // a longer row is one bar
const GAP = 0.3 * BAR.high;

/** The thickness of bars, and how far their middle is below that of the tile. */
export const BAR_HIGH = BAR.high;
export const BAR_MIDDLE = 0.335 * T + BAR.high / 2;

/**
 * Bars in a row under a tower, as lines to be drawn thick: `count` bars from the first on, of a row of `of`; or one bar
 * that fills. All towers share one path, so that a turn changes one element and not hundreds.
 */
export function bars([x, y]: Point, count: number, of: number, one: boolean): string {
  const left = x + BAR.left;
  const level = fix(y + BAR_MIDDLE);
  if (one || of > FEW) return count > 0 ? `M${fix(left)} ${level}h${fix((BAR.wide * Math.min(count, of)) / of)}` : "";
  const each = (BAR.wide - GAP * (of - 1)) / of;
  let path = "";
  for (let i = 0; i < count; i++) path += `M${fix(left + i * (each + GAP))} ${level}h${fix(each)}`;
  return path;
}

/** The health bar of a unit as lines to be drawn thick, with room for figures of this width at its right. */
export function healthBar(part: number, figures: number): { all: string; left: string } {
  const start = fix(-0.42 * T);
  const wide = 0.82 * T - figures;
  const line = (length: number) => `M${start} ${fix(BAR_MIDDLE)}h${fix(Math.max(0, length))}`;
  return { all: line(wide), left: line(wide * Math.min(1, part)) };
}

/** The filled part of a ring, clockwise from the top. */
export function ring(r: number, part: number): string {
  if (part <= 0) return "";
  if (part >= 1) return `M0 ${-r}a${r} ${r} 0 1 1 0 ${2 * r}a${r} ${r} 0 1 1 0 ${-2 * r}`;
  const turn = 2 * Math.PI * part;
  return `M0 ${-r}A${r} ${r} 0 ${part > 0.5 ? 1 : 0} 1 ${fix(r * Math.sin(turn))} ${fix(-r * Math.cos(turn))}`;
}

// ---- sizes on the screen

/** Sizes that depend on how large a tile is on the screen: figures must not get too small to read. */
export interface Fit {
  /** One pixel of the screen. */
  readonly px: number;
  /** So small that only the essentials fit. */
  readonly tight: boolean;
  /** Too small for bursts, which would look like dirt. */
  readonly tiny: boolean;
  readonly health: number;
  readonly plate: number;
  readonly name: number;
}

const MIN = 9; // pixels

export function fit(scale: number): Fit {
  const px = 1 / scale;
  const legible = (part: number, most: number) => Math.max(part * T, Math.min(MIN * px, most * T));
  return {
    px,
    tight: T * scale < 34,
    tiny: T * scale < 24,
    health: legible(0.2, 0.28),
    plate: legible(0.22, 0.3),
    name: Math.max(0.19 * T, 11 * px),
  };
}

/** Width of bold tabular figures. */
export const figuresWidth = (text: string, size: number): number => 0.66 * size * text.length;

/** Whether there is room for coordinates: names of tiles can be read from this size on. */
export const legible = ({ columns, rows }: Ground, width: number, height = Infinity): boolean =>
  Math.min(width / (columns + 0.6), height / (rows + 0.6)) >= 30;

/** The frame of the drawing: left, top, width, height; with space for coordinates, and for what sticks out of tiles. */
export function frameOf({ columns, rows }: Ground, named: boolean): readonly [number, number, number, number] {
  const edge = 0.07 * T;
  const head = named ? 0.5 * T : edge;
  const left = named ? (rows > 10 ? 0.85 : 0.55) * T : edge;
  return [-left, -head, columns * T + left + edge, rows * T + head + edge];
}

// ---- the keyboard cursor

const WAYS: Record<Heading, Point> = { left: [-1, 0], right: [1, 0], up: [0, -1], down: [0, 1] };

/** The next tile in the direction of an arrow key, skipping the abyss. */
export function step(ground: Ground, grid: Grid, from: string, heading: Heading): string {
  const [x, y] = placeOf(from);
  const [dx, dy] = grid.seen(WAYS[heading]);
  for (let i = 1; i < Math.max(ground.columns, ground.rows); i++) {
    const to = placeName(x + i * dx, y + i * dy);
    if (ground.tiles.has(to)) return to;
  }
  return from;
}

export const COMPASS: Readonly<Record<string, Point>> = { N: [0, -1], E: [1, 0], S: [0, 1], W: [-1, 0] };
