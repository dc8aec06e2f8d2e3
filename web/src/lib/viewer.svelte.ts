// The playhead: which frame is shown, which stage of the turn before it, and how time passes. For live games and
// replays alike. Live play never moves the playhead away from a past turn.

import type { GameTable, Playing } from "../games/contract";
import type { Frame, Op, Show, Stage } from "../wire";
import { isFaulty } from "./faults";
import type { Frames } from "./frames.svelte";
import { prefs } from "./prefs.svelte";
import { happened } from "./scene";

export const SPEEDS = [1, 4, 16, 60, 240] as const;
const CALM = 8; // turns per second, above which nothing is animated
const LONGEST = 1600; // ms for all stages of one turn, unless the game says otherwise
const NONE: readonly Stage[] = [];

export class Viewer {
  at = $state(0);
  playing = $state(false);
  /** Follows the newest frame of a running game. */
  following = $state(false);
  /** Further frames with a mark: turning points of an analysis. */
  points = $state.raw<ReadonlySet<number>>(new Set());
  private stages = $state.raw<readonly Stage[]>(NONE);
  private stage = $state(-1);
  private t = $state(1);
  private request = 0;
  private then = 0;
  private debt = 0;

  constructor(
    readonly frames: Frames,
    private readonly game: () => GameTable | null,
    readonly shows: () => Readonly<Record<string, readonly Show[]>>,
  ) {}

  // ---- what is shown

  get frame(): Frame | null {
    return this.frames.at(this.at);
  }

  get before(): Frame | null {
    return this.at > 0 ? this.frames.at(this.at - 1) : null;
  }

  get live(): boolean {
    return this.at >= this.frames.last;
  }

  /** The stages of the turn that led here, for the timeline. */
  get steps(): { stages: readonly Stage[]; index: number } | null {
    return this.stages.length ? { stages: this.stages, index: this.stage } : null;
  }

  get motion(): boolean {
    return !prefs.still && (!this.playing || prefs.speed <= CALM);
  }

  /** Turns pass too fast to show their stages. */
  private get hurried(): boolean {
    return this.playing && prefs.speed > CALM;
  }

  /** The animation that the board draws instead of the frame itself. */
  get shown(): Playing | null {
    const { before, frame: after, stages, stage: index, t } = this;
    if (index < 0 || !before || !after || !stages.length) return null;
    return { before, after, shows: this.shows(), stages, index, t };
  }

  /** What happened in the turn that led to this frame. */
  get happened(): readonly Op[] {
    return this.frame ? happened(this.frame, this.shows()) : [];
  }

  // ---- moving about

  seek(number: number): void {
    const to = Math.max(0, Math.min(this.frames.last, Math.round(number)));
    this.at = to;
    this.stage = -1;
    this.following = this.following && to >= this.frames.last;
    void this.frames.need(to);
    void this.frames.need(to - 1);
    this.stages = this.hurried ? NONE : this.stagesOf(to);
  }

  /** The stages can be shown only once both frames are loaded. */
  arrived(): void {
    if (this.stage < 0) this.stages = this.stagesOf(this.at);
  }

  step(by: number): void {
    this.pause();
    this.seek(this.at + by);
  }

  first(): void {
    this.pause();
    this.seek(0);
  }

  last(): void {
    this.pause();
    this.following = true;
    this.seek(this.frames.last);
  }

  /** One stage forward or back; beyond the ends it continues with the next turn. */
  stageBy(by: number): void {
    this.pause();
    const index = this.stage + by;
    if (this.stage < 0 && by > 0) {
      if (this.at >= this.frames.last) return;
      this.seek(this.at + 1);
      this.stageAt(0);
    } else if (this.stage < 0 && this.stages.length > 1) this.stageAt(this.stages.length - 2);
    else if (index < 0) this.seek(this.at - 1);
    else if (index >= this.stages.length) this.seek(this.at);
    else this.stageAt(index);
  }

  stageAt(index: number): void {
    this.pause();
    if (index < 0 || index >= this.stages.length) return;
    this.stage = index;
    this.t = 1;
  }

  /** The nearest frame with a mark, of an event or of a fault, in this direction. */
  markBy(by: 1 | -1): void {
    this.pause();
    for (let n = this.at + by; n >= 0 && n <= this.frames.last; n += by) {
      const frame = this.frames.items[n];
      if (this.points.has(n) || (frame && (frame.marks.length || isFaulty(frame)))) return this.seek(n);
    }
  }

  faster(by: 1 | -1): void {
    const at = SPEEDS.findIndex((speed) => speed >= prefs.speed);
    prefs.speed = SPEEDS[Math.max(0, Math.min(SPEEDS.length - 1, (at < 0 ? 0 : at) + by))]!;
  }

  /** A new frame of a running game: animated, unless the person is looking at another turn. */
  grown(): void {
    if (!this.following) return;
    const last = this.frames.last;
    if (last === this.at + 1 && !this.playing) this.show(last);
    else this.seek(last);
    this.following = true;
  }

  /** Turns were taken back: whoever looked at one of them looks at the newest that is left. */
  shrunk(): void {
    if (this.at > this.frames.last) this.last();
  }

  // ---- time

  toggle(): void {
    if (this.playing) this.pause();
    else this.play();
  }

  play(): void {
    if (this.at >= this.frames.last) {
      if (this.following) return this.again();
      this.seek(0);
    }
    this.playing = true;
    this.debt = 0;
    this.run();
  }

  /** Replays the last turn of a running game. */
  private again(): void {
    this.show(this.at);
    this.following = true;
  }

  pause(): void {
    const hurried = this.hurried;
    this.playing = false;
    cancelAnimationFrame(this.request);
    this.request = 0;
    if (hurried) this.arrived();
    if (this.stage >= 0 && this.t < 1) this.stage = -1;
  }

  stop(): void {
    this.pause();
  }

  /** Ends the animation of a turn at once. */
  skip(): boolean {
    if (this.playing || this.stage < 0 || this.t >= 1) return false;
    this.pause();
    return true;
  }

  /** The board shows a chosen stage at rest, instead of the position after the turn. */
  get held(): boolean {
    return !this.playing && this.stage >= 0 && this.t >= 1;
  }

  /** From a stage at rest to the position after the turn. */
  leave(): boolean {
    if (!this.held) return false;
    this.stage = -1;
    return true;
  }

  /** Goes to the frame by animating the stages of the turn before it. */
  private show(number: number): void {
    this.seek(number);
    if (this.stages.length && !prefs.still) {
      this.stage = 0;
      this.t = 0;
      if (!this.request) this.run();
    }
  }

  private run(): void {
    this.then = performance.now();
    cancelAnimationFrame(this.request);
    this.request = requestAnimationFrame((now) => this.tick(now));
  }

  private tick(now: number): void {
    const passed = Math.min(250, now - this.then);
    this.then = now;
    this.request = 0;
    this.debt += (passed / 1000) * prefs.speed;
    if (this.stage >= 0) this.animate(passed);
    else if (this.playing) this.advance();
    if (this.playing || (this.stage >= 0 && this.t < 1)) {
      this.request = requestAnimationFrame((next) => this.tick(next));
    }
  }

  private animate(passed: number): void {
    const all = this.stages.reduce((sum, stage) => sum + stage.ms, 0);
    const longest = this.game()?.longest ?? LONGEST;
    const room = this.playing ? Math.min(longest, 800 / prefs.speed) : longest;
    const pace = all > room ? all / room : 1;
    this.t += (passed * pace) / (this.stages[this.stage]?.ms ?? 1);
    while (this.t >= 1 && this.stage >= 0) {
      if (this.stage === this.stages.length - 1) {
        this.stage = -1;
        this.t = 1;
      } else {
        this.stage++;
        this.t -= 1;
      }
    }
  }

  private advance(): void {
    if (this.debt < 1) return;
    const next = this.at + (prefs.speed > CALM ? Math.floor(this.debt) : 1);
    if (!this.frames.items[Math.min(next, this.frames.last)]) {
      void this.frames.need(Math.min(next, this.frames.last));
      return; // wait for it
    }
    this.debt = prefs.speed > CALM ? this.debt % 1 : Math.min(1, this.debt - 1);
    if (this.motion) this.show(next);
    else this.seek(next);
    void this.frames.need(Math.min(this.at + 25, this.frames.last));
    if (this.at >= this.frames.last) {
      const { hurried } = this;
      this.playing = false; // the last turn is still animated to its end
      if (hurried) this.arrived();
    }
  }

  private stagesOf(number: number): readonly Stage[] {
    return (this.frames.items[number - 1] && this.frames.items[number]?.stages) || NONE;
  }
}

/** The turn of a frame as written in links: 12, or 12.1 for the second frame of turn 12. */
export function momentOf(frames: Frames, number: number): string {
  const turn = frames.items[number]?.turn;
  if (turn === undefined) return String(number);
  let first = number;
  while (first > 0 && frames.items[first - 1]?.turn === turn) first--;
  return first === number ? String(turn) : `${turn}.${number - first}`;
}

/** The frame that a link refers to; fetches the frames it needs to look at. Turn numbers never decrease from frame to frame. */
export async function frameOf(frames: Frames, moment: string): Promise<number> {
  const [turn, extra] = moment.split(".").map(Number) as [number, number | undefined];
  if (!Number.isFinite(turn)) return frames.last;
  let low = 0;
  let high = frames.last;
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    await frames.need(middle);
    const found = frames.items[middle];
    if (!found) return Math.min(turn, frames.last);
    if (found.turn < turn) low = middle + 1;
    else high = middle;
  }
  return Math.min(low + (extra || 0), frames.last);
}
