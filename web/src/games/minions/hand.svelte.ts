// A person's actions on the board in focus: what they point at, what they have selected, and the orders they give.

import type { Option } from "../../wire";
import type { BoardProps, Status } from "../contract";
import * as crews from "./crew";
import { desk } from "./desk.svelte";
import * as sheet from "./sheet";
import { Takeback } from "./takeback";
import type { BoardView, Order, Setting, Unit, View } from "./wire";
import * as words from "./words";

const NOTHING: ReadonlyMap<string, Option> = new Map();

export class Hand {
  /** The hex under the pointer. */
  hover = $state<string | null>(null);
  /** The hex under the keyboard cursor. */
  cursor = $state("c2");
  /** The cursor is shown while the keyboard is used. */
  keyed = $state(false);
  /** The board was last touched by a finger. */
  finger = $state(false);
  /** The units that will rotate, in order; empty if none. */
  loop = $state.raw<readonly string[]>([]);
  /** A letter that is held down, and whether it has been used. */
  held: { letter: string; used: boolean } | null = null;
  /** What was dropped along with a cancelled order. */
  dropped = $state.raw<Status | null>(null);
  readonly back: Takeback;
  /** Why the last click did nothing, until the pointer moves on. */
  refused = $state.raw<Status | null>(null);

  constructor(
    private readonly props: () => BoardProps<Setting, View, Order>,
    private readonly shown: () => View,
  ) {
    this.back = new Takeback(props, shown, () => this.due);
  }

  readonly board = $derived.by((): BoardView => this.shown().boards[desk.focus - 1] ?? this.shown().boards[0]!);

  readonly choices = $derived.by((): sheet.Choices | null => {
    const { orders } = this.props();
    return orders && this.open ? sheet.choicesOn(orders.options, this.board.number) : null;
  });

  readonly scene = $derived.by((): words.Scene => {
    const { setting, you, orders } = this.props();
    return { setting, view: this.shown(), board: this.board, you, choices: this.choices, alerts: orders?.alerts ?? [] };
  });

  /** The selected hex on the board in focus. */
  readonly hex = $derived.by((): string | null => {
    const [board, hex] = (this.props().selected ?? "").split(" ");
    return hex && Number(board) === this.board.number ? hex : null;
  });

  readonly moves = $derived.by(() => (this.hex && this.choices?.moves.get(this.hex)) || NOTHING);
  readonly attacks = $derived.by(() => (this.hex && this.choices?.attacks.get(this.hex)) || NOTHING);
  readonly swaps = $derived.by(() => (this.hex && this.choices?.swaps.get(this.hex)) || NOTHING);

  /** Enemies that the selected unit can attack after moving. */
  readonly later = $derived.by((): ReadonlySet<string> => {
    const found = [...this.moves.values()].flatMap((option) => (option.figures?.["strikes"] as string[] | undefined) ?? []);
    return new Set(found.filter((hex) => !this.attacks.has(hex)));
  });

  /** Where the picked unit can be spawned. */
  readonly room = $derived.by((): ReadonlySet<string> =>
    desk.armed && this.choices ? sheet.roomFor(this.choices, desk.armed) : new Set(),
  );

  /** Whether orders can be given now, here or on another board. */
  get due(): boolean {
    const { orders, playing } = this.props();
    return orders?.open === true && !playing && desk.review === null;
  }

  /** Whether this person can give orders on the board in focus now. */
  get open(): boolean {
    return this.due && !this.barred(this.board.number);
  }

  /** Why this person can't give orders on a board or the techline: somebody else does, or their part is done. */
  barred(board: number): Status | null {
    const { crew, roles } = this.props();
    if (!crews.commands(crew, roles, board)) return crews.foreign(crew, board);
    return crews.isDone(crew, board) ? crews.closed(board) : null;
  }

  /** Says why a click does nothing; true if something bars it. */
  bars(board: number): boolean {
    this.refused = this.due ? this.barred(board) : null;
    return this.refused !== null;
  }

  unit(hex: string): Unit | undefined {
    return words.unitOn(this.board, hex);
  }

  isOwn(hex: string): boolean {
    return this.props().you !== null && this.unit(hex)?.side === this.props().you;
  }

  /** What a click on a hex would do with the selection, in words. */
  markOn(hex: string): string {
    if (this.loop.length) return this.loop.includes(hex) ? `number ${this.loop.indexOf(hex) + 1} of the ring` : "";
    if (desk.armed) return this.room.has(hex) ? "spawn here" : "";
    if (this.attacks.has(hex)) return "attack it";
    return this.moves.has(hex) ? "move here" : "";
  }

  /** Whether a drag from this hex is an order. */
  commands(hex: string): boolean {
    return this.choices !== null && (this.choices.moves.has(hex) || this.choices.attacks.has(hex) || this.choices.swaps.has(hex));
  }

  private select(hex: string | null): void {
    this.props().select(hex ? `${this.board.number} ${hex}` : null);
  }

  // ---- words

  readonly status = $derived.by((): Status | null => {
    const on = this.hover ?? (this.keyed ? this.cursor : null);
    if (this.refused) return this.refused;
    if (this.loop.length) return words.looping(this.loop);
    if (desk.armed) return this.armedWords(on ?? "");
    if (on && on !== this.hex) {
      const attack = this.attacks.get(on);
      if (attack && this.hex) return words.attacking(this.scene, this.hex, on, attack);
      const move = this.moves.get(on);
      if (move && this.hex) return words.moving(this.scene, this.hex, on, move);
    }
    const hex = on ?? this.hex;
    if (this.dropped && !this.hover) return this.dropped;
    if (hex === null)
      return this.board.due && this.choices
        ? { subject: "Choose a necromancer", text: "below the board before you do anything else here." }
        : null;
    return hex === this.hex ? words.chosen(this.scene, hex) : words.looking(this.scene, hex);
  });

  private armedWords(hex: string): Status | null {
    const { setting, you } = this.props();
    const facts = words.byLetter(setting, desk.armed ?? "");
    const waits = facts && you ? (this.board.zones[you]?.[facts.name] ?? 0) : 0;
    return facts && words.spawning(facts, hex, this.room, waits);
  }

  // ---- actions

  /** Chooses a hex, as a click or Enter does. */
  choose(hex: string): void {
    this.dropped = null;
    desk.review = null;
    if (this.bars(this.board.number)) return this.select(hex === this.hex || !this.unit(hex) ? null : hex);
    if (this.held) {
      this.held.used = true;
      desk.armed = this.held.letter;
    }
    if (desk.armed) return this.spawn(hex);
    if (this.loop.length) return this.join(hex);
    if (hex !== this.hex && this.go(hex)) return;
    this.select(hex === this.hex || !this.unit(hex) ? null : hex);
  }

  /** Gives the order of an option. */
  give(option: Option | null | undefined): void {
    if (option) this.props().orders?.add(option.order, option.figures);
  }

  /** Gives the order that the selected unit has for a hex. */
  private go(hex: string): boolean {
    const option = this.attacks.get(hex) ?? this.moves.get(hex);
    if (!this.props().orders || !option) return false;
    this.give(option);
    // The unit stays selected: it may attack from its new hex, or attack again.
    if (this.moves.has(hex)) this.select(hex);
    return true;
  }

  /** A drag from unit to hex. */
  drop(from: string, hex: string): void {
    this.select(from);
    const swap = this.choices?.swaps.get(from)?.get(hex);
    const option = this.choices?.attacks.get(from)?.get(hex) ?? this.choices?.moves.get(from)?.get(hex) ?? swap;
    if (!option) return;
    this.give(option);
    this.select(option === swap ? null : this.choices?.moves.get(from)?.has(hex) ? hex : from);
  }

  /** Another board comes into focus. */
  look(board: number): void {
    this.loop = [];
    this.refused = null;
    desk.look(board);
  }

  /** Adds a unit to the rotation; the first one again finishes it. */
  join(hex: string): void {
    if (!this.open || !this.isOwn(hex)) return void this.bars(this.board.number);
    const start = this.loop.length ? this.loop : this.hex && this.hex !== hex && (this.moves.size || this.swaps.size) ? [this.hex] : [];
    if (start.length > 1 && hex === start[0]) return this.turnRound(start);
    this.loop = start.includes(hex) ? start.filter((at) => at !== hex) : [...start, hex];
  }

  /** Orders units to rotate, each to the place of the next. */
  turnRound(hexes: readonly string[]): void {
    const { orders } = this.props();
    this.loop = [];
    if (!orders || !this.open || hexes.length < 2) return;
    const swap = hexes.length === 2 ? this.choices?.swaps.get(hexes[0]!)?.get(hexes[1]!) : undefined;
    const moves = hexes.map((hex, i) => `${hex}-${hexes[(i + 1) % hexes.length]}`);
    orders.add(swap?.order ?? { order: "tick", board: this.board.number, moves });
    this.select(null);
  }

  /** Picks a unit, or buys it if it is already picked. */
  take(letter: string): void {
    if (!this.choices || !this.known(letter)) return;
    if (desk.armed === letter) return this.buy(letter);
    this.loop = [];
    this.select(null);
    desk.armed = letter;
  }

  /** The held letter is released: if it hasn't been used, its unit is picked. */
  letterUp(): void {
    const { held } = this;
    this.held = null;
    if (held?.used) desk.armed = null;
    else if (held) this.take(held.letter);
  }

  /** Whether the letter is a unit in the reserve or the shop. */
  known(letter: string): boolean {
    return this.choices !== null && (this.choices.buys.has(letter) || this.choices.spawns.has(letter));
  }

  buy(letter: string): void {
    this.give(this.choices?.buys.get(letter));
  }

  /** Spawns the picked unit, and buys it first if none is in reserve. It stays picked while there are more. */
  spawn(hex: string): void {
    const { orders } = this.props();
    const letter = desk.armed;
    if (!orders || !letter || !this.choices || !this.room.has(hex)) return;
    const waiting = this.choices.spawns.get(letter)?.get(hex);
    const bought = this.choices.buys.get(letter);
    if (waiting) sheet.addAll(orders, [waiting]);
    else if (bought) sheet.addAll(orders, [bought, { order: { order: "spawn", board: this.board.number, unit: letter, target: hex } }]);
    if (!this.held) desk.armed = null;
  }

  /** Cancels all orders of your unit on a hex. */
  takeBack(hex: string): void {
    if (!this.open) return void this.bars(this.board.number);
    if (this.isOwn(hex)) this.back.unit(this.board.number, hex);
  }

  /** Forgets the pointer and the cursor until one of them moves again. */
  rest(): void {
    this.hover = null;
    this.keyed = false;
  }

  /** Cancels whatever was picked or selected last. Returns whether there was anything. */
  cancel(): boolean {
    if (desk.pinned) desk.unpin();
    else if (desk.review !== null) desk.review = null;
    else if (desk.armed) desk.armed = null;
    else if (this.loop.length) this.loop = [];
    else if (this.hex) this.select(null);
    else return false;
    return true;
  }
}
