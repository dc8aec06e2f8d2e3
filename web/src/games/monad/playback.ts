// The turn played back: which events belong to which stage, and what the board looks like in the middle of one.

import type { Frame, Told } from "../../wire";
import type { Playing } from "../contract";
import { tileAt, type Grid } from "./geometry";
import type { Building, Event, Setting, View } from "./wire";

// Stages in the order of the book (3.1), each with the events that it shows.
const STAGES: readonly (readonly [string, readonly string[]])[] = [
  ["Collide", ["collided"]],
  ["Move", ["moved"]],
  ["Build", ["founded", "clashed"]],
  ["Mine", ["mined"]],
  ["Fight", ["lost", "assault failed", "destroyed"]],
  ["Produce", ["produced", "over the limit", "out", "alone", "ended"]],
];
const STAGE_OF = new Map(STAGES.flatMap(([, kinds], i) => kinds.map((kind) => [kind, i])));
const MS = [240, 320, 200, 160, 280, 200];

const eventOf = (told: Told): Event => told.event as Event;
const known = new WeakMap<Frame, Stage[]>();

/** The stages of a turn that there is something to see of. */
export function stagesOf(frame: Frame): Stage[] {
  const before = known.get(frame);
  if (before) return before;
  const lists: Told[][] = STAGES.map(() => []);
  for (const told of frame.events) lists[STAGE_OF.get(eventOf(told).kind) ?? -1]?.push(told);
  const made = STAGES.map(([name], i) => ({ name, events: lists[i]!, ms: MS[i]! })).filter(
    ({ events }) => events.length,
  );
  known.set(frame, made);
  return made;
}

/** A piece on the board: where, whose, how many. */
export interface Piece {
  readonly x: number;
  readonly y: number;
  readonly owner: string;
  readonly units: number;
  /** It shares its tile with others, so it is drawn smaller. */
  readonly small?: boolean;
}

/** A moment of a turn. */
export interface Moment {
  readonly pieces: readonly Piece[];
  readonly buildings: readonly Building[];
  /** Ore that changed, by tile. */
  readonly ore: ReadonlyMap<number, number>;
  /** Tiles and borders that are fought over. */
  readonly clashes: readonly { x: number; y: number }[];
}

const ease = (t: number): number => t * t * (3 - 2 * t);
const APPROACH = 0.16; // of a tile
const FIGHTS = ["collided", "lost", "assault failed", "destroyed"];

type Still = Omit<Moment, "clashes">;

/** A stage worked out once: what it begins and ends with, and what moves in between. */
interface Act {
  readonly stages: readonly Stage[];
  readonly index: number;
  readonly first: Still;
  readonly last: Still;
  /** While units march: those that stay. */
  readonly rest: Still | null;
  readonly events: readonly Event[];
  readonly clashes: Moment["clashes"];
}

let act: Act | null = null;

/** The moment that is being shown. */
export function momentOf(setting: Setting, playing: Playing): Moment {
  if (act?.stages !== playing.stages || act.index !== playing.index) act = actOf(setting, playing);
  const { t } = playing;
  if (act.rest && t < 1)
    return { ...act.rest, pieces: [...act.rest.pieces, ...marching(act.events, ease(t))], clashes: [] };
  const still = t < 0.5 ? act.first : act.last;
  return { ...still, pieces: leaning(still.pieces, act.events, t), clashes: act.clashes };
}

function actOf(setting: Setting, { before, stages, index }: Playing): Act {
  const course = new Course(setting, before.view as View);
  for (const stage of stages.slice(0, index)) course.play(stage.events.map(eventOf));
  const first = course.still();
  const events = (stages[index]?.events ?? []).map(eventOf);
  const moving = events[0]?.kind === "moved";
  if (moving) course.leave(events);
  const rest = moving ? course.still() : null;
  if (moving) course.arrive(events);
  else course.play(events);
  const clashes = events.flatMap(({ kind, at, to }) => {
    if (!at || !FIGHTS.includes(kind)) return [];
    return [to ? { x: (at[0] + to[0]) / 2, y: (at[1] + to[1]) / 2 } : { x: at[0], y: at[1] }];
  });
  return { stages, index, first, last: course.still(), rest, events, clashes };
}

function marching(events: readonly Event[], way: number): Piece[] {
  return events.flatMap(({ seat, at, to, number = 0 }) => {
    if (!seat || !at || !to) return [];
    return [{ x: at[0] + way * (to[0] - at[0]), y: at[1] + way * (to[1] - at[1]), owner: seat, units: number }];
  });
}

/** Armies that collide approach each other and part. */
function leaning(pieces: readonly Piece[], events: readonly Event[], t: number): readonly Piece[] {
  const by = APPROACH * Math.sin(Math.PI * t);
  const leans = new Map<string, readonly [number, number]>();
  for (const { kind, seat, other, at, to } of events) {
    if (kind !== "collided" || !at || !to) continue;
    const [dx, dy] = [(to[0] - at[0]) * by, (to[1] - at[1]) * by];
    leans.set(`${at.join()} ${seat}`, [dx, dy]);
    leans.set(`${to.join()} ${other}`, [-dx, -dy]);
  }
  if (!leans.size) return pieces;
  return pieces.map((piece) => {
    const lean = leans.get(`${piece.x},${piece.y} ${piece.owner}`);
    return lean ? { ...piece, x: piece.x + lean[0], y: piece.y + lean[1] } : piece;
  });
}

/** Armies by tile and seat, changed event by event. */
class Course {
  private readonly armies = new Map<number, Map<string, number>>();
  private readonly ore = new Map<number, number>();
  private buildings: readonly Building[];

  constructor(
    private readonly grid: Grid,
    view: View,
  ) {
    this.buildings = view.buildings;
    for (const { x, y, owner, units } of view.stacks) this.add([x, y], owner, units);
    for (const { x, y, left } of view.ore) this.ore.set(tileAt(grid, x, y), left);
  }

  /** Brings a stage to its end. */
  play(events: readonly Event[]): void {
    for (const event of events) if (event.seat && event.at) this.happen(event, event.seat, event.at);
  }

  leave(events: readonly Event[]): void {
    for (const { seat, at, number = 0 } of events) if (seat && at) this.add(at, seat, -number);
  }

  arrive(events: readonly Event[]): void {
    for (const { seat, to, number = 0 } of events) if (seat && to) this.add(to, seat, number);
  }

  private happen(event: Event, seat: string, at: [number, number]): void {
    const { kind, other, to, number = 0 } = event;
    if (kind === "collided" && to && other) {
      this.add(at, seat, -number);
      this.add(to, other, -number);
    } else if (kind === "moved" && to) {
      this.add(at, seat, -number);
      this.add(to, seat, number);
    } else if (kind === "founded") this.found(event, seat, at);
    else if (kind === "destroyed") this.buildings = this.buildings.filter(({ x, y }) => x !== at[0] || y !== at[1]);
    else if (kind === "mined") this.ore.set(tileAt(this.grid, ...at), event.of ?? 0);
    else if (kind === "lost") this.add(at, seat, -number);
    else if (kind === "produced") this.add(at, seat, number);
  }

  private found({ direction }: Event, owner: string, [x, y]: [number, number]): void {
    this.buildings = [...this.buildings, { x, y, owner, direction: direction ?? "right", points: 0 }];
  }

  private add(at: readonly [number, number], seat: string, number: number): void {
    const tile = tileAt(this.grid, ...at);
    const armies = this.armies.get(tile) ?? new Map<string, number>();
    const sum = (armies.get(seat) ?? 0) + number;
    if (sum > 0) armies.set(seat, sum);
    else armies.delete(seat);
    if (armies.size) this.armies.set(tile, armies);
    else this.armies.delete(tile);
  }

  /** All armies where they stand; several on one tile side by side. */
  still(): Still {
    const pieces: Piece[] = [];
    for (const [tile, armies] of this.armies) {
      const x = tile % this.grid.width;
      const y = (tile - x) / this.grid.width;
      const small = armies.size > 1;
      let i = 0;
      for (const [owner, units] of armies) {
        const aside = small ? 0.44 * (i++ / (armies.size - 1) - 0.5) : 0;
        pieces.push({ x: x + aside, y: y + aside / 2, owner, units, small });
      }
    }
    return { pieces, buildings: this.buildings, ore: new Map(this.ore) };
  }
}
