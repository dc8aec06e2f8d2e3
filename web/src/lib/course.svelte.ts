// The course of an introduction: which step it is at, what is to be done next, and what came of the last one.

import type { Introduction, LessonMove, LessonPlan, LessonScene } from "../games/contract";
import { keep, kept } from "./store";
import type { Table } from "./table.svelte";

/** After so many wrong clicks, "Do it for me" is the main button. */
export const MANY = 3;

interface Kept {
  at: number;
  /** The position in which the step began. */
  began: number;
  came: string;
}

const key = (table: string): string => `lesson.${table}`;

/** Whether this browser plays an introduction at a table. */
export const isLesson = (table: string): boolean => kept<Kept>(key(table)) !== null;
export const beginAt = (table: string): void => keep(key(table), { at: 0, began: 0, came: "" } satisfies Kept);
/** The table is an ordinary one from now on. */
export const endAt = (table: string): void => keep(key(table), null);

/** The parts of a table that an introduction needs. */
export type Played = Pick<Table, "id" | "state" | "you" | "ordering" | "over" | "draft" | "viewer">;

export class Course {
  at = $state(0);
  /** What came of the step before. */
  came = $state("");
  /** Wrong clicks in this step. */
  misses = $state(0);
  /** An earlier step that is being read again. */
  private back = $state<number | null>(null);
  private began = $state(0);
  /** What each step said when it was played. */
  private told = $state.raw<readonly (readonly string[])[]>([]);

  constructor(
    private readonly table: Played,
    private readonly intro: Introduction,
    private readonly selected: () => string | null,
  ) {
    const before = kept<Kept>(key(table.id));
    if (!before) return;
    this.at = Math.min(before.at, intro.steps.length - 1);
    this.began = before.began;
    this.came = before.came;
  }

  /** The table, if it is this person's turn, nothing is being animated, and the sheet can be filed: what is marked can be done. */
  readonly scene = $derived.by((): LessonScene | null => {
    const { state, you, ordering, draft, viewer } = this.table;
    const frame = viewer.frame;
    if (!state || !you || !ordering || !frame || !viewer.live || viewer.shown) return null;
    if (draft.step !== frame.number || draft.filing !== null || !draft.calm.ready) return null;
    const view = draft.view ?? frame.view;
    const { lines, options } = draft;
    return { setting: state.setting, view, frame, you, selected: this.selected(), lines, options, since: frame.number - this.began };
  });

  readonly step = $derived.by(() => this.intro.steps[this.at]!);

  /** What is to be done now; null: the game went another way. It stays as it was while a turn is played or a line judged. */
  private last: { at: number; plan: LessonPlan | null } | null = null;
  readonly plan = $derived.by((): LessonPlan | null | undefined => {
    const scene = this.scene;
    const judged = !scene?.lines.some((line) => line.pending); // until then the mark stays where it is
    if (scene && (judged || this.last?.at !== this.at)) this.last = { at: this.at, plan: this.step.plan(scene) };
    return this.last?.at === this.at ? this.last.plan : undefined;
  });

  /** The move that is marked. Moves before the last one that is done are done too: nobody has to go back. */
  readonly move = $derived.by((): { move: LessonMove; number: number } | null => {
    if (!this.plan || this.looking !== null) return null;
    const { moves } = this.plan;
    const number = moves.findLastIndex((one) => one.done) + 1;
    return moves[number] ? { move: moves[number], number: number + 1 } : null;
  });

  /** The match has taken a turn that the introduction can't use. */
  get astray(): boolean {
    return this.plan === null;
  }

  get count(): number {
    return this.intro.steps.length;
  }

  get isLast(): boolean {
    return this.at === this.count - 1;
  }

  /** A turn is being played, or the bot is thinking. */
  get waiting(): boolean {
    return this.scene === null && !this.table.over;
  }

  /** An earlier step to read again, with its number. */
  get looking(): { number: number; title: string; text: readonly string[] } | null {
    if (this.back === null) return null;
    return { number: this.back + 1, title: this.intro.steps[this.back]!.title, text: this.told[this.back] ?? [] };
  }

  get mayGoBack(): boolean {
    return (this.back ?? this.at) > 0;
  }

  goBack(): void {
    this.back = Math.max(0, (this.back ?? this.at) - 1);
  }

  goForward(): void {
    this.back = this.back === null || this.back + 1 >= this.at ? null : this.back + 1;
  }

  /** To be called whenever something has changed: goes on if the step is finished. */
  follow(): void {
    const { plan, scene } = this;
    if (!scene || !plan) return;
    this.told = Object.assign([...this.told], { [this.at]: plan.text });
    if (plan.done && plan.moves.length && !this.isLast) this.next(plan.came);
  }

  /** The step is over. */
  next(came = ""): void {
    if (this.isLast) return;
    this.began = this.table.viewer.frame?.number ?? this.began;
    this.at++;
    this.came = came;
    this.misses = 0;
    this.back = null;
    this.save();
  }

  /** Does what the step asks for. */
  help(): void {
    const { plan, scene } = this;
    if (!plan || !scene) return;
    const { lines = [], file = false } = plan.help ?? {};
    const { draft } = this.table;
    const missing = lines.filter((line) => !scene.lines.some((one) => one.order !== null && same(one.order, line)));
    if (missing.length) draft.set([...scene.lines.map((one) => one.order ?? one.text), ...missing]);
    if (file) draft.file();
    if (!lines.length && !file) this.next(plan.came);
  }

  private save(): void {
    keep(key(this.table.id), { at: this.at, began: this.began, came: this.came } satisfies Kept);
  }
}

const whole = (order: object): string => JSON.stringify(Object.entries(order).sort());
const same = (order: object, line: string | object): boolean => typeof line !== "string" && whole(order) === whole(line);
