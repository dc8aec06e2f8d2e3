// Ways over the board: the shortest from tile to tile, around what nobody can enter.

import { beside, STEPS } from "../geometry";
import { BLOCKED, type Position } from "../position";

/** The shortest way from a tile to another, both included; empty if there is none. Of equal ways, the one with fewer turns. */
export function shortest(position: Position, from: number, to: number): number[] {
  if (position.ore[to] === BLOCKED) return [];
  // From the end, so that each tile knows how far it is to go.
  const far = new Map([[to, 0]]);
  for (let edge = [to]; edge.length && !far.has(from);) {
    const next: number[] = [];
    for (const tile of edge) {
      for (const direction of Object.keys(STEPS)) {
        const there = beside(position, tile, direction);
        if (there === null || position.ore[there] === BLOCKED || far.has(there)) continue;
        far.set(there, far.get(tile)! + 1);
        next.push(there);
      }
    }
    edge = next;
  }
  if (!far.has(from)) return [];
  const way = [from];
  let heading = "";
  for (let here = from; here !== to;) {
    const on = Object.keys(STEPS).filter((direction) => {
      const there = beside(position, here, direction);
      return there !== null && far.get(there) === far.get(here)! - 1;
    });
    heading = on.includes(heading) ? heading : on[0]!;
    here = beside(position, here, heading)!;
    way.push(here);
  }
  return way;
}

/** A way through several tiles in turn; empty if one of them can't be reached. */
export function through(position: Position, tiles: readonly number[]): number[] {
  const way = tiles.slice(0, 1);
  for (let i = 1; i < tiles.length; i++) {
    const part = shortest(position, tiles[i - 1]!, tiles[i]!);
    if (!part.length) return [];
    way.push(...part.slice(1));
  }
  return way;
}
