// What a person's hand does on the board: what it points at, what it chooses, and the orders that come of it.

import { count } from "../../lib/words";
import type { BoardProps, Question, Status } from "../contract";
import { Deeds } from "./deeds.svelte";
import { beside, directionTo, headingOf, nameOf, rectangle, STEPS, tileAt, tileOf, way } from "./geometry";
import * as sheet from "./sheet";
import { shows } from "./shows.svelte";
import type { Order, Setting, View } from "./wire";
import * as words from "./words";

/** Letters of the deeds; moves go by the first letter of their direction. */
const DEEDS: Readonly<Record<string, sheet.Deed>> = {
  u: "move up",
  r: "move right",
  d: "move down",
  l: "move left",
  m: "mine",
  w: "work",
};

/** A drag that chooses tiles or orders a move. */
export interface Stroke {
  readonly kind: "rectangle" | "brush" | "move";
  readonly from: number;
  readonly to: number;
  readonly tiles: readonly number[];
}

export class Hand extends Deeds {
  private pointed = $state<number | null>(null);
  cursor = $state<number | null>(null);
  /** The cursor shows while keys are used. */
  keyed = $state(false);
  finger = $state(false);
  stroke = $state.raw<Stroke | null>(null);
  /** Digits that were typed: a number for the next order, or the beginning of a tile. */
  typed = $state("");
  /** A tile where the block of a building is asked for. */
  private founding = $state<number | null>(null);
  /** The frame in which the cursor was moved last: who won is said before what it stands on. */
  private moved = $state(-1);
  /** Where Shift began to choose. */
  private anchor: number | null = null;

  constructor(private readonly props: () => BoardProps<Setting, View, Order>) {
    super(props);
  }

  override get open(): boolean {
    return super.open && !this.props().playing;
  }

  /** The tile that the pointer is on, or nothing. Another tile puts an end to what was said of the last order. */
  get hover(): number | null {
    return this.pointed;
  }

  set hover(tile: number | null) {
    if (tile !== null && tile !== this.pointed) this.tell(null);
    this.pointed = tile;
  }

  /** Where the keys are. */
  readonly here = $derived.by((): number => {
    const { setting, you, view } = this.props();
    if (this.cursor !== null) return this.cursor;
    const [x, y] = (you && setting.starts[you]) || [Math.floor(setting.width / 2), Math.floor(setting.height / 2)];
    return this.area[0] ?? tileOfStack(setting, view, you) ?? tileAt(setting, x, y);
  });

  /** Neighbours to which the one chosen stack may move. */
  readonly targets = $derived.by((): ReadonlyMap<number, sheet.Wish> => {
    const [tile] = this.own;
    const found = new Map<number, sheet.Wish>();
    if (tile === undefined || this.own.length > 1) return found;
    for (const direction of Object.keys(STEPS)) {
      const there = beside(this.position, tile, direction);
      const [wish] = there === null ? [] : this.wishes(`move ${direction}`);
      if (wish && there !== null) found.set(there, wish);
    }
    return found;
  });

  /** Own tiles where a building could be founded. */
  readonly sites = $derived.by((): readonly number[] => {
    if (!this.open) return [];
    return [...this.choices.tiles()].filter((tile) => this.blocks(tile).length > 0 && this.standing.at(tile).length === 0);
  });

  // ---- words

  readonly status = $derived.by((): Status | null => {
    const { frame, view } = this.props();
    const on = this.hover ?? (this.keyed && (!view.outcome || this.moved === frame.number) ? this.here : null);
    if (this.typed) return this.typing();
    if (this.stroke && this.stroke.kind !== "move") return this.choosing(this.stroke.tiles);
    if (this.heard) return this.heard;
    const target = on === null ? undefined : this.targets.get(on);
    if (target) return words.wishWords(this.position, target, this.props().you);
    const apart = on !== null && !this.area.includes(on);
    const refused = this.refusal(apart ? [on] : this.area);
    if (refused) return refused;
    if (apart) return this.looking(on);
    if (this.area.length) return this.chosen();
    if (!this.open) return this.moment();
    return { text: "Choose one of your stacks; then a neighbour to move to, or an order." };
  });

  /** The turn in one line: many things may happen at once, and the line shall not grow while turns are played. */
  private moment(): Status | null {
    const { frame, view } = this.props();
    const [first, ...more] = frame.marks;
    if (!first || view.outcome) return null;
    const rest = more.length ? ` And ${more.length} more.` : "";
    return { subject: `Turn ${view.turn}.`, seat: first.seat, text: first.words + rest };
  }

  private typing(): Status {
    const text = this.typed.includes(",") ? "Goes to this tile." : "Now u r d l, m or w orders so many; a comma goes to a tile.";
    return { subject: `${this.typed}.`, text };
  }

  private choosing(tiles: readonly number[]): Status {
    const own = tiles.filter((tile) => this.commands(tile));
    const free = own.reduce((sum, tile) => sum + this.free(tile), 0);
    return {
      seat: this.props().you,
      subject: `${count(own.length, "own tile")}.`,
      text: `${words.unitsWords(free)} free.`,
    };
  }

  private looking(tile: number): Status {
    const does = this.commands(tile) ? "Choose it to give orders." : "";
    return words.looking(this.position, tile, this.props().you, does);
  }

  private chosen(): Status {
    const { you } = this.props();
    const [only] = this.area;
    if (this.own.length === 1 && this.area.length === 1) {
      const deeds = [...this.choices.at(only!).keys()];
      const free = `${words.number(this.free(only!))} of ${words.unitsWords(this.units(only!))} free.`;
      const may = deeds.length ? ` You can ${words.deedsWords(deeds)}.` : " All have an order; a new one takes its place.";
      return { seat: you, subject: `${nameOf(this.position, only!)}, yours.`, text: free + may };
    }
    if (!this.own.length) return this.looking(only!);
    const free = this.own.reduce((sum, tile) => sum + this.free(tile), 0);
    const text = `${words.unitsWords(free)} free. Each order takes ${words.shareWords(shows.share)}.`;
    return { seat: you, subject: `${count(this.own.length, "tile")} of yours.`, text };
  }

  /** Which block the building shall take. */
  readonly question = $derived.by((): Question | null => {
    const tile = this.founding;
    if (tile === null || !this.area.includes(tile)) return null;
    const choices = this.blocks(tile).map((direction) => ({
      label: words.blockWords(direction),
      title: `Build with the block ${words.blockWords(direction)} of ${nameOf(this.position, tile)}`,
      value: direction,
    }));
    if (choices.length < 2) return null;
    return {
      title: `Build on ${nameOf(this.position, tile)}`,
      text: "where does the block lie?",
      choices,
      usual: 0,
      choose: (direction: string) => {
        this.founding = null;
        this.give(`build ${direction}`, [tile], 1);
      },
      dismiss: () => (this.founding = null),
    };
  });

  // ---- choosing

  /** A click or Enter: a target of the chosen stack, or something new. With Shift it is added or taken away. */
  choose(tile: number, more = false): void {
    this.founding = null;
    this.cursor = tile;
    if (more) {
      this.anchor = tile;
      return this.select(this.area.includes(tile) ? this.area.filter((one) => one !== tile) : [...this.area, tile]);
    }
    const target = this.targets.get(tile);
    if (target) return this.move(target);
    this.anchor = tile;
    this.select(this.area.length === 1 && this.area[0] === tile ? [] : [tile]);
  }

  /** Gives the move and lets go, unless units are left to be ordered. */
  private move(wish: sheet.Wish): void {
    const { orders, you } = this.props();
    if (!orders) return;
    const rest = this.free(wish.tile) - (wish.anew ? 0 : wish.order.number);
    sheet.give(orders, this.standing, [wish]);
    if (rest <= 0) this.select([]);
    this.tell(words.givenWords(this.position, [wish], 1, you));
  }

  /** Begins a drag. Says whether it is one of ours: otherwise it moves the map. */
  begins(tile: number, shift: boolean): Stroke["kind"] | null {
    this.typed = "";
    if (shows.tool === "rectangle" || (shift && !this.finger)) return "rectangle";
    if (shows.tool === "brush") return "brush";
    return !this.finger && this.commands(tile) ? "move" : null;
  }

  drag(kind: Stroke["kind"], from: number, to: number): void {
    const before = this.stroke;
    if (kind === "rectangle") this.stroke = { kind, from, to, tiles: rectangle(this.position, from, to) };
    else if (kind === "brush") {
      const tiles = new Set(before?.tiles ?? []);
      for (const tile of way(this.position, before?.to ?? from, to)) tiles.add(tile);
      this.stroke = { kind, from, to, tiles: [...tiles] };
    } else {
      if (!before && !this.own.includes(from)) this.select([from]);
      // However far it is dragged, units go one step.
      const heading = headingOf(this.position, from, to);
      const next = heading === null ? null : beside(this.position, from, heading);
      this.stroke = { kind, from, to: next ?? from, tiles: [] };
    }
  }

  /** Ends a drag: chooses the own tiles in it, or moves the chosen ones. */
  drop(more: boolean): void {
    const done = this.stroke;
    this.stroke = null;
    if (!done) return;
    if (done.kind === "move") {
      const heading = directionTo(this.position, done.from, done.to);
      if (heading) this.give(`move ${heading}`);
      return;
    }
    const held = done.tiles.filter((tile) => (this.open ? this.commands(tile) : this.position.stacks[tile]));
    const before = more ? this.area : [];
    this.select([...new Set([...before, ...held])]);
    this.tell(this.area.length ? this.chosen() : { text: this.open ? "No stack of yours is there." : "No stack is there." });
  }

  // ---- keys

  /** The cursor goes on; with Shift the rectangle from where it began is chosen. */
  go(direction: string, extend: boolean): void {
    const from = this.here;
    const at = (this.keyed ? beside(this.position, from, direction) : null) ?? from; // the first key only shows it
    this.hover = null;
    this.keyed = true;
    this.typed = "";
    this.cursor = at;
    this.moved = this.props().frame.number;
    this.tell(null);
    if (!extend) {
      this.anchor = null;
      return;
    }
    this.anchor ??= from;
    this.select(rectangle(this.position, this.anchor, at).filter((tile) => !this.open || this.commands(tile)));
  }

  /** A digit or comma: a number for the next order, or a tile to go to. */
  digit(sign: string): boolean {
    if (sign === "," && (!this.typed || this.typed.includes(","))) return false;
    this.typed = (this.typed + sign).slice(-9);
    const tile = this.typed.includes(",") ? tileOf(this.position, this.typed) : null;
    if (tile !== null && /,[0-9]+$/.test(this.typed)) {
      this.cursor = tile;
      this.moved = this.props().frame.number;
      this.keyed = true;
      this.hover = null;
    }
    return true;
  }

  /** Ends what was typed; a whole tile is chosen then. */
  enter(): void {
    const whole = this.typed.includes(",") ? tileOf(this.position, this.typed) : null;
    this.typed = "";
    if (whole !== null) this.select([whole]);
    else this.choose(this.here);
  }

  /** A letter: what the chosen tiles shall do, or the tile under the cursor if none is chosen. */
  letter(key: string): boolean {
    const typed = this.typed && !this.typed.includes(",") ? Number(this.typed) : 0;
    this.typed = "";
    if (key === "e" || key === "f") this.everything(key === "f");
    else if (key === "a") shows.share = "all";
    else if (key === "h") shows.share = "half";
    else if (key === "x") this.takeBack(this.subjects);
    else if (key === "b") this.build();
    else {
      const deed = DEEDS[key];
      if (!deed || !this.open) return false;
      this.give(deed, this.ready, typed || shows.share);
    }
    return true;
  }

  /** The tiles that a key acts on. */
  get subjects(): readonly number[] {
    if (this.own.length) return this.own;
    return this.commands(this.here) ? [this.here] : [];
  }

  /** Those that an order is for: what is ordered already is replaced only where it was chosen. */
  private get ready(): readonly number[] {
    const idle = this.own.length > 0 || this.free(this.here) > 0;
    if (!idle) this.tell(words.ALL_ORDERED);
    return idle ? this.subjects : [];
  }

  /** Founds a building on the one chosen tile, and asks for its block where there are several. */
  build(): void {
    const [tile] = this.subjects;
    if (tile === undefined || this.subjects.length > 1) return;
    const blocks = this.blocks(tile);
    if (blocks.length < 2) this.give(`build ${blocks[0] ?? "right"}`, [tile], 1);
    else {
      if (!this.area.includes(tile)) this.select([tile]);
      this.founding = tile;
    }
  }

  /** Lets go of what is typed, dragged, asked or chosen. Says whether there was anything. */
  letGo(): boolean {
    if (this.typed) this.typed = "";
    else if (this.stroke) this.stroke = null;
    else if (this.founding !== null) this.founding = null;
    else if (this.area.length) this.select([]);
    else return false;
    return true;
  }
}

function tileOfStack(setting: Setting, view: View, seat: string | null): number | null {
  const stack = view.stacks.find((one) => one.owner === seat);
  return stack ? tileAt(setting, stack.x, stack.y) : null;
}
