// A turn as it was played, order by order: which events belong to which order, and the position in the middle of one.

import type { Frame, Told } from "../../wire";
import type { Playing } from "../contract";
import type { Step } from "./geometry";
import type { BoardView, Event, Setting, Unit, View } from "./wire";

/** One order of a turn, or its end. */
export interface Deed {
  /** As it was written; empty for the end of the turn. */
  readonly line: string;
  readonly board: number;
  readonly events: readonly Told[];
  readonly ms: number;
}

/** What is shown as one stage: all orders of a board. */
interface Group extends Stage {
  readonly deeds: readonly Deed[];
}

const eventOf = (told: Told): Event => told.event as Event;
const MS: Record<string, number> = { move: 160, tick: 240, attack: 320 };

// What each kind of order makes happen.
const HAPPENS: Record<string, readonly string[]> = {
  move: ["moved"],
  tick: ["moved"],
  attack: ["hit", "destroyed", "unsummoned", "rebate"],
  buy: ["bought"],
  spawn: ["spawned"],
  choose: ["kept", "chosen"],
  resign: ["resigned"],
  spells: ["marched", "teched", "paid"],
};

interface Read {
  readonly kind: string;
  readonly board: number;
  readonly pairs: readonly string[];
  readonly many: number;
}

function read(line: string): Read | null {
  const found = /^(?:(\d+) )?([a-z]+) ?(.*)$/.exec(line);
  if (!found) return null;
  const [, board, word = "", rest = ""] = found;
  if (word === "march" || word === "tech") return { kind: "spells", board: 0, pairs: [], many: Infinity };
  if (!(word in HAPPENS)) return null;
  const pairs = rest.split(" ").filter((part) => /^[a-j]\d-[a-j]\d$/.test(part));
  const many = word === "tick" ? pairs.length : word === "attack" || word === "choose" ? 2 : 1;
  return { kind: word, board: Number(board ?? 1), pairs, many };
}

/** The orders of the turn that led to this frame, each with its events; last what its end brought. */
export function deedsOf(frame: Frame): Deed[] {
  const deeds: Deed[] = [];
  let at = 0;
  for (const [side, lines] of Object.entries(frame.orders)) {
    const void_ = new Set((frame.faults[side] ?? []).map((fault) => fault.line));
    (lines ?? []).forEach((line, i) => {
      const order = void_.has(i + 1) ? null : read(line);
      if (!order) return;
      const from = at;
      while (at < frame.events.length && at - from < order.many && belongs(order, eventOf(frame.events[at]!), at === from)) at++;
      const events = frame.events.slice(from, at);
      if (events.length) deeds.push({ events, ms: MS[order.kind] ?? 200, line, board: order.board });
    });
  }
  const rest = frame.events.slice(at);
  if (rest.length) deeds.push({ events: rest, ms: 320, line: "", board: 0 });
  return deeds;
}

/** Where units of a board went; nowhere that can be seen if it was reset after that. */
export function movesOn(events: readonly Told[], board: number): Step[] {
  const here = events.map(eventOf).filter((event) => event.board === board);
  if (here.some(({ kind }) => kind === "reset")) return [];
  return here.flatMap(({ kind, hex, to }) => (kind === "moved" && hex && to ? [{ from: hex, to }] : []));
}

function belongs(order: Read, event: Event, first: boolean): boolean {
  if (!HAPPENS[order.kind]!.includes(event.kind)) return false;
  if (order.kind === "attack") return first !== (event.kind === "rebate");
  if (order.kind === "choose") return first || event.kind === "chosen";
  return true;
}

// ---- a moment

/** A unit on its way, leaning towards another, or fading. */
export interface Motion {
  readonly to: string;
  readonly way: number;
}

export interface Moment {
  readonly view: View;
  /** By board and hex: "1 c2". */
  readonly motions: ReadonlyMap<string, Motion>;
  readonly fading: ReadonlyMap<string, number>;
  readonly deed: Deed | null;
}

const ease = (t: number): number => t * t * (3 - 2 * t);

/** The stages of a turn: the techline, each board, the end. Boards do not touch each other, so each is shown as a whole. */
export function stagesOf(setting: Setting, frame: Frame): Stage[] {
  const groups = new Map<string, Deed[]>();
  for (const deed of deedsOf(frame)) {
    const name = nameOf(deed, setting.boards);
    groups.set(name, [...(groups.get(name) ?? []), deed]);
  }
  return [...groups].map(([name, deeds]): Group => ({
    name, deeds, events: deeds.flatMap((deed) => deed.events), ms: Math.min(1200, deeds.reduce((sum, deed) => sum + deed.ms, 0)),
  }));
}

function nameOf(deed: Deed, boards: number): string {
  if (!deed.line) return "End";
  if (!deed.board) return "Techline";
  if (boards > 1) return `Board ${deed.board}`;
  return / ?(buy|spawn) /.test(deed.line) ? "Spawn" : "Attack";
}

/** The moment right after one order. */
export function after(deeds: readonly Deed[], index: number, before: Frame, frame: Frame): Moment {
  const scene = new Scene(structuredClone(before.view as View));
  deeds.slice(0, index + 1).forEach((deed) => scene.play(deed, 1));
  const deed = deeds[index] ?? null;
  return deed && !deed.line ? done(frame, deed) : { view: scene.view, motions: new Map(), fading: new Map(), deed };
}

const done = (frame: Frame, deed: Deed): Moment => ({ view: frame.view as View, motions: new Map(), fading: new Map(), deed });

/** The position that is being shown; `frame` is the one that the turn led to. */
export function momentOf({ before, stages, index, t }: Playing, frame: Frame): Moment {
  const scene = new Scene(structuredClone(before.view as View));
  const groups = stages as readonly Group[];
  groups.slice(0, index).forEach((group) => group.deeds.forEach((deed) => scene.play(deed, 1)));
  const deeds = groups[index]?.deeds ?? [];
  const at = Math.min(deeds.length - 1, Math.floor(t * deeds.length));
  deeds.slice(0, at).forEach((deed) => scene.play(deed, 1));
  const deed = deeds[at] ?? null;
  const part = t >= 1 ? 1 : t * deeds.length - at;
  if (deed && !deed.line && part >= 0.5) return done(frame, deed);
  if (deed) scene.play(deed, part);
  return { view: scene.view, motions: scene.motions, fading: scene.fading, deed };
}

class Scene {
  motions = new Map<string, Motion>();
  fading = new Map<string, number>();

  constructor(readonly view: View) {}

  play(deed: Deed, t: number): void {
    this.motions = new Map();
    this.fading = new Map();
    const events = deed.events.map(eventOf);
    if (!deed.line) return;
    const moved = events.filter((event) => event.kind === "moved");
    if (moved.length) this.move(moved, t);
    const order = read(deed.line);
    for (const event of events) this.happen(event, order, t);
  }

  private board(event: Event): BoardView {
    return this.view.boards[(event.board ?? 1) - 1]!;
  }

  /** All moves of a tick at once. */
  private move(events: readonly Event[], t: number): void {
    const board = this.board(events[0]!);
    const goes = new Map(events.map((event) => [event.hex, event.to!]));
    board.units = board.units.map((unit) => {
      const to = goes.get(unit.hex);
      if (!to) return unit;
      if (t < 1) this.motions.set(`${board.number} ${to}`, { to: unit.hex, way: 1 - ease(t) });
      return { ...unit, hex: to, moved: true };
    });
  }

  private happen(event: Event, order: Read | null, t: number): void {
    const side = event.side ?? "";
    const board = this.board(event);
    const place = (event.place ?? 0) - 1;
    if (event.kind === "marched" || event.kind === "teched") {
      const spells = this.view.spells[side];
      if (spells) spells[place] = (spells[place] ?? 0) + 1;
    } else if (event.kind === "paid" || event.kind === "bought") this.view.money[side] = (this.view.money[side] ?? 0) - (event.number ?? 0);
    else if (event.kind === "rebate") this.view.money[side] = (this.view.money[side] ?? 0) + (event.number ?? 0);
    if (event.kind === "hit") this.strike(board, order, event.to ?? "", event.number ?? 0, t);
    else if (event.kind === "destroyed" || event.kind === "unsummoned") this.strike(board, order, event.hex ?? "", null, t);
    else if (event.kind === "spawned" || event.kind === "chosen") this.appear(board, event, t);
  }

  /** An attack: the attacker leans, the target is hurt or fades. */
  private strike(board: BoardView, order: Read | null, target: string, damage: number | null, t: number): void {
    const start = order?.pairs[0]?.slice(0, 2) ?? "";
    if (t < 1 && start) this.motions.set(`${board.number} ${start}`, { to: target, way: 0.16 * Math.sin(Math.PI * t) });
    board.units = board.units.flatMap((unit): Unit[] => {
      if (unit.hex === start) return [{ ...unit, used: (unit.used ?? 0) + 1 }];
      if (unit.hex !== target) return [unit];
      if (damage !== null) return [t >= 0.5 ? { ...unit, damage } : unit];
      if (t >= 1) return [];
      if (t > 0.5) this.fading.set(`${board.number} ${target}`, 2 - 2 * t);
      return [unit];
    });
  }

  private appear(board: BoardView, event: Event, t: number): void {
    const hex = event.hex ?? "";
    const type = (event.unit ?? "").replace(/ necromancer$/, "");
    const letter = event.kind === "chosen" ? "N" : "";
    board.units = [...board.units, { hex, side: event.side ?? "", type, letter, fresh: event.kind === "spawned" }];
    if (t < 1) this.fading.set(`${board.number} ${hex}`, t);
  }
}
