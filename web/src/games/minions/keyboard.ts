// The keyboard at the table: on the hexes, and wherever the focus is. Boards by their digits, units by their letters.

import { headingOf, keyOn, type Heading } from "../../lib/board.svelte";
import { writing } from "../../lib/keys";
import { prefs } from "../../lib/prefs.svelte";
import { columnOf, step } from "./geometry";
import type { Hand } from "./hand.svelte";

/** What the keyboard needs from the table besides the hand. */
interface Table {
  boards(): number;
  turned(): boolean;
  /** A turn is being animated: keys do nothing on the board. */
  showing(): boolean;
  /** Goes to the techline. */
  toLine(): void;
  /** The cursor has moved to another hex. */
  pointed(): void;
}

export class Keyboard {
  private column = 0; // where the cursor went up or down from

  constructor(
    private readonly hand: Hand,
    private readonly table: Table,
  ) {}

  /** The cursor follows a click of the pointer. */
  follow(hex: string): void {
    this.hand.cursor = hex;
    this.column = columnOf(hex);
  }

  /** Keys on the hexes. */
  readonly onBoard = (event: KeyboardEvent): void => {
    if (!this.table.showing()) keyOn(event, (pressed) => this.pressed(pressed));
  };

  private pressed({ key, shiftKey }: KeyboardEvent): boolean {
    const { hand } = this;
    const heading = headingOf(key);
    if (heading) this.go(heading, shiftKey);
    else if (key === "Escape") return hand.cancel();
    else if (key === "Enter" && shiftKey) hand.join(hand.cursor);
    else if (key === "Enter") hand.choose(hand.cursor);
    else if (key === "Delete" || key === "Backspace") hand.takeBack(hand.keyed ? hand.cursor : (hand.hex ?? hand.cursor));
    else return false;
    return true;
  }

  private go(heading: Heading, other: boolean): void {
    const { hand } = this;
    const to = (hand.keyed && step(hand.cursor, heading, this.column, { other, turned: this.table.turned() })) || hand.cursor;
    if (heading === "left" || heading === "right" || !hand.keyed) this.column = columnOf(to);
    hand.cursor = to;
    hand.keyed = true;
    hand.hover = null;
    this.table.pointed();
  }

  /** Keys that work wherever the focus is. */
  readonly anywhere = (event: KeyboardEvent): void => {
    if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || !prefs.keys) return;
    if (writing(event.target) || document.querySelector("dialog[open]")) return;
    if (this.meant(event)) event.preventDefault();
  };

  private meant({ key, repeat, shiftKey }: KeyboardEvent): boolean {
    const { hand } = this;
    if (/^[1-8]$/.test(key) && Number(key) <= this.table.boards()) hand.look(Number(key));
    else if (key === "PageDown" || key === "PageUp") hand.look(this.beside(key === "PageDown" ? 1 : -1));
    else if (key === "0") this.table.toLine();
    else {
      const letter = key.toUpperCase();
      if (shiftKey || !/^[A-Z]$/.test(letter) || !hand.known(letter)) return false;
      if (!repeat) hand.held = { letter, used: false };
    }
    return true;
  }

  /** The board before or after the one in focus; after the last comes the first. */
  beside(by: number): number {
    const many = this.table.boards();
    return ((this.hand.board.number - 1 + by + many) % many) + 1;
  }

  /** A letter acts when it is released, so that holding it can mean something else. */
  readonly letterUp = ({ key }: KeyboardEvent): void => {
    if (this.hand.held?.letter === key.toUpperCase()) this.hand.letterUp();
  };

  readonly escape = (event: KeyboardEvent): void => {
    if (event.key === "Escape" && this.hand.cancel()) event.stopPropagation();
  };
}
