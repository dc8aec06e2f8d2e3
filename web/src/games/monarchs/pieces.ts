// What is where, by the names that scenes use: the land and the armies on it; and what a moment of a turn looks like.

import type { Drawn, Flash, Moment, Piece } from "../../lib/scene";
import type { Setting, View } from "./wire";

const LAND = "land";
const ARMY = "army ";

export function pieces(_setting: Setting, view: View): Piece[] {
  return Object.entries(view.hexes).flatMap(([at, { owner, regiments }]): Piece[] => [
    { what: LAND, at, owner },
    ...(owner && regiments ? [{ what: ARMY + owner, at, number: regiments }] : []),
  ]);
}

/** Regiments of one nation on a hex, or on their way from one to another. */
export interface Army {
  readonly key: string;
  readonly nation: string;
  readonly number: number;
  readonly from: string;
  readonly to: string;
  readonly way: number;
  readonly here: number;
  /** How close it comes to others on its hex, as part of the hex. */
  readonly press: number;
}

/** A moment of a turn: who owns the land, where the armies are, where they fight. */
export interface Scenery {
  readonly owners: ReadonlyMap<string, string | null>;
  readonly armies: readonly Army[];
  readonly fights: readonly Flash[];
}

const PRESS = 0.08;

/** `seen`: nobody knows how many are on land in the fog, even if a march from or to it is reported. */
export function scenery({ still, moving, flashes, t }: Moment, seen: (hex: string) => boolean): Scenery {
  const all = [...still, ...moving];
  const here = new Set(flashes.filter((flash) => !flash.to).map((flash) => flash.at));
  const army = ({ key, what, number = 0, at, to, way, here: there }: Drawn): Army => ({
    key,
    nation: what.slice(ARMY.length),
    number,
    from: at,
    to,
    way,
    here: there,
    press: here.has(at) ? PRESS * Math.sin(Math.PI * t) : 0,
  });
  return {
    owners: new Map(all.flatMap((piece) => (piece.what === LAND ? [[piece.at, piece.owner as string | null]] : []))),
    armies: all.filter(({ what, at, to }) => what.startsWith(ARMY) && (seen(at) || seen(to))).map(army),
    fights: [...new Map(flashes.map((flash) => [[flash.at, flash.to].sort().join(), flash])).values()],
  };
}
