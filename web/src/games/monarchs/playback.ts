// The turn played back: which events belong to which stage, and where the armies stand in the middle of one.

import type { Frame, Told } from "../../wire";
import type { Playing, Stage } from "../contract";
import type { Event, View } from "./wire";

// Stages in the order of the book (2.1), each with the events that it shows.
const STAGES: readonly (readonly [string, readonly string[]])[] = [
  ["Border battles", ["die at a border", "border won", "held at the border"]],
  ["Moves", ["marched", "taken"]],
  ["Hex battles", ["die in a hex", "won", "beaten", "base held", "sent home", "conquered"]],
  ["Retreats", ["die for a retreat", "retreated", "no refuge"]],
];

const eventOf = (told: Told): Event => told.event as Event;

/** The stages of a turn that there is something to see of. */
export function stagesOf(frame: Frame): Stage[] {
  return STAGES.map(([name, kinds]) => ({
    name,
    events: frame.events.filter((told) => kinds.includes(eventOf(told).kind)),
  })).filter((stage) => stage.events.length > 0);
}

/** Regiments of one nation on a hex, or on their way from one to another. */
export interface Army {
  readonly key: string;
  readonly nation: string;
  readonly number: number;
  readonly from: string;
  readonly to: string;
  /** How far on the way, 0 to 1. */
  readonly way: number;
  /** 1: there, 0: gone. */
  readonly here: number;
  /** How close it presses on others on its hex, as part of the hex. */
  readonly press: number;
}

/** Something fought over: a hex, or the border between two. */
export interface Fight {
  readonly hex: string;
  readonly to: string | null;
}

/** A moment of a turn: whose the land is, where the armies are, what is fought over. */
export interface Scenery {
  readonly owners: ReadonlyMap<string, string | null>;
  readonly armies: readonly Army[];
  readonly fights: readonly Fight[];
}

const STILL = { way: 0, here: 1, press: 0 };
const APPROACH = 0.08; // of the way to the other
const ease = (t: number): number => t * t * (3 - 2 * t);

/** The moment that is being shown. */
export function scenery({ before, stages, index, t }: Playing): Scenery {
  const scene = new Moving(before.view as View);
  stages.slice(0, index).forEach((stage) => scene.play(stage.events.map(eventOf), 1));
  scene.rest();
  const now = stages[index];
  if (now) scene.play(now.events.map(eventOf), t);
  return scene;
}

/** Armies by hex and nation, changed event by event. */
class Moving implements Scenery {
  readonly owners = new Map<string, string | null>();
  private readonly seen: ReadonlySet<string>;
  private readonly stacks = new Map<string, number>();
  private readonly leaning = new Map<string, { to: string; way: number }>();
  private readonly fading = new Map<string, number>();
  private readonly pressing = new Map<string, number>();
  private travelling: Army[] = [];
  fights: Fight[] = [];

  constructor(view: View) {
    this.seen = new Set(Object.keys(view.hexes));
    for (const [hex, ground] of Object.entries(view.hexes)) {
      this.owners.set(hex, ground.owner);
      if (ground.owner && ground.regiments) this.stacks.set(`${hex} ${ground.owner}`, ground.regiments);
    }
  }

  /** Lets what an earlier stage left moving come to rest. */
  rest(): void {
    this.travelling = [];
    this.fights = [];
    for (const passing of [this.leaning, this.fading, this.pressing]) passing.clear();
  }

  play(events: readonly Event[], t: number): void {
    const told = new Set(
      events.filter((event) => event.kind === "beaten").map((event) => `${event.hex} ${event.nation}`),
    );
    for (const event of events) this.show(event, t, told);
  }

  private show({ kind, nation, hex, to, number = 0 }: Event, t: number, told: ReadonlySet<string>): void {
    if (!nation || !hex) return;
    if (to && (kind === "marched" || kind === "retreated")) this.move(nation, hex, to, number, t);
    else if (to && (kind === "held at the border" || kind === "border won")) this.fightAt(nation, hex, to, t);
    else if (kind === "sent home" || kind === "no refuge") this.lose(nation, hex, number, t);
    else if (kind === "taken" && t >= 1) this.owners.set(hex, nation);
    else if (kind === "won" || kind === "beaten" || kind === "base held") this.fightOn(hex, t);
    else if (kind === "conquered" && t >= 0.5) this.conquer(nation, hex, t, told);
  }

  private move(nation: string, from: string, to: string, number: number, t: number): void {
    this.add(from, nation, -number);
    if (t >= 1) this.add(to, nation, number);
    else this.travelling.push({ ...STILL, key: `${nation} ${from}-${to}`, nation, number, from, to, way: ease(t) });
  }

  /** Two groups approach each other at a border and part. */
  private fightAt(nation: string, hex: string, to: string, t: number): void {
    this.leaning.set(`${hex} ${nation}`, { to, way: APPROACH * Math.sin(Math.PI * t) });
    const here = [hex, to].sort();
    const known = this.fights.some((fight) => fight.hex === here[0] && fight.to === here[1]);
    if (!known) this.fights.push({ hex: here[0]!, to: here[1]! });
  }

  private fightOn(hex: string, t: number): void {
    if (this.fights.some((fight) => fight.hex === hex && !fight.to)) return;
    this.fights.push({ hex, to: null });
    this.pressing.set(hex, APPROACH * Math.sin(Math.PI * t));
  }

  /** What is lost goes half way through the stage; a whole army fades. */
  private lose(nation: string, hex: string, number: number, t: number): void {
    const left = this.stacks.get(`${hex} ${nation}`) ?? 0;
    if (t >= 1 || (t >= 0.5 && left > number)) this.add(hex, nation, -number);
    else if (t >= 0.5) this.fading.set(`${hex} ${nation}`, 2 - 2 * t);
  }

  /** The land changes hands. Of armies whose fate is not told it is known only that they stand there no longer. */
  private conquer(nation: string, hex: string, t: number, told: ReadonlySet<string>): void {
    this.owners.set(hex, nation);
    for (const key of [...this.stacks.keys()]) {
      if (!key.startsWith(`${hex} `) || key === `${hex} ${nation}` || told.has(key)) continue;
      if (t >= 1) this.stacks.delete(key);
      else this.fading.set(key, 2 - 2 * t);
    }
  }

  private add(hex: string, nation: string, number: number): void {
    const key = `${hex} ${nation}`;
    const sum = (this.stacks.get(key) ?? 0) + number;
    if (sum > 0) this.stacks.set(key, sum);
    else this.stacks.delete(key);
  }

  get armies(): Army[] {
    const standing = [...this.stacks].map(([key, number]): Army => {
      const [hex = "", nation = ""] = key.split(" ");
      const lean = this.leaning.get(key) ?? { to: hex, way: 0 };
      const press = this.pressing.get(hex) ?? 0;
      return { key, nation, number, from: hex, to: lean.to, way: lean.way, here: this.fading.get(key) ?? 1, press };
    });
    // Of land in the fog nobody can say how many stand there, even where a march from or to it is told.
    return [...standing, ...this.travelling].filter(({ from, to }) => this.seen.has(from) || this.seen.has(to));
  }
}
