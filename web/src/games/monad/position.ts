// A view by tile, so that what is on a tile can be found at once.

import { ACROSS, inside, STEPS, tileAt, type Grid } from "./geometry";
import type { Building, Setting, Stack, View } from "./wire";

export const BLOCKED = -1;
export const NOBODY = -1;

/** What is where. Seats are numbered as in the setting. */
export interface Position extends Grid {
  readonly setting: Setting;
  readonly view: View;
  readonly stacks: readonly (Stack | undefined)[];
  /** Ore by tile; BLOCKED where nobody can enter. */
  readonly ore: Int16Array;
  /** The building that covers a tile, core or not. */
  readonly cover: readonly (Building | undefined)[];
}

const KEPT = 3;
let recent: Position[] = [];

/** The position of a view. The last few are cached, since board and side ask for the same. */
export function positionOf(setting: Setting, view: View): Position {
  const known = recent.find((position) => position.view === view);
  if (known) return known;
  const made = laidOut(setting, view);
  recent = [made, ...recent.slice(0, KEPT - 1)];
  return made;
}

function laidOut(setting: Setting, view: View): Position {
  const { width, height } = setting;
  const stacks: (Stack | undefined)[] = new Array(width * height);
  for (const stack of view.stacks) stacks[tileAt(setting, stack.x, stack.y)] = stack;
  const ore = startOre(setting).slice();
  for (const { x, y, left } of view.ore) ore[tileAt(setting, x, y)] = left;
  const cover: (Building | undefined)[] = new Array(width * height);
  for (const building of view.buildings) for (const tile of blockOf(setting, building)) cover[tile] = building;
  return { width, height, setting, view, stacks, ore, cover };
}

const starts = new WeakMap<Setting, Int16Array>();

function startOre(setting: Setting): Int16Array {
  const known = starts.get(setting);
  if (known) return known;
  const made = Int16Array.from(setting.ore.flat());
  starts.set(setting, made);
  return made;
}

/** The tiles of a building, its core first. */
export function blockOf(grid: Grid, { x, y, direction }: Pick<Building, "x" | "y" | "direction">): number[] {
  const [dx, dy] = ACROSS[direction] ?? [1, 1];
  const block = [[x, y], [x + dx, y], [x, y + dy], [x + dx, y + dy]] as const; // prettier-ignore
  return block.filter(([bx, by]) => inside(grid, bx, by)).map(([bx, by]) => tileAt(grid, bx, by));
}

export const isCore = (grid: Grid, building: Building | undefined, tile: number): boolean =>
  building !== undefined && tileAt(grid, building.x, building.y) === tile;

// ---- who is near

const NEAR = 3; // steps from units and buildings within which a tile is controlled

/**
 * Who controls each tile, roughly: the player whose units or buildings are nearest, within a few steps; nobody if two
 * players are equally near.
 */
export function control({ setting, view, width, height, ore, cover }: Position): Int8Array {
  const owner = new Int8Array(width * height).fill(NOBODY);
  const far = new Int8Array(width * height).fill(NEAR + 1);
  let edge: number[] = [];
  const seed = (tile: number, seat: number) => {
    if (far[tile] === 0) return;
    far[tile] = 0;
    owner[tile] = seat;
    edge.push(tile);
  };
  for (const { x, y, owner } of view.stacks) seed(tileAt(setting, x, y), setting.seats.indexOf(owner));
  cover.forEach((building, tile) => building && seed(tile, setting.seats.indexOf(building.owner)));
  for (let steps = 1; steps <= NEAR; steps++) edge = spread(edge, steps, { owner, far, ore, width, height });
  return owner;
}

interface Spreading extends Grid {
  owner: Int8Array;
  far: Int8Array;
  ore: Int16Array;
}

function spread(edge: readonly number[], steps: number, { owner, far, ore, width, height }: Spreading): number[] {
  const next: number[] = [];
  const ways = Object.values(STEPS);
  for (const tile of edge) {
    const x = tile % width;
    const y = (tile - x) / width;
    for (const [dx, dy] of ways) {
      const there = tile + dx + dy * width;
      if (x + dx < 0 || x + dx >= width || y + dy < 0 || y + dy >= height || ore[there] === BLOCKED) continue;
      if (far[there]! > steps) {
        far[there] = steps;
        owner[there] = owner[tile]!;
        next.push(there);
      } else if (far[there] === steps && owner[there] !== owner[tile]) owner[there] = NOBODY;
    }
  }
  return next;
}

// ---- belongings

export interface Holding {
  readonly units: number;
  readonly tiles: number;
  readonly buildings: number;
  readonly stock: number;
}

/** Everything a player has. */
export function holdingOf(view: View, seat: string): Holding {
  let tiles = 0;
  let buildings = 0;
  for (const stack of view.stacks) if (stack.owner === seat) tiles++;
  for (const building of view.buildings) if (building.owner === seat) buildings++;
  return { units: view.units[seat] ?? 0, tiles, buildings, stock: view.stock[seat] ?? 0 };
}
