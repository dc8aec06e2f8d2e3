// Where things are on the board and how large they are drawn. Pure functions: no view, no rules, no words.

export type Point = readonly [number, number];

/** Tiles are numbered row by row from the top left; people name them by column and row: "9,4". */
export interface Grid {
  readonly width: number;
  readonly height: number;
}

/** Where each direction leads. */
export const STEPS: Readonly<Record<string, Point>> = { up: [0, -1], right: [1, 0], down: [0, 1], left: [-1, 0] };

/** Where the tile diagonally across from the core is, by the direction of a building. */
export const ACROSS: Readonly<Record<string, Point>> = { right: [1, 1], down: [-1, 1], left: [-1, -1], up: [1, -1] };

export const tileAt = ({ width }: Grid, x: number, y: number): number => y * width + x;

export const placeOf = ({ width }: Grid, tile: number): Point => [tile % width, Math.floor(tile / width)];

export const inside = ({ width, height }: Grid, x: number, y: number): boolean => x >= 0 && y >= 0 && x < width && y < height;

export const nameOf = (grid: Grid, tile: number): string => placeOf(grid, tile).join(",");

/** The tile with this name; null if there is none. */
export function tileOf(grid: Grid, name: string): number | null {
  const [x = -1, y = -1] = name.split(",").map(Number);
  return Number.isInteger(x) && Number.isInteger(y) && inside(grid, x, y) ? tileAt(grid, x, y) : null;
}

/** The neighbour of a tile in a direction; null at the edge. */
export function beside(grid: Grid, tile: number, direction: string): number | null {
  const [x, y] = placeOf(grid, tile);
  const [dx, dy] = STEPS[direction] ?? [0, 0];
  return inside(grid, x + dx, y + dy) ? tileAt(grid, x + dx, y + dy) : null;
}

/** The direction from a tile to its neighbour; null if they aren't neighbours. */
export function directionTo(grid: Grid, from: number, to: number): string | null {
  return Object.keys(STEPS).find((direction) => beside(grid, from, direction) === to) ?? null;
}

/** The direction of a drag, once it has left the tile. */
export function headingOf(grid: Grid, from: number, to: number): string | null {
  const [ax, ay] = placeOf(grid, from);
  const [bx, by] = placeOf(grid, to);
  const [dx, dy] = [bx - ax, by - ay];
  if (!dx && !dy) return null;
  if (Math.abs(dx) >= Math.abs(dy)) return dx > 0 ? "right" : "left";
  return dy > 0 ? "down" : "up";
}

/** The tiles of a rectangle between two corners, row by row. */
export function rectangle(grid: Grid, a: number, b: number): number[] {
  const [ax, ay] = placeOf(grid, a);
  const [bx, by] = placeOf(grid, b);
  const found: number[] = [];
  for (let y = Math.min(ay, by); y <= Math.max(ay, by); y++)
    for (let x = Math.min(ax, bx); x <= Math.max(ax, bx); x++) found.push(tileAt(grid, x, y));
  return found;
}

/** The tiles on a straight line between two, so that a quick stroke leaves no gaps. */
export function way(grid: Grid, a: number, b: number): number[] {
  const [ax, ay] = placeOf(grid, a);
  const [bx, by] = placeOf(grid, b);
  const steps = Math.max(Math.abs(bx - ax), Math.abs(by - ay), 1);
  return Array.from({ length: steps + 1 }, (_, i) =>
    tileAt(grid, Math.round(ax + ((bx - ax) * i) / steps), Math.round(ay + ((by - ay) * i) / steps)),
  );
}

// ---- the space for the board

/** Where the tiles are in that space, in pixels before zooming. */
export interface Fit {
  readonly side: number;
  readonly left: number;
  readonly top: number;
}

export const RULER = [22, 18] as const; // space for the coordinates, left and above
const REST = 5;

/** The largest tiles in whole pixels that leave space for the coordinates, centred. */
export function fitted({ width, height }: Grid, wide: number, high: number): Fit {
  const [left, top] = RULER;
  const most = Math.min((wide - left - REST) / width, (high - top - REST) / height);
  const side = Math.max(2, Math.floor(most)); // whole pixels, so that all tiles look the same
  return {
    side,
    left: left + Math.max(0, (wide - left - REST - side * width) / 2),
    top: top + Math.max(0, (high - top - REST - side * height) / 2),
  };
}

/** How high a board is that fills this width. */
export function heightAt(grid: Grid, wide: number): number {
  return RULER[1] + REST + fitted(grid, wide, Infinity).side * grid.height;
}

/** From this size on, tiles have figures, hatching and arrows: about 40 tiles on a board of 700 pixels. */
export const LEGIBLE = 16.5;

// ---- sizes

const LARGEST = 0.4; // of a tile: larger pieces would cross its borders

/** The radius of a stack's piece in tiles; without figures sizes differ more, since they alone show the strength. */
export function radius(units: number, figured: boolean): number {
  const size = Math.log10(Math.max(1, units));
  return Math.min(LARGEST, figured ? 0.27 + 0.05 * size : 0.2 + 0.075 * size);
}

/** The shade of sand, from 0; the last one is for everything above. */
export const sand = (ore: number): number => Math.min(4, Math.max(0, Math.floor(ore / 10)));

/** How many of five pips are filled; at least one if there are any points. */
export const pips = (points: number, cost: number): number =>
  points <= 0 ? 0 : Math.max(1, Math.min(5, Math.floor((5 * points) / Math.max(1, cost))));

const LARGE = [
  ["g", 1e9],
  ["m", 1e6],
  ["k", 1e3],
] as const;

/** A number in at most four characters, rounded down, so that nobody has less than it says. */
export function short(number: number): string {
  for (const [letter, unit] of LARGE) {
    if (number >= 10 * unit) return `${Math.floor(number / unit)}${letter}`;
    if (number >= unit) return `${Math.floor(number / unit)}.${Math.floor((number * 10) / unit) % 10}${letter}`;
  }
  return String(number);
}

// ---- outlines

/** The border around a set of tiles, as the path of an SVG; a tile is one unit wide. */
export function around(grid: Grid, tiles: Iterable<number>): string {
  const held = new Set(tiles);
  const has = (x: number, y: number) => inside(grid, x, y) && held.has(tileAt(grid, x, y));
  let path = "";
  for (const tile of held) {
    const [x, y] = placeOf(grid, tile);
    if (!has(x, y - 1)) path += `M${x} ${y}h1`;
    if (!has(x, y + 1)) path += `M${x} ${y + 1}h1`;
    if (!has(x - 1, y)) path += `M${x} ${y}v1`;
    if (!has(x + 1, y)) path += `M${x + 1} ${y}v1`;
  }
  return path;
}

/** Brackets in the corners of a tile, as the path of an SVG. */
export function brackets([x, y]: Point): string {
  const [near, far] = [0.08, 0.92];
  const upper = `M${x + near} ${y + 0.3}v-.22h.22M${x + 0.7} ${y + near}h.22v.22`;
  return `${upper}M${x + far} ${y + 0.7}v.22h-.22M${x + 0.3} ${y + far}h-.22v-.22`;
}
