// Your own sheet: changes show at once, and are checked when the server answers.

import type { DraftLine, LineIn, Orders, Own } from "../games/contract";
import type { Alert, FileSheet, Option, SetDraft, Sheet, SheetLine, Withdraw } from "../wire";
import { Calm } from "./calm.svelte";
import { keep, kept } from "./store";

type Send = (wish: SetDraft | FileSheet | Withdraw) => number;
type Lines = readonly DraftLine[];

interface Local {
  step: number;
  lines: LineIn[];
}

export class Draft implements Orders {
  lines = $state.raw<Lines>([]);
  options = $state.raw<readonly Option[]>([]);
  alerts = $state.raw<readonly Alert[]>([]);
  view = $state.raw<Own>(null);
  /** The state on the server. */
  private stored = $state<Sheet["state"]>("empty");
  step = $state(-1);
  /** The step has been played; the sheet for the next one hasn't arrived yet. */
  passed = $state(false);
  /** Request numbers of the last draft and of the sheet being filed, until they are answered. */
  private asked = $state<number | null>(null);
  filing = $state<number | null>(null);
  private past = $state.raw<Lines[]>([]);
  private future = $state.raw<Lines[]>([]);
  private keys = 0;
  /** This person's roles in a shared seat; null: all lines are their own. */
  mine = $state.raw<readonly string[] | null>(null);
  /** This person's part is done; editing withdraws that first. */
  finished = $state(false);
  /** A sheet that has just appeared isn't filed by a click that was meant for the last one. */
  readonly calm = new Calm();
  /** The lines added or changed by this person's last step. */
  latest = $state.raw<ReadonlySet<number>>(new Set());

  constructor(
    readonly table: string,
    private readonly send: Send,
    private readonly reopen: () => void = () => undefined,
  ) {}

  // ---- what is shown

  get pending(): boolean {
    return this.asked !== null;
  }

  /** A filed sheet becomes a draft as soon as it is edited. */
  get state(): Sheet["state"] {
    return this.stored === "filed" && this.pending ? "draft" : this.stored;
  }

  get ready(): boolean {
    return this.calm.ready;
  }

  get open(): boolean {
    return this.step >= 0 && this.stored !== "locked" && !this.passed;
  }

  readonly refused = $derived(this.lines.filter((line) => line.fault).length);

  get valid(): number {
    return this.lines.length - this.refused;
  }

  /** Every line has been saved and checked. */
  readonly saved = $derived(!this.pending && !this.lines.some((line) => line.pending));

  owns(line: DraftLine): boolean {
    return this.mine === null || line.role === null || this.mine.includes(line.role);
  }

  get undoable(): boolean {
    return this.open && this.past.length > 0;
  }

  get redoable(): boolean {
    return this.open && this.future.length > 0;
  }

  /** Options with a number, by what they order: there may be thousands of options and lines. */
  private readonly growth = $derived.by((): ReadonlyMap<string, Option> => {
    const found = new Map<string, Option>();
    for (const option of this.options) {
      const key = option.least == null ? "" : pattern(option.order);
      if (key && !found.has(key)) found.set(key, option);
    }
    return found;
  });

  /** The smallest and largest number for the stepper of a line, if it has a number. */
  range(line: DraftLine): { least: number; most: number } | null {
    const value = line.order?.number;
    if (typeof value !== "number") return null;
    const option = this.growth.get(pattern(line.order));
    const left = option?.most ?? 0;
    // A valid line already uses its share; an invalid one doesn't.
    return { least: option?.least ?? 1, most: line.fault ? Math.max(left, value) : value + left };
  }

  // ---- what is changed

  add(line: LineIn, figures: Record<string, Own> = {}): void {
    this.write([...this.lines, this.fresh(line, figures)]);
  }

  change(key: number, line: LineIn, figures?: Record<string, Own>): void {
    this.write(this.lines.map((old) => (old.key === key ? { ...this.fresh(line, figures ?? old.figures), key } : old)));
  }

  strike(key: number): void {
    this.write(this.lines.filter((line) => line.key !== key));
  }

  /** Existing lines stay as they are, with their keys. */
  set(lines: readonly LineIn[]): void {
    const old = new Shelf(this.lines, handed);
    this.write(lines.map((line) => old.take(line) ?? this.fresh(line, {})));
  }

  settle(keys: readonly number[]): void {
    const keep = new Set(keys);
    const lines = this.lines.filter((line) => keep.has(line.key));
    if (this.open && lines.length < this.lines.length) this.hand(lines);
  }

  undo(): void {
    const before = this.past.at(-1);
    if (!before || !this.open) return;
    this.past = this.past.slice(0, -1);
    this.future = [...this.future, this.lines];
    this.hand(before);
  }

  redo(): void {
    const after = this.future.at(-1);
    if (!after || !this.open) return;
    this.future = this.future.slice(0, -1);
    this.past = [...this.past, this.lines];
    this.hand(after);
  }

  file(): void {
    if (!this.open) return;
    this.filing = this.send({ type: "file", lines: this.lines.map(handed), step: this.step });
  }

  withdraw(): void {
    this.send({ type: "withdraw" });
  }

  /** This person's part of the turn isn't done after all. */
  keepEditing(): void {
    if (this.finished) this.reopen();
  }

  // ---- what the server says

  /** A sheet has arrived: the answer to a draft, or the current sheet (after joining, and for a new step). */
  take(sheet: Sheet): void {
    if (sheet.re !== null && this.asked !== null && sheet.re < this.asked) return; // a newer draft is on its way
    if (sheet.step !== this.step) this.begin(sheet);
    else if (sheet.re === null && this.asked !== null)
      return; // the draft on its way will be answered
    else this.judged(sheet);
    this.options = sheet.options;
    this.alerts = sheet.alerts;
    this.view = sheet.view;
    this.stored = sheet.state;
    const unsent = kept<Local>(`draft.${this.table}`);
    if (this.asked === null && unsent && sheet.state !== "locked") this.restore(unsent);
  }

  /** A request was accepted or refused. */
  answered(re: number | null): void {
    if (re !== null && re === this.filing) this.filing = null;
    if (re !== null && re === this.asked) this.asked = null;
  }

  /** This seat has no orders to give now. */
  close(): void {
    this.step = -1;
    this.lines = [];
    this.options = [];
    this.alerts = [];
    this.view = null;
    this.stored = "empty";
    this.asked = this.filing = null;
    this.past = this.future = [];
  }

  // ---- within

  private begin(sheet: Sheet): void {
    this.step = sheet.step;
    this.calm.begin();
    this.passed = false;
    this.past = this.future = [];
    this.asked = this.filing = null;
    this.lines = sheet.lines.map((line) => this.judgedLine(line, undefined));
    this.latest = new Set();
    this.finished = false;
  }

  private judged(sheet: Sheet): void {
    this.asked = null;
    keep(`draft.${this.table}`, null);
    const old = matched(this.lines, sheet, this.mine !== null);
    this.lines = sheet.lines.map((line, i) => this.judgedLine(line, old[i]));
  }

  /** A draft that couldn't be sent during an earlier visit. */
  private restore(unsent: Local): void {
    keep(`draft.${this.table}`, null);
    if (unsent.step === this.step) this.set(unsent.lines);
  }

  private judgedLine(line: SheetLine, old: DraftLine | undefined): DraftLine {
    if (old && !old.pending && old.text === line.text && told(old) === told(line)) return old;
    return { ...line, key: old?.key ?? ++this.keys, pending: false };
  }

  private fresh(line: LineIn, figures: Record<string, Own>): DraftLine {
    const order = typeof line === "string" ? null : line;
    const text = typeof line === "string" ? line : "";
    return { key: ++this.keys, text, order, fault: null, pending: true, figures, role: null };
  }

  private write(lines: Lines): void {
    if (!this.open) return;
    this.past = [...this.past.slice(-199), this.lines];
    this.future = [];
    this.hand(lines);
  }

  private hand(lines: Lines): void {
    // Editing a filed sheet withdraws it first: what is filed is always what is shown as filed.
    if (this.stored === "filed" && !this.pending) this.send({ type: "withdraw" });
    if (this.finished) this.reopen();
    this.finished = false;
    const before = new Set(this.lines);
    this.latest = new Set(lines.filter((line) => !before.has(line)).map((line) => line.key));
    this.lines = lines;
    const handedIn = lines.map(handed);
    keep(`draft.${this.table}`, { step: this.step, lines: handedIn } satisfies Local);
    this.asked = this.send({ type: "draft", lines: handedIn });
  }
}

/** The old line for each line of an answer. A shared sheet may come back longer, or in another order. */
function matched(lines: Lines, sheet: Sheet, team: boolean): (DraftLine | undefined)[] {
  const stands = (line: DraftLine, i: number) =>
    !line.order || !sheet.lines[i]!.order || whole(line.order) === whole(sheet.lines[i]!.order!);
  if (sheet.re !== null && sheet.lines.length === lines.length && (!team || lines.every(stands))) return [...lines];
  const byText = new Shelf(lines, (line) => line.text);
  const byOrder = new Shelf(lines, (line) => line.order && whole(line.order));
  const used = new Set<DraftLine>();
  return sheet.lines.map((line) => {
    const found = byText.take(line.text, used) ?? (line.order ? byOrder.take(whole(line.order), used) : undefined);
    if (found) used.add(found);
    return found;
  });
}

/** Lines by a lookup key, each to be taken once; there may be several equal ones. */
class Shelf {
  private readonly rest = new Map<unknown, DraftLine[]>();

  constructor(lines: Lines, named: (line: DraftLine) => unknown) {
    for (const line of [...lines].reverse()) {
      const name = named(line);
      const alike = this.rest.get(name);
      if (alike) alike.push(line);
      else this.rest.set(name, [line]);
    }
  }

  take(name: unknown, except?: ReadonlySet<DraftLine>): DraftLine | undefined {
    const alike = this.rest.get(name);
    let found = alike?.pop();
    while (found && except?.has(found)) found = alike?.pop();
    return found;
  }
}

const whole = (order: object): string => JSON.stringify(Object.entries(order).sort());

/** The server's remarks on a line, for comparison. */
const told = ({ fault, figures, role }: Pick<DraftLine, "fault" | "figures" | "role">): string => JSON.stringify([fault, figures, role]);

/** A line as it is sent: its order, or the typed text. */
function handed(line: DraftLine): LineIn {
  return line.order ?? line.text;
}

/** An order without its number: the pattern that options are matched by. */
function pattern(order: object): string {
  let key = "";
  for (const [name, value] of Object.entries(order).sort(([a], [b]) => (a < b ? -1 : 1)))
    if (name !== "number") key += `${name} ${JSON.stringify(value)} `;
  return key;
}
