// What is where, by the names that scenes use, and what the board looks like: at rest, or in the middle of a turn.

import { resting, type Drawn, type Flash, type Moment, type Piece } from "../../lib/scene";
import type { Op } from "../../wire";
import { placeName, placeOf, type Point } from "./geometry";
import type { Base, Portal, Setting, Tower, View } from "./wire";

const UNIT = "unit";
const TOWER = "tower";
const PORTAL = "portal";

export function pieces(_setting: Setting, view: View): Piece[] {
  return [
    ...view.units.map(({ x, y, health, kind, side }) => ({ what: UNIT, at: placeName(x, y), number: health, kind, side })),
    ...view.towers.map(({ x, y, kind, owner, cooldown }) => ({ what: TOWER, at: placeName(x, y), kind, owner, cooldown })),
    ...view.portals.map((portal) => ({ what: PORTAL, at: placeName(portal.x, portal.y), ...portal })),
  ];
}

/** A unit on the board, or on its way between two tiles. */
export interface Walker {
  readonly key: string;
  readonly kind: string;
  readonly side: string;
  readonly x: number;
  readonly y: number;
  readonly health: number;
  /** The health that makes its bar full. */
  readonly full: number;
  /** 1: there, 0: gone. */
  readonly here: number;
}

export interface Standing extends Tower {
  readonly here: number;
}

/** From one tile to another. */
export interface Stroke {
  readonly from: Point;
  readonly to: Point;
}

export interface Gain {
  readonly at: Point;
  readonly number: number;
}

export interface Scenery {
  readonly units: readonly Walker[];
  readonly towers: readonly Standing[];
  readonly bases: Readonly<Record<string, Base>>;
  readonly portals: readonly Portal[];
  /** Pairs of places that strike each other. */
  readonly fights: readonly Stroke[];
  readonly shots: readonly Stroke[];
  readonly gains: readonly Gain[];
}

/** A position at rest, with the fights that led to it, if one of the two fighters is still there. */
export function atRest(setting: Setting, view: View, happened: readonly Op[]): Scenery {
  const taken = new Set(view.units.map(({ x, y }) => placeName(x, y)));
  const fights = happened.flatMap(({ op, what, at = "", to = "" }) =>
    op === "flash" && (taken.has(at) || taken.has(to)) ? [{ what, at, to, number: 0 }] : [],
  );
  return {
    ...standing(setting, resting(pieces(setting, view))),
    bases: view.bases,
    fights: pairs(marks(fights, "fight")),
    shots: [],
    gains: [],
  };
}

/** A moment of a turn that began with `before`. */
export function inMotion(setting: Setting, before: View, { still, moving, flashes, counts }: Moment): Scenery {
  return {
    ...standing(setting, [...still, ...moving]),
    bases: counts.size ? counted(before.bases, counts) : before.bases,
    fights: pairs(marks(flashes, "fight")),
    shots: marks(flashes, "shot").map(stroke),
    gains: marks(flashes, "gain").map(({ at, number }) => ({ at: placeOf(at), number })),
  };
}

const marks = (flashes: readonly Flash[], what: string): Flash[] => flashes.filter((flash) => flash.what === what);

const stroke = ({ at, to }: Flash): Stroke => ({ from: placeOf(at), to: placeOf(to) });

/** Who strikes who, each pair once. */
function pairs(fights: readonly Flash[]): Stroke[] {
  return [...new Map(fights.map((fight) => [[fight.at, fight.to].sort().join(" "), stroke(fight)])).values()];
}

/** The bases with their current health and queues. */
function counted(bases: Readonly<Record<string, Base>>, counts: Moment["counts"]): Record<string, Base> {
  const more = (what: string) => counts.get(what) ?? 0;
  const queues = (seat: string, queued: Base["queued"]) =>
    Object.fromEntries(Object.entries(queued).map(([letter, n]) => [letter, n + more(`queued ${seat} ${letter}`)]));
  return Object.fromEntries(
    Object.entries(bases).map(([seat, base]) => [
      seat,
      { ...base, health: base.health + more(`health ${seat}`), queued: queues(seat, base.queued) },
    ]),
  );
}

function standing(setting: Setting, drawn: readonly Drawn[]): Pick<Scenery, "units" | "towers" | "portals"> {
  const of = (what: string) => drawn.filter((piece) => piece.what === what);
  const portals = of(PORTAL) as unknown as Portal[];
  const strongest = Math.max(0, ...portals.map(({ health }) => health));
  return {
    units: of(UNIT).map((piece) => walker(setting, piece, strongest)),
    towers: of(TOWER).map((piece) => tower(setting, piece)),
    portals,
  };
}

/** A full bar is the health of a new mercenary, or of the next demon. */
function walker(setting: Setting, { key, kind, side, number = 0, at, to, way, here, spent }: Drawn, strongest: number): Walker {
  const [ax, ay] = placeOf(at);
  const [bx, by] = placeOf(to);
  const full = kind === "mercenary" ? (setting.guide?.mercenary.health ?? 1) : strongest;
  return {
    key,
    kind,
    side,
    here,
    x: ax + way * (bx - ax),
    y: ay + way * (by - ay),
    health: spent ? 0 : Math.max(0, number),
    full: Math.max(full, number),
  };
}

/** A tower being built has its whole cooldown ahead of it. */
function tower(setting: Setting, { kind, owner, cooldown, at, here }: Drawn): Standing {
  const [x, y] = placeOf(at);
  return { kind, owner, x, y, cooldown: cooldown ?? setting.towers[kind]?.cooldown ?? 1, here };
}
