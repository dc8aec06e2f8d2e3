// What board and side share besides the selected place: the board in focus, what is done, the picked unit, the card shown.

import type { Crew } from "../../wire";
import * as crews from "./crew";
import type { TypeFacts, Unit, View } from "./wire";

/** The subject of the unit card: a unit on a board, or a type in the shop or on a card. */
export interface Shown {
  readonly facts: TypeFacts;
  readonly side: string | null;
  readonly unit: Unit | null;
  readonly board: number;
}

/** What the card shows now: a unit that has gone, or changed since, isn't shown as it was. */
export function current(card: Shown | null, view: View): Shown | null {
  if (!card?.unit) return card;
  const { hex, type, side } = card.unit;
  const unit = view.boards[card.board - 1]?.units.find((one) => one.hex === hex && one.type === type && one.side === side);
  return unit ? { ...card, unit } : null;
}

class Desk {
  /** The board in focus, from 1. */
  focus = $state(1);
  /** On a phone: the techline takes the place of the board. */
  line = $state(false);
  /** The letter of the unit picked to be spawned. */
  armed = $state<string | null>(null);
  card = $state.raw<Shown | null>(null);
  /** The card stays until it is closed: after a long press. */
  pinned = $state(false);
  /** How far from the left the card is, in a corner beside the board; null: below the small boards. */
  aside = $state<number | null>(null);
  /** The order of the last turn whose position is shown; null: the present. */
  review = $state<number | null>(null);
  private finished = $state.raw<ReadonlySet<number>>(new Set());
  private step = -1;
  /** The sheet that they are for. */
  private sheet = -1;

  /** Another table: its first board, and nothing in the hand. */
  begin(): void {
    this.look(1);
    this.step = this.sheet = -1;
    this.finished = new Set();
    this.review = null;
    this.unpin();
  }

  look(board: number): void {
    this.focus = board;
    this.line = false;
    this.armed = null;
  }

  /** Marks are for one sheet, also while its person looks at a past turn. The server knows only those of roles that somebody has taken. */
  sheetOf(step: number): void {
    if (step !== this.sheet) this.finished = new Set();
    this.sheet = step;
  }

  turnTo(step: number): void {
    if (step === this.step) return;
    this.step = step;
    this.armed = null;
    this.review = null;
    this.unpin();
  }

  /** Whether a board is done: as its captain says if it has one, otherwise by a mark in this browser. */
  isDone(board: number, crew: readonly Crew[]): boolean {
    return crews.holderOf(crew, board) ? crews.isDone(crew, board) : this.finished.has(board);
  }

  /** Marks a board as done, or as not done. */
  mark(board: number, done: boolean): void {
    const marks = new Set(this.finished);
    if (done) marks.add(board);
    else marks.delete(board);
    this.finished = marks;
  }

  show(card: Shown | null): void {
    if (!this.pinned) this.card = card;
  }

  /** Shows a card that stays. */
  pin(card: Shown): void {
    this.card = card;
    this.pinned = true;
  }

  unpin(): void {
    this.pinned = false;
    this.card = null;
  }
}

export const desk = new Desk();
