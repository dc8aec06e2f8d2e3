// What is where, by the names that scenes use: stacks and buildings; and what a moment of a turn looks like.

import type { Drawn, Moment, Piece as Named } from "../../lib/scene";
import { tileAt, type Grid } from "./geometry";
import type { Building, Setting, View } from "./wire";

const STACK = "stack ";
const BUILDING = "building ";
const ORE = "ore"; // only where a scene changes it: the rest of thousands of tiles is in the views

export function pieces(_setting: Setting, view: View): Named[] {
  const found: Named[] = [];
  for (const { x, y, owner, units } of view.stacks) found.push({ what: STACK + owner, at: `${x},${y}`, number: units });
  for (const { x, y, owner, direction, points } of view.buildings)
    found.push({ what: BUILDING + owner, at: `${x},${y}`, direction, points });
  return found;
}

/** A piece on the board: where, whose, how many. */
export interface Piece {
  readonly x: number;
  readonly y: number;
  readonly owner: string;
  readonly units: number;
}

/** A moment of a turn. */
export interface Scenery {
  readonly still: readonly Piece[];
  readonly moving: readonly Piece[];
  readonly buildings: readonly Building[];
  /** Ore that has changed since the turn began, by tile. */
  readonly ore: ReadonlyMap<number, number>;
  /** The turn is over: ore is as it left it. */
  readonly over: boolean;
  /** Tiles and borders with fights. */
  readonly clashes: readonly { x: number; y: number }[];
}

interface Laid {
  readonly stacks: Piece[];
  readonly buildings: Building[];
  readonly ore: Map<number, number>;
}

const nothing = (): Laid => ({ stacks: [], buildings: [], ore: new Map() });
const known = new WeakMap<readonly Drawn[], Laid>();
const SEEN = 0.5; // of a piece that comes or goes

export function scenery(grid: Grid, { still, parts, over, flashes, t }: Moment): Scenery {
  let rest = known.get(still);
  if (!rest) {
    rest = nothing();
    for (const piece of still) lay(rest, grid, piece, 0);
    known.set(still, rest);
  }
  const moving = nothing();
  for (const { piece, way, here } of parts) if (here(t) >= SEEN) lay(moving, grid, piece, way(t));
  return {
    still: rest.stacks,
    moving: moving.stacks,
    buildings: moving.buildings.length ? [...rest.buildings, ...moving.buildings] : rest.buildings,
    ore: moving.ore.size ? new Map([...rest.ore, ...moving.ore]) : rest.ore,
    over,
    clashes: middles(flashes),
  };
}

function lay({ stacks, buildings, ore }: Laid, grid: Grid, piece: Drawn, way: number): void {
  const { what, at, to } = piece;
  let [x, y] = place(at);
  if (what.startsWith(STACK)) {
    if (way) {
      const [tx, ty] = place(to);
      x += way * (tx - x);
      y += way * (ty - y);
    }
    stacks.push({ x, y, owner: what.slice(STACK.length), units: piece.number ?? 0 });
  } else if (what === ORE) ore.set(tileAt(grid, x, y), piece.left);
  else buildings.push({ x, y, owner: what.slice(BUILDING.length), direction: piece.direction, points: piece.points });
}

const places = new Map<string, readonly [number, number]>();

/** A place by its name. A board has at most 4096, and they are asked for in every picture. */
function place(name: string): readonly [number, number] {
  let found = places.get(name);
  if (!found) {
    const [x = 0, y = 0] = name.split(",").map(Number);
    found = [x, y];
    places.set(name, found);
  }
  return found;
}

/** Where fights are, once each: on a tile, or between two. */
function middles(flashes: Moment["flashes"]): Scenery["clashes"] {
  const found = new Map<string, { x: number; y: number }>();
  for (const { at, to } of flashes) {
    const [[ax, ay], [bx, by]] = [place(at), place(to || at)];
    const [x, y] = [(ax + bx) / 2, (ay + by) / 2];
    found.set(`${x},${y}`, { x, y });
  }
  return [...found.values()];
}
