// Standing orders: what stacks keep doing until told otherwise, and what that means for the sheet of this turn.
//
// They have no rules of their own. Every order that they write is one that the server lists as legal, with the numbers
// of the view; how far a march has come is read from the record. If nothing is legal, they wait and say why, or end.

import type { Frame, Option } from "../../../wire";
import { flowsOf } from "../flows";
import { beside, directionTo, nameOf, placeOf, STEPS, type Grid } from "../geometry";
import { isCore, type Position } from "../position";
import { deedOf, figuresOf, orderOf, type Deed } from "../sheet";
import type { Order } from "../wire";
import { count, list, name } from "../../../lib/words";
import { unitsWords } from "../words";

interface Common {
  readonly id: number;
  /** Switched off, it gives no orders and is kept. */
  readonly on: boolean;
}

/** Keep mining or working on these tiles; on all: wherever it is possible, also where it will be later. */
export interface Keep extends Common {
  readonly kind: "mine" | "work";
  readonly tiles: readonly number[] | "all";
}

export interface Leg {
  readonly path: readonly number[];
  readonly units: number;
}

/** Units go along a route and stay at its end. */
export interface March extends Common {
  readonly kind: "march";
  readonly legs: readonly Leg[];
  /** The frame in which they stood at the beginning of their paths. */
  readonly since: number;
  /** They halt when an enemy is near. */
  readonly wary: boolean;
}

/** All units on a route go on towards its end, turn after turn, but for some that stay at its beginning. */
export interface Feed extends Common {
  readonly kind: "feed";
  readonly paths: readonly (readonly number[])[];
  readonly stay: number;
}

export type StandingOrder = Keep | March | Feed;

/** What a standing order gives this turn. */
export interface Given {
  readonly orders: readonly Order[];
  /** Why it gives nothing, or less than it could. */
  readonly why: string;
  /** Nothing is left to do, and why. */
  readonly ended: boolean;
}

/** The position and the sheet that orders are written for. */
export interface Scene {
  readonly position: Position;
  readonly you: string;
  /** The legal order for an action on a tile, if the server lists it. */
  readonly listed: (tile: number, deed: Deed) => Option | undefined;
  /** Units of a tile that lines of the sheet use already. */
  readonly asked: (tile: number) => number;
  readonly frame: number;
  readonly frames: readonly (Frame | undefined)[];
}

const NEAR = 2; // steps from an enemy at which a wary march halts

/** What all of them give. Those in front choose first; null: the record they need hasn't been loaded yet. */
export function written(scene: Scene, orders: readonly StandingOrder[]): ReadonlyMap<number, Given> | null {
  const sheet = new Units(scene);
  const found = new Map<number, Given>();
  for (const order of inTurn(orders)) {
    const given = order.on ? give(scene, sheet, order) : OFF;
    if (!given) return null;
    found.set(order.id, given);
  }
  return found;
}

const OFF: Given = { orders: [], why: "Switched off.", ended: false };

/** Whether it is for all units, wherever they are, and not for some that were chosen. */
export const isForAll = (order: StandingOrder): boolean => "tiles" in order && order.tiles === "all";

/** Units on a march go first: what is kept up on a tile that they cross is not for them. Orders for all tiles take what the others leave. */
export const inTurn = (orders: readonly StandingOrder[]): StandingOrder[] => {
  const place = (order: StandingOrder): number => (order.kind === "march" ? 0 : isForAll(order) ? 2 : 1);
  return [...orders].sort((a, b) => place(a) - place(b));
};

/** The units that are left while orders are written. */
class Units {
  private readonly taken = new Map<number, number>();
  readonly orders: Order[] = [];

  constructor(private readonly scene: Scene) {}

  /** All of yours on a tile. */
  all(tile: number): number {
    const stack = this.scene.position.stacks[tile];
    return stack?.owner === this.scene.you ? stack.units : 0;
  }

  free(tile: number): number {
    return this.all(tile) - this.scene.asked(tile) - (this.taken.get(tile) ?? 0);
  }

  /** An order for up to so many free units, if it is listed and of any use. */
  order(tile: number, deed: Deed, most: number): Order | null {
    const option = this.scene.listed(tile, deed);
    const number = Math.min(this.free(tile), most, (option && figuresOf(option).useful) ?? Infinity);
    if (!option || number <= 0) return null;
    this.taken.set(tile, (this.taken.get(tile) ?? 0) + number);
    return { ...orderOf(option), number };
  }
}

function give(scene: Scene, sheet: Units, order: StandingOrder): Given | null {
  if (order.kind === "march") return march(scene, sheet, order);
  return order.kind === "feed" ? feed(scene, sheet, order) : keep(scene, sheet, order);
}

// ---- keep mining, keep working

function keep(scene: Scene, sheet: Units, { kind, tiles }: Keep): Given {
  const { position, you } = scene;
  const own = position.view.stacks.filter((stack) => stack.owner === you).map(({ x, y }) => y * position.width + x);
  const orders = (tiles === "all" ? own : tiles).flatMap((tile) => sheet.order(tile, kind, Infinity) ?? []);
  if (orders.length) return { orders, why: "", ended: false };
  if (kind === "mine" && tiles !== "all" && tiles.every((tile) => (position.ore[tile] ?? 0) <= 0))
    return { orders, why: "No ore is left there.", ended: true };
  return { orders, why: idle(scene, sheet, kind, tiles === "all" ? own : tiles), ended: false };
}

/** Why nothing is mined or worked at. */
function idle({ position, you }: Scene, sheet: Units, kind: Keep["kind"], tiles: readonly number[]): string {
  if (!tiles.some((tile) => sheet.all(tile) > 0)) return "None of your units are there.";
  const core = (tile: number): boolean => position.cover[tile]?.owner === you && isCore(position, position.cover[tile], tile);
  const fit = tiles.filter((tile) => (kind === "mine" ? (position.ore[tile] ?? 0) > 0 : core(tile)));
  if (!fit.length) return kind === "mine" ? "None of them stand on ore." : "You have no building there.";
  if (fit.every((tile) => sheet.free(tile) <= 0)) return "The units there have other orders this turn.";
  return "More units would make no difference there.";
}

// ---- along a route

/** Where a leg is now: how many steps it has made, and with how many units. Null: a frame of the record isn't loaded. */
export function progress(scene: Scene, { path, units }: Leg, since: number): { step: number; units: number } | null {
  let step = 0;
  let left = units;
  for (let n = since + 1; n <= scene.frame; n++) {
    const frame = scene.frames[n];
    if (!frame) return null;
    const direction = step + 1 < path.length ? directionTo(scene.position, path[step]!, path[step + 1]!) : null;
    if (!direction) break;
    const gone = flowsOf(scene.position, frame).filter(
      (flow) =>
        flow.seat === scene.you && flow.tile === path[step] && flow.direction === direction && flow.word === "move" && !flow.refused,
    );
    if (!gone.length) continue;
    step++;
    left = Math.min(left, gone.reduce((sum, flow) => sum + flow.number, 0)); // prettier-ignore
  }
  return { step, units: left };
}

function march(scene: Scene, sheet: Units, { legs, since, wary }: March): Given | null {
  const { position } = scene;
  const orders: Order[] = [];
  const reasons = new Set<string>();
  let there = 0;
  for (const leg of legs) {
    const now = progress(scene, leg, since);
    if (!now) return null;
    const here = leg.path[now.step]!;
    if (now.step + 1 >= leg.path.length) there++;
    if (now.step + 1 >= leg.path.length || !sheet.all(here)) continue; // arrived, or lost on the way
    const next = leg.path[now.step + 1]!;
    const foe = wary ? enemyNear(scene, next) : null;
    if (foe !== null) reasons.add(`${name(position.stacks[foe]!.owner)} is near, on ${nameOf(position, foe)}.`);
    else
      put(orders, move(scene, sheet, here, next, now.units), () =>
        reasons.add(`The units on ${nameOf(position, here)} have other orders this turn.`),
      );
  }
  const going = orders.length + reasons.size > 0;
  const end = there ? `Arrived on ${nameOf(position, legs[0]!.path.at(-1)!)}.` : "Its units were lost on the way.";
  return { orders, why: going ? [...reasons].join(" ") : end, ended: !going };
}

function feed(scene: Scene, sheet: Units, { paths, stay }: Feed): Given {
  const { position } = scene;
  const orders: Order[] = [];
  const reasons = new Set<string>();
  for (const path of paths) {
    path.slice(0, -1).forEach((here, i) => {
      const spare = sheet.all(here) - (i === 0 ? stay : 0);
      if (spare <= 0) return;
      const next = path[i + 1]!;
      const held = position.stacks[next];
      if (held && held.owner !== scene.you) reasons.add(`${name(held.owner)} is in the way, on ${nameOf(position, next)}.`);
      else
        put(orders, move(scene, sheet, here, next, spare), () =>
          reasons.add(`The units on ${nameOf(position, here)} have other orders this turn.`),
        );
    });
  }
  const none = `No units to send${stay ? `: ${stay} stay` : ""}.`;
  return { orders, why: orders.length || reasons.size ? [...reasons].join(" ") : none, ended: false };
}

function move({ position }: Scene, sheet: Units, here: number, next: number, most: number): Order | null {
  const direction = directionTo(position, here, next);
  return direction ? sheet.order(here, `move ${direction}`, most) : null;
}

/** Adds an order; moves across the same border are one. */
function put(orders: Order[], order: Order | null, without: () => void): void {
  if (!order) return without();
  const same = orders.findIndex((one) => one.x === order.x && one.y === order.y && deedOf(one) === deedOf(order));
  if (same < 0) orders.push(order);
  else orders[same] = { ...order, number: order.number + orders[same]!.number };
}

/** An enemy within a few steps of a tile, the nearest first. */
function enemyNear({ position, you }: Scene, tile: number): number | null {
  const seen = new Set([tile]);
  for (let edge = [tile], steps = 0; steps <= NEAR; steps++) {
    const foe = edge.find((one) => position.stacks[one] && position.stacks[one].owner !== you);
    if (foe !== undefined) return foe;
    edge = edge.flatMap((one) => Object.keys(STEPS).flatMap((way) => beside(position, one, way) ?? [])).filter((one) => !seen.has(one));
    edge.forEach((one) => seen.add(one));
  }
  return null;
}

// ---- words

const tilesWords = (grid: Grid, tiles: readonly number[]): string =>
  tiles.length > 3 ? count(tiles.length, "tile") : list(tiles.map((tile) => nameOf(grid, tile)));

/** A standing order as a sentence: "Keep mining on 3,4 and 3,5". */
export function standingWords(grid: Grid, order: StandingOrder): string {
  if (order.kind === "march") {
    const units = order.legs.reduce((sum, leg) => sum + leg.units, 0);
    return `March to ${nameOf(grid, order.legs[0]!.path.at(-1)!)} with ${unitsWords(units)}`;
  }
  if (order.kind === "feed") {
    const [from, to] = [order.paths.map((path) => path[0]!), order.paths[0]!.at(-1)!];
    return `Send ${order.stay ? `all but ${order.stay}` : "all"} from ${tilesWords(grid, from)} to ${nameOf(grid, to)}`;
  }
  if (order.tiles === "all") return order.kind === "work" ? "Keep working in every building" : "Keep mining wherever units stand on ore";
  return `Keep ${order.kind === "work" ? "working" : "mining"} on ${tilesWords(grid, order.tiles)}`;
}

/** The tiles that a standing order is about, for the selection and the drawing. */
export function pathsOf(order: StandingOrder): readonly (readonly number[])[] {
  if (order.kind === "march") return order.legs.map((leg) => leg.path);
  return order.kind === "feed" ? order.paths : [];
}

/** Whether something read from storage is a standing order for this board: it may be of another version. */
export function isStanding(grid: Grid, it: unknown): it is StandingOrder {
  const o = it as StandingOrder;
  const tile = (n: unknown): boolean => Number.isInteger(n) && (n as number) >= 0 && placeOf(grid, n as number)[1] < grid.height;
  const path = (p: unknown): boolean => Array.isArray(p) && p.length > 1 && p.every(tile);
  if (typeof o !== "object" || o === null || !Number.isInteger(o.id) || typeof o.on !== "boolean") return false;
  if (o.kind === "mine" || o.kind === "work") return o.tiles === "all" || (Array.isArray(o.tiles) && o.tiles.every(tile));
  if (o.kind === "feed") return Array.isArray(o.paths) && o.paths.length > 0 && o.paths.every(path) && Number.isInteger(o.stay);
  return (
    o.kind === "march" && Array.isArray(o.legs) && o.legs.length > 0 && o.legs.every((leg) => path(leg?.path)) && Number.isInteger(o.since)
  );
}
