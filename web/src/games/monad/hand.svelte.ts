// A person's actions on the board: what they point at, what they select, and the orders they give.

import { count } from "../../lib/words";
import type { BoardProps, Question, Status } from "../contract";
import { Deeds } from "./deeds.svelte";
import { beside, directionTo, headingOf, nameOf, rectangle, STEPS, tileAt, tileOf, way } from "./geometry";
import * as sheet from "./sheet";
import { shows } from "./shows.svelte";
import { standingWords, type StandingOrder } from "./standing/orders";
import { plans } from "./standing/plans.svelte";
import type { Order, Setting, View } from "./wire";
import * as words from "./words";

/** The keys for actions; moves use the first letter of their direction. */
const DEEDS: Readonly<Record<string, sheet.Deed>> = {
  u: "move up",
  r: "move right",
  d: "move down",
  l: "move left",
  m: "mine",
  w: "work",
};

/** A drag that selects tiles or orders a move. */
export interface Stroke {
  readonly kind: "rectangle" | "brush" | "move";
  readonly from: number;
  readonly to: number;
  readonly tiles: readonly number[];
}

export class Hand extends Deeds {
  private pointed = $state<number | null>(null);
  cursor = $state<number | null>(null);
  /** The cursor is shown while the keyboard is used. */
  keyed = $state(false);
  finger = $state(false);
  stroke = $state.raw<Stroke | null>(null);
  /** Typed digits: a number for the next order, or the beginning of a tile. */
  typed = $state("");
  /** A tile for which we ask which way its building should extend. */
  private founding = $state<number | null>(null);
  /** The frame in which the cursor last moved: the result of the game is shown before the tile under it. */
  private moved = $state(-1);
  /** Where a selection with Shift began. */
  private anchor: number | null = null;

  constructor(private readonly props: () => BoardProps<Setting, View, Order>) {
    super(props);
  }

  override get open(): boolean {
    return super.open && !this.props().playing;
  }

  /** The tile under the pointer, if any. Pointing at another tile clears the message about the last order. */
  get hover(): number | null {
    return this.pointed;
  }

  set hover(tile: number | null) {
    if (tile !== null && tile !== this.pointed) this.tell(null);
    this.pointed = tile;
  }

  /** Where the keyboard cursor is. */
  readonly here = $derived.by((): number => {
    const { setting, you, view } = this.props();
    if (this.cursor !== null) return this.cursor;
    // Whoever watches begins where somebody begins: the middle is empty for long, and may be all that a small screen shows.
    const [x, y] = setting.starts[you ?? setting.seats[0] ?? ""] ?? [Math.floor(setting.width / 2), Math.floor(setting.height / 2)];
    return this.area[0] ?? tileOfStack(setting, view, you) ?? tileAt(setting, x, y);
  });

  /** Tiles to which the one selected stack may move. */
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

  /** Your own tiles where a building could be started. */
  readonly sites = $derived.by((): readonly number[] => {
    if (!this.open) return [];
    return [...this.choices.tiles()].filter((tile) => this.blocks(tile).length > 0 && this.standing.at(tile).length === 0);
  });

  // ---- words

  readonly status = $derived.by((): Status | null => {
    const { frame, view } = this.props();
    const on = this.hover ?? (this.keyed && (!view.outcome || this.moved === frame.number) ? this.here : null);
    if (this.typed) return this.typing();
    if (plans.draft) return this.routing();
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
    return { text: "Select one of your stacks, then a tile to move to, or an order." };
  });

  /** The turn in one line: many things may happen at once, and the line must not grow while turns are played. */
  private moment(): Status | null {
    const { frame, view } = this.props();
    const [first, ...more] = frame.marks;
    if (!first || view.outcome) return null;
    const rest = more.length ? ` And ${more.length} more.` : "";
    return { subject: `Turn ${view.turn}.`, seat: first.seat, text: first.words + rest };
  }

  private typing(): Status {
    const text = this.typed.includes(",")
      ? "Press Enter to select this tile."
      : "Press u, r, d, l, m or w to give an order to this many, or a comma to go to a tile.";
    return { subject: `${this.typed}.`, text };
  }

  /** A route is being drawn. */
  private routing(): Status {
    const { kind, from, via } = plans.draft!;
    const who = from.length === 1 ? nameOf(this.position, from[0]!) : count(from.length, "stack");
    const subject = kind === "march" ? `March of ${who}.` : `Feed a front from ${who}.`;
    const last = via.at(-1);
    if (last === undefined)
      return { seat: this.props().you, subject, text: "Choose the tile at the end of the route, or tiles on the way." };
    const steps = Math.max(...plans.paths(this).map((path) => path.length - 1));
    const text = `${count(steps, "step")} to ${nameOf(this.position, last)}. Choose it again to confirm, or another tile to go on from there.`;
    return { seat: this.props().you, subject, text };
  }

  private choosing(tiles: readonly number[]): Status {
    const own = tiles.filter((tile) => this.commands(tile));
    const free = own.reduce((sum, tile) => sum + this.free(tile), 0);
    return {
      seat: this.props().you,
      subject: `${count(own.length, "tile")} of yours.`,
      text: `${words.unitsWords(free)} idle.`,
    };
  }

  /** The tiles that the umpire warns of. */
  readonly dangers = $derived.by((): readonly number[] => {
    const { orders, setting } = this.props();
    return this.open ? (orders?.alerts ?? []).flatMap(({ urgent, where }) => (urgent && where ? (tileOf(setting, where) ?? []) : [])) : [];
  });

  private looking(tile: number): Status {
    const { orders, setting } = this.props();
    const danger = orders?.alerts.find(({ urgent, where }) => urgent && where && tileOf(setting, where) === tile);
    const does = danger ? danger.text : this.commands(tile) ? "Select it to give orders." : "";
    return words.looking(this.position, tile, this.props().you, does);
  }

  private chosen(): Status {
    const { you } = this.props();
    const [only] = this.area;
    if (this.own.length === 1 && this.area.length === 1) {
      const deeds = [...this.choices.at(only!).keys()];
      const free = `${words.number(this.free(only!))} of ${words.unitsWords(this.units(only!))} idle.`;
      const may = deeds.length ? ` You can ${words.deedsWords(deeds)}.` : " All have orders; a new order replaces them.";
      return { seat: you, subject: `${nameOf(this.position, only!)}, yours.`, text: free + may };
    }
    if (!this.own.length) return this.looking(only!);
    const free = this.own.reduce((sum, tile) => sum + this.free(tile), 0);
    const text = `${words.unitsWords(free)} idle. Each order takes ${words.shareWords(shows.share)}.`;
    return { seat: you, subject: `${count(this.own.length, "tile")} of yours.`, text };
  }

  /** Which way the building should extend. */
  readonly question = $derived.by((): Question | null => {
    const tile = this.founding;
    if (tile === null || !this.area.includes(tile)) return null;
    const choices = this.blocks(tile).map((direction) => ({
      label: words.blockWords(direction),
      title: `Build on ${nameOf(this.position, tile)}, extending ${words.blockWords(direction)}`,
      value: direction,
    }));
    if (choices.length < 2) return null;
    return {
      title: `Build on ${nameOf(this.position, tile)}`,
      text: "which way should it extend? A building takes 2 by 2 tiles; this one becomes its core, where units work.",
      choices,
      usual: 0,
      choose: (direction: string) => {
        this.founding = null;
        this.give(`build ${direction}`, [tile], 1);
      },
      dismiss: () => (this.founding = null),
    };
  });

  // ---- selecting

  /** A click or Enter: a target of the selected stack, or something new. With Shift the tile is added or removed. */
  choose(tile: number, more = false): void {
    this.founding = null;
    this.cursor = tile;
    if (plans.draft) return this.routed(plans.through(this, this.props(), tile));
    if (more) {
      this.anchor = tile;
      return this.select(this.area.includes(tile) ? this.area.filter((one) => one !== tile) : [...this.area, tile]);
    }
    const target = this.targets.get(tile);
    if (target) return this.move(target);
    this.anchor = tile;
    this.select(this.area.length === 1 && this.area[0] === tile ? [] : [tile]);
  }

  /** A route has been drawn, if its last tile was chosen twice. */
  private routed(made: StandingOrder | null): void {
    if (!made) return;
    this.select([]);
    const { why } = plans.given.get(made.id) ?? { why: "" };
    const until = "It is written on every sheet until you switch it off.";
    this.tell({ seat: this.props().you, subject: `${standingWords(this.position, made)}.`, text: why || until });
  }

  /** Orders the move and deselects the stack, unless it has idle units left. */
  private move(wish: sheet.Wish): void {
    const { orders, you } = this.props();
    if (!orders) return;
    const rest = this.free(wish.tile) - (wish.anew ? 0 : wish.order.number);
    sheet.give(orders, this.standing, [wish]);
    if (rest <= 0) this.select([]);
    this.tell(words.givenWords(this.position, [wish], 1, you));
  }

  /** Begins a drag. Returns its kind, or null if it should pan the map. */
  begins(tile: number, shift: boolean): Stroke["kind"] | null {
    this.typed = "";
    if (plans.draft) return null;
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
      // However far the drag goes, units move one step.
      const heading = headingOf(this.position, from, to);
      const next = heading === null ? null : beside(this.position, from, heading);
      this.stroke = { kind, from, to: next ?? from, tiles: [] };
    }
  }

  /** Ends a drag: selects your tiles in it, or moves the selected ones. */
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
    this.tell(this.area.length ? this.chosen() : { text: this.open ? "None of your stacks are there." : "There are no stacks there." });
  }

  // ---- keys

  /** Moves the cursor; with Shift, selects the rectangle from where it started. */
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

  /** Ends typing; a complete tile is then selected. */
  enter(): void {
    const whole = this.typed.includes(",") ? tileOf(this.position, this.typed) : null;
    this.typed = "";
    if (whole !== null) this.select([whole]);
    else this.choose(this.here);
  }

  /** A letter: an order for the selected tiles, or for the tile under the cursor if none is selected. */
  letter(key: string): boolean {
    const typed = this.typed && !this.typed.includes(",") ? Number(this.typed) : 0;
    this.typed = "";
    if (key === "e" || key === "f") this.everything(key === "f");
    else if (key === "a") shows.share = "all";
    else if (key === "h") shows.share = "half";
    else if (key === "x") this.takeBack(this.subjects);
    else if (key === "b") this.build();
    else if (key === "o") this.alike(this.subjects[0] ?? this.here);
    else if (key === "p") this.repeat();
    else if (key === "k") this.keep();
    else if (key === "g" || key === "s") this.route(key === "g" ? "march" : "feed");
    else {
      const deed = DEEDS[key];
      if (!deed || !this.open) return false;
      this.give(deed, this.ready, typed || shows.share);
    }
    return true;
  }

  /** Keeps the chosen stacks at what they do, or could do where they stand: working, or mining. */
  private keep(): void {
    const tiles = this.subjects;
    if (!this.open || !tiles.length) return;
    const lines = tiles.flatMap((tile) => this.standing.at(tile));
    const works = lines.some((line) => line.order?.order === "work") || (!lines.length && this.wishes("work", tiles).length > 0);
    this.routed(plans.add(this, this.props(), { kind: works ? "work" : "mine", tiles }));
  }

  private route(kind: "march" | "feed"): void {
    if (!this.open || !this.subjects.length) return;
    if (!this.own.length) this.select([...this.subjects]);
    plans.begin(this, kind);
  }

  /** The tiles that a key acts on. */
  get subjects(): readonly number[] {
    if (this.own.length) return this.own;
    return this.commands(this.here) ? [this.here] : [];
  }

  /** The tiles for an order: existing orders are replaced only on selected tiles. */
  private get ready(): readonly number[] {
    const idle = this.own.length > 0 || this.free(this.here) > 0;
    if (!idle) this.tell(words.ALL_ORDERED);
    return idle ? this.subjects : [];
  }

  /** Starts a building on the one selected tile, and asks which way it should extend if there is a choice. */
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

  /** Cancels typing, a drag, a question or the selection. Returns whether there was anything. */
  cancel(): boolean {
    if (this.typed) this.typed = "";
    else if (plans.cancel()) return true;
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
