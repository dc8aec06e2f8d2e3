// What the board shows: a position as it stands, or the middle of a turn that is played back stage by stage.

import type { Frame, Told } from "../../wire";
import type { Playing } from "../contract";
import { placeName, type Point } from "./geometry";
import type { Base, Event, Portal, Setting, Tower, Unit, View } from "./wire";

// ---- stages in the order of the book (2.2)

const BUILD = "Build";
const HIRE = "Hire";
const MERCENARIES = "Mercenaries";
const DEMONS = "Demons";
const ARRIVALS = "Arrivals";
const TOWERS = "Towers";

// How long each takes to show; together less than the 1.6 s that a turn may take.
const TIMES: Readonly<Record<string, number>> = {
  [BUILD]: 200, [HIRE]: 160, [MERCENARIES]: 320, [DEMONS]: 320, [ARRIVALS]: 200, [TOWERS]: 320,
};
const ORDER = Object.keys(TIMES);
const OF: Readonly<Record<string, string>> = {
  built: BUILD, destroyed: BUILD,
  hired: HIRE, provoked: HIRE, banished: HIRE,
  arrived: ARRIVALS, "demon arrived": ARRIVALS,
  shot: TOWERS, income: TOWERS, strengthened: TOWERS,
};
const MARCHES = ["moved", "hit", "hit base"];

const eventOf = (told: Told): Event => told.event as Event;

/** The stages of a turn that there is something to see of. Who falls belongs to the stage that is under way. */
export function stagesOf(frame: Frame): Stage[] {
  const found = new Map<string, Told[]>();
  let now = MERCENARIES;
  for (const told of frame.events) {
    const { kind, unit } = eventOf(told);
    if (MARCHES.includes(kind)) now = unit === "demon" ? DEMONS : MERCENARIES;
    else if (OF[kind]) now = OF[kind]!;
    else if (kind !== "fell") continue;
    found.set(now, [...(found.get(now) ?? []), told]);
  }
  return ORDER.filter((name) => found.has(name)).map((name) => ({ name, events: found.get(name)!, ms: TIMES[name]! }));
}

// ---- the moment that is drawn

/** A unit on the board, or on its way between two tiles. */
export interface Piece {
  readonly key: string;
  readonly kind: string;
  readonly side: string;
  readonly x: number;
  readonly y: number;
  readonly health: number;
  /** The health that fills its bar. */
  readonly full: number;
  /** 1: there, 0: gone. */
  readonly here: number;
}

export interface Standing extends Tower {
  readonly here: number;
}

export interface Shot {
  readonly from: Point;
  readonly to: Point;
}

export interface Gain {
  readonly at: Point;
  readonly number: number;
}

export interface Scene {
  readonly units: readonly Piece[];
  readonly towers: readonly Standing[];
  readonly bases: Readonly<Record<string, Base>>;
  readonly portals: readonly Portal[];
  /** Pairs of places between which blows fall. */
  readonly fights: readonly Shot[];
  readonly shots: readonly Shot[];
  readonly gains: readonly Gain[];
}

/** The health that fills the bar of a unit: a mercenary's own, or that of the next demon. */
function fullOf(setting: Setting, portals: readonly Portal[], kind: string, health: number): number {
  if (kind === "mercenary") return Math.max(setting.guide?.mercenary.health ?? 1, health);
  return portals.reduce((most, portal) => Math.max(most, portal.health), health);
}

/** Names units by what they are and which of these: elements of the drawing are used again from frame to frame. */
function counter(): (unit: Pick<Unit, "kind" | "side">) => string {
  const counts = new Map<string, number>();
  return ({ kind, side }) => {
    const what = `${side} ${kind}`;
    const number = counts.get(what) ?? 0;
    counts.set(what, number + 1);
    return `${what} ${number}`;
  };
}

/** A position as it stands, with the fights that led to it. */
export function standing(setting: Setting, view: View, frame: Frame): Scene {
  const key = counter();
  return {
    units: view.units.map((unit) => ({
      key: key(unit),
      kind: unit.kind,
      side: unit.side,
      x: unit.x,
      y: unit.y,
      health: unit.health,
      full: fullOf(setting, view.portals, unit.kind, unit.health),
      here: 1,
    })),
    towers: view.towers as Standing[],
    bases: view.bases,
    portals: view.portals,
    fights: fights(view, frame),
    shots: [],
    gains: [],
  };
}

/** The fights of the turn that led here, as far as one of the two still stands there. */
function fights(view: View, frame: Frame): Shot[] {
  const hits = frame.events.map(eventOf).filter(({ kind }) => kind === "hit" || kind === "hit base");
  if (!hits.length) return [];
  const taken = new Set(view.units.map((unit) => placeName(unit.x, unit.y)));
  return pairs(view, hits).filter(({ from, to }) => taken.has(placeName(...from)) || taken.has(placeName(...to)));
}

/** Who strikes whom, each pair once. */
function pairs(view: View, hits: readonly Event[]): Shot[] {
  const found = new Map<string, Shot>();
  for (const { at, to, foe } of hits) {
    const base = foe ? view.bases[foe] : undefined;
    const goal: Point | undefined = to ?? (base && [base.x, base.y]);
    if (!at || !goal) continue;
    const key = [placeName(...at), placeName(...goal)].sort().join(" ");
    found.set(key, { from: at, to: goal });
  }
  return [...found.values()];
}

/** The middle of a turn: `before` with the stages up to this one done. `after` is the view that the turn leads to. */
export function moment(setting: Setting, after: View, { before, stages, index, t }: Playing): Scene {
  const scene = new Moving(setting, before.view as View, after);
  stages.slice(0, index).forEach((stage) => scene.play(stage, 1));
  scene.rest();
  if (stages[index]) scene.play(stages[index], t);
  return scene.picture();
}

const APPROACH = 0.08; // of the way to the other
const ease = (t: number): number => t * t * (3 - 2 * t);

interface Walker {
  readonly key: string;
  readonly kind: string;
  readonly side: string;
  x: number;
  y: number;
  health: number;
  here: number;
}

/** Units and towers by place, changed event by event. */
class Moving {
  private readonly units = new Map<string, Walker>();
  private readonly key = counter();
  private towers: readonly Standing[];
  private readonly bases: Record<string, Base>;
  private portals: readonly Portal[];
  private fights: Shot[] = [];
  private shots: Shot[] = [];
  private gains: Gain[] = [];

  constructor(
    private readonly setting: Setting,
    private readonly view: View,
    private readonly after: View,
  ) {
    for (const unit of view.units) this.put(unit);
    this.towers = view.towers as Standing[];
    this.bases = Object.fromEntries(Object.entries(view.bases).map(([seat, base]) => [seat, { ...base, queued: { ...base.queued } }]));
    this.portals = view.portals;
  }

  private put({ kind, side, x, y, health }: Pick<Unit, "kind" | "side" | "x" | "y" | "health">): Walker {
    const walker: Walker = { key: this.key({ kind, side }), kind, side, x, y, health, here: 1 };
    this.units.set(placeName(x, y), walker);
    return walker;
  }

  /** Lets what an earlier stage left moving come to rest. */
  rest(): void {
    this.fights = [];
    this.shots = [];
    this.gains = [];
  }

  play({ name, events }: Stage, t: number): void {
    const told = events.map(eventOf);
    this.move(told.filter((event) => event.kind === "moved"), t);
    this.fights = pairs(this.view, told.filter((event) => event.kind === "hit" || event.kind === "hit base"));
    for (const event of told) this.show(event, t);
    if (name === ARRIVALS && t >= 0.5) this.portals = this.after.portals;
    if (name === ARRIVALS && t >= 0.5) for (const seat in this.bases) this.bases[seat]!.queued = this.after.bases[seat]!.queued;
    if (name === TOWERS && t >= 0.5) this.towers = this.after.towers as Standing[];
  }

  /** All that move step at once. */
  private move(moves: readonly Event[], t: number): void {
    const going = moves.flatMap(({ at, to }) => {
      const walker = at && this.units.get(placeName(...at));
      if (walker) this.units.delete(placeName(...at));
      return walker && to ? [{ walker, to }] : [];
    });
    for (const { walker, to } of going) {
      walker.x += ease(t) * (to[0] - walker.x);
      walker.y += ease(t) * (to[1] - walker.y);
      this.units.set(placeName(...to), walker);
    }
  }

  private show(event: Event, t: number): void {
    const { kind, at, side, number = 0 } = event;
    const late = t >= 0.5;
    if (kind === "hired" && side && event.direction && late) this.queue(side, event.direction);
    else if (kind === "banished") this.banish(t);
    else if (!at) return;
    else if (kind === "hit" || kind === "hit base") this.strike(event, at, t);
    else if (kind === "fell") this.fall(at, t);
    else if (kind === "built" || kind === "destroyed") this.build(event, at, t);
    else if ((kind === "arrived" || kind === "demon arrived") && side)
      this.put({ kind: kind === "arrived" ? "mercenary" : "demon", side, x: at[0], y: at[1], health: number }).here = t;
    else if (kind === "shot" || kind === "strengthened") this.reach(event, at, late);
    else if (kind === "income") this.gains.push({ at, number });
  }

  private queue(side: string, direction: string): void {
    const queued = this.bases[side]?.queued;
    if (queued) queued[direction] = (queued[direction] ?? 0) + 1;
  }

  private banish(t: number): void {
    for (const [place, unit] of [...this.units]) {
      if (unit.kind !== "demon") continue;
      if (t >= 1) this.units.delete(place);
      else unit.here = 1 - t;
    }
  }

  /** The two approach and part; health is lost half way. */
  private strike({ to, foe, left = 0, number = 0 }: Event, at: Point, t: number): void {
    const striker = this.units.get(placeName(...at));
    const base = foe ? this.bases[foe] : undefined;
    const goal: Point | undefined = to ?? (base && [base.x, base.y]);
    if (!goal) return;
    if (striker && t < 1) {
      const lean = (APPROACH * Math.sin(Math.PI * t)) / Math.max(1, Math.hypot(goal[0] - at[0], goal[1] - at[1]));
      striker.x = at[0] + lean * (goal[0] - at[0]);
      striker.y = at[1] + lean * (goal[1] - at[1]);
    } else if (striker) [striker.x, striker.y] = at;
    if (t < 0.5) return;
    const hurt = to && this.units.get(placeName(...to));
    if (hurt) hurt.health -= number;
    else if (base && !to) base.health = left;
  }

  private fall(at: Point, t: number): void {
    const place = placeName(...at);
    const unit = this.units.get(place);
    if (unit && t >= 1) this.units.delete(place);
    else if (unit && t >= 0.5) unit.here = 2 - 2 * t;
  }

  private build({ kind, side, tower }: Event, at: Point, t: number): void {
    const [x, y] = at;
    const others = this.towers.filter((other) => other.x !== x || other.y !== y);
    const there = this.towers.find((other) => other.x === x && other.y === y);
    if (kind === "built" && side && tower) {
      const cooldown = this.setting.towers[tower]?.cooldown ?? 1;
      this.towers = [...others, { kind: tower, owner: side, x, y, cooldown, here: t }];
    } else if (there) this.towers = t >= 1 ? others : [...others, { ...there, here: 1 - t }];
  }

  /** What a tower does to a unit. */
  private reach({ kind, to, number = 0 }: Event, at: Point, late: boolean): void {
    if (!to) return;
    const unit = this.units.get(placeName(...to));
    if (kind === "shot") this.shots.push({ from: at, to });
    if (unit && late) unit.health = kind === "shot" ? unit.health - number : number;
  }

  picture(): Scene {
    const units = [...this.units.values()].map((unit) => ({
      ...unit,
      health: Math.max(0, unit.health),
      full: fullOf(this.setting, this.portals, unit.kind, unit.health),
    }));
    const { towers, bases, portals, fights, shots, gains } = this;
    return { units, towers, bases, portals, fights, shots, gains };
  }
}
