// What a person's hand does on the board in focus: what it points at, what it has chosen, and the orders that come of it.

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
  /** The hex under the cursor of the keys. */
  cursor = $state("c2");
  /** The cursor shows while keys are used. */
  keyed = $state(false);
  /** The last to touch the board was a finger. */
  finger = $state(false);
  /** The units that shall go round, in order; empty if none. */
  loop = $state.raw<readonly string[]>([]);
  /** A letter that is held down, and whether it has done something. */
  held: { letter: string; used: boolean } | null = null;
  /** What was dropped with an order that was taken back. */
  dropped = $state.raw<Status | null>(null);
  readonly back: Takeback;
  /** Why nothing came of the last click, until the hand points elsewhere. */
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

  /** The chosen hex on the board in focus. */
  readonly hex = $derived.by((): string | null => {
    const [board, hex] = (this.props().selected ?? "").split(" ");
    return hex && Number(board) === this.board.number ? hex : null;
  });

  readonly moves = $derived.by(() => (this.hex && this.choices?.moves.get(this.hex)) || NOTHING);
  readonly attacks = $derived.by(() => (this.hex && this.choices?.attacks.get(this.hex)) || NOTHING);
  readonly swaps = $derived.by(() => (this.hex && this.choices?.swaps.get(this.hex)) || NOTHING);

  /** Enemies that the chosen unit can attack after a move. */
  readonly later = $derived.by((): ReadonlySet<string> => {
    const found = [...this.moves.values()].flatMap((option) => (option.figures?.["strikes"] as string[] | undefined) ?? []);
    return new Set(found.filter((hex) => !this.attacks.has(hex)));
  });

  /** Where the unit that is taken up can be spawned. */
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

  /** Why this person orders nothing on a board or the techline: another one does, or the own part is done. */
  barred(board: number): Status | null {
    const { crew, roles } = this.props();
    if (!crews.commands(crew, roles, board)) return crews.foreign(crew, board);
    return crews.isDone(crew, board) ? crews.closed(board) : null;
  }

  /** Says why nothing comes of a click; true if something bars it. */
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

  /** What a click on a hex would do with what is in the hand, in words. */
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
        ? { subject: "Choose a necromancer", text: "below the board; nothing else can be done here before." }
        : null;
    return hex === this.hex ? words.chosen(this.scene, hex) : words.looking(this.scene, hex);
  });

  private armedWords(hex: string): Status | null {
    const { setting, you } = this.props();
    const facts = words.byLetter(setting, desk.armed ?? "");
    const waits = facts && you ? (this.board.zones[you]?.[facts.name] ?? 0) : 0;
    return facts && words.spawning(facts, hex, this.room, waits);
  }

  // ---- deeds

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

  /** Orders what an option offers. */
  give(option: Option | null | undefined): void {
    if (option) this.props().orders?.add(option.order, option.figures);
  }

  /** Orders what the chosen unit can do on a hex. */
  private go(hex: string): boolean {
    const option = this.attacks.get(hex) ?? this.moves.get(hex);
    if (!this.props().orders || !option) return false;
    this.give(option);
    // The unit stays in the hand: it may attack from where it went, or attack again.
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

  /** Adds a unit to the ring; the first one again closes it. */
  join(hex: string): void {
    if (!this.open || !this.isOwn(hex)) return void this.bars(this.board.number);
    const start = this.loop.length ? this.loop : this.hex && this.hex !== hex && (this.moves.size || this.swaps.size) ? [this.hex] : [];
    if (start.length > 1 && hex === start[0]) return this.turnRound(start);
    this.loop = start.includes(hex) ? start.filter((at) => at !== hex) : [...start, hex];
  }

  /** Orders a ring of units to go round: each to the place of the next. */
  turnRound(hexes: readonly string[]): void {
    const { orders } = this.props();
    this.loop = [];
    if (!orders || !this.open || hexes.length < 2) return;
    const swap = hexes.length === 2 ? this.choices?.swaps.get(hexes[0]!)?.get(hexes[1]!) : undefined;
    const moves = hexes.map((hex, i) => `${hex}-${hexes[(i + 1) % hexes.length]}`);
    orders.add(swap?.order ?? { order: "tick", board: this.board.number, moves });
    this.select(null);
  }

  /** Takes a unit up, or buys it if it is taken up already. */
  take(letter: string): void {
    if (!this.choices || !this.known(letter)) return;
    if (desk.armed === letter) return this.buy(letter);
    this.loop = [];
    this.select(null);
    desk.armed = letter;
  }

  /** The letter that was held is let go: if it has done nothing yet, its unit is taken up. */
  letterUp(): void {
    const { held } = this;
    this.held = null;
    if (held?.used) desk.armed = null;
    else if (held) this.take(held.letter);
  }

  /** Whether a letter is one of the reserve or the shop. */
  known(letter: string): boolean {
    return this.choices !== null && (this.choices.buys.has(letter) || this.choices.spawns.has(letter));
  }

  buy(letter: string): void {
    this.give(this.choices?.buys.get(letter));
  }

  /** Spawns the unit that is taken up, and buys it first if none waits. It stays in the hand while there are more. */
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

  /** Takes back everything that the own unit on a hex has done. */
  takeBack(hex: string): void {
    if (!this.open) return void this.bars(this.board.number);
    if (this.isOwn(hex)) this.back.unit(this.board.number, hex);
  }

  /** Points at nothing until the pointer or the cursor moves again. */
  rest(): void {
    this.hover = null;
    this.keyed = false;
  }

  /** Lets go of what is in the hand, last first. Says whether there was anything. */
  letGo(): boolean {
    if (desk.pinned) desk.unpin();
    else if (desk.review !== null) desk.review = null;
    else if (desk.armed) desk.armed = null;
    else if (this.loop.length) this.loop = [];
    else if (this.hex) this.select(null);
    else return false;
    return true;
  }
}
