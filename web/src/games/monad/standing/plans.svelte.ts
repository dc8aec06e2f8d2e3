// The standing orders of a table: kept in this browser, and written out on each new sheet, where they are lines like
// any others. The board follows them; tools and side show them and change them.

import { untrack } from "svelte";
import { keep, kept } from "../../../lib/store";
import type { SideProps } from "../../contract";
import type { Deeds } from "../deeds.svelte";
import { handed, type Deed } from "../sheet";
import type { Order, Setting, View } from "../wire";
import { inTurn, isStanding, written, type Given, type Scene, type StandingOrder } from "./orders";
import { through } from "./route";

type Props = SideProps<Setting, View, Order>;
// Each member on its own: Omit would forget what only some of them have.
type New<T> = T extends StandingOrder ? Omit<T, "id" | "on"> : never;
export type NewOrder = New<StandingOrder>;

const LOADING = 250; // ms until the record is looked at again, where it is still being loaded

interface Kept {
  orders: StandingOrder[];
  /** The step whose sheet they have been written on, and what each of them gave. */
  step: number;
  given: [number, Given][];
}

/** A route that is being drawn: for which stacks, and the tiles it goes through. */
export interface Draft {
  readonly kind: "march" | "feed";
  readonly from: readonly number[];
  readonly via: readonly number[];
}

class Plans {
  orders = $state.raw<readonly StandingOrder[]>([]);
  given = $state.raw<ReadonlyMap<number, Given>>(new Map());
  /** The sheet they have been written on. */
  private step = $state(-1);
  draft = $state.raw<Draft | null>(null);
  /** How many stay behind when a front is fed. */
  stay = $state(0);
  wary = $state(true);
  private key = "";
  /** Grows when a part of the record was missing and may have been loaded by now. */
  private again = $state(0);

  /** Writes them on every new sheet, as long as the board is there. Call it where effects are allowed. */
  follow(deeds: Deeds, props: () => Props): void {
    $effect(() => {
      const { orders, you } = props();
      if (orders && you) untrack(() => this.load(deeds, props()));
    });
    $effect(() => {
      const { orders, frame } = props();
      // A filed sheet is left alone, and so is one whose last change hasn't been checked.
      if (!orders?.open || orders.pending || orders.state === "filed" || this.step === frame.number) return;
      void this.again;
      if (this.orders.length) untrack(() => this.write(deeds, props()));
    });
    $effect(() => {
      void props().frame.number;
      untrack(() => (this.draft = null)); // the stacks it was drawn for may be elsewhere
    });
  }

  private load(deeds: Deeds, { orders, you }: Props): void {
    const key = `monad.standing.${orders!.table}.${you}`;
    if (key === this.key) return;
    this.key = key;
    const before = kept<Partial<Kept>>(key);
    this.orders = (before?.orders ?? []).filter((order) => isStanding(deeds.position, order));
    this.given = new Map(before?.given ?? []);
    this.step = before?.step ?? -1;
  }

  private save(): void {
    const all: Kept = { orders: [...this.orders], step: this.step, given: [...this.given] };
    keep(this.key, this.orders.length ? all : null);
  }

  // ---- the sheet

  private scene(deeds: Deeds, { frame, frames, you }: Props, replaced: ReadonlySet<number> = new Set()): Scene {
    return {
      position: deeds.position,
      you: you!,
      listed: (tile: number, deed: Deed) => deeds.choices.find(tile, deed, deeds.free(tile)),
      asked: (tile) => (replaced.has(tile) ? 0 : deeds.standing.asked(tile)),
      frame: frame.number,
      frames,
    };
  }

  /** A new turn: what ended in the last one goes, and the others are written out. */
  private write(deeds: Deeds, props: Props): void {
    const going = this.orders.filter((order) => !this.given.get(order.id)?.ended);
    const found = written(this.scene(deeds, props), going);
    if (!found) return void setTimeout(() => this.again++, LOADING);
    this.orders = going;
    this.given = found;
    this.step = props.frame.number;
    this.save();
    const lines = inTurn(going).flatMap((order) => found.get(order.id)?.orders ?? []);
    if (lines.length) props.orders!.set([...props.orders!.lines.map(handed), ...lines]);
  }

  /** One of them, on the sheet as it is now. Units that were chosen for it and have other orders get these instead. */
  private writeOne(deeds: Deeds, props: Props, order: StandingOrder): void {
    if (!props.orders?.open) return;
    const starts = startsOf(order);
    const replaced = new Set(starts.every((tile) => deeds.free(tile) <= 0) ? starts : []);
    const given = written(this.scene(deeds, props, replaced), [order])?.get(order.id);
    if (!given) return;
    this.given = new Map(this.given).set(order.id, given);
    const gone = new Set(given.orders.length ? [...replaced].flatMap((tile) => deeds.standing.at(tile).map((line) => line.key)) : []);
    if (!given.orders.length) return;
    const lines = props.orders.lines.filter((line) => !gone.has(line.key)).map(handed);
    props.orders.set([...lines, ...given.orders]);
  }

  /** Takes the lines of one off the sheet, those that the person has changed excepted. */
  private unwrite(props: Props, id: number): void {
    const { orders } = props;
    const wrote = (this.given.get(id)?.orders ?? []).map(whole);
    if (!orders?.open || !wrote.length || this.step !== props.frame.number) return;
    const lines = orders.lines.filter((line) => {
      const at = line.order ? wrote.indexOf(whole(line.order)) : -1;
      if (at >= 0) wrote.splice(at, 1);
      return at < 0;
    });
    if (lines.length < orders.lines.length) orders.set(lines.map(handed));
  }

  /** How many lines of each are on the sheet: other orders may have taken their place, or the person has changed them. */
  onSheet({ orders, frame }: Props): ReadonlyMap<number, number> {
    const lines = (orders?.lines ?? []).flatMap(({ order }) => (order ? [whole(order)] : []));
    const found = new Map<number, number>();
    for (const { id } of this.step === frame.number ? inTurn(this.orders) : []) {
      const there = (this.given.get(id)?.orders ?? []).filter((order) => {
        const at = lines.indexOf(whole(order));
        if (at >= 0) lines.splice(at, 1);
        return at >= 0;
      });
      found.set(id, there.length);
    }
    return found;
  }

  // ---- what a person does

  /** A new one; if it stands already, that one, switched on. */
  add(deeds: Deeds, props: Props, order: NewOrder): StandingOrder {
    const old = this.orders.find(
      (one) => "tiles" in one && "tiles" in order && one.kind === order.kind && `${one.tiles}` === `${order.tiles}`,
    );
    if (old) {
      if (!old.on) this.switch(deeds, props, old.id);
      return old;
    }
    const id = 1 + Math.max(0, ...this.orders.map((one) => one.id));
    const made = { ...order, id, on: true } as StandingOrder;
    if (!this.orders.length) this.step = props.frame.number; // the others are on this sheet already, or will be
    this.orders = [...this.orders, made];
    this.writeOne(deeds, props, made);
    this.save();
    return made;
  }

  switch(deeds: Deeds, props: Props, id: number): void {
    const old = this.orders.find((order) => order.id === id);
    if (!old) return;
    this.put({ ...old, on: !old.on });
    if (old.on) {
      this.unwrite(props, id);
      this.given = new Map(this.given).set(id, { orders: [], why: "Switched off.", ended: false });
    } else this.writeOne(deeds, props, { ...old, on: true });
    this.save();
  }

  /** A march that halted goes on, whoever is near. */
  boldly(deeds: Deeds, props: Props, id: number): void {
    const old = this.orders.find((order) => order.id === id);
    if (old?.kind !== "march") return;
    this.put({ ...old, wary: false });
    this.writeOne(deeds, props, { ...old, wary: false });
    this.save();
  }

  drop(props: Props, id: number): void {
    this.unwrite(props, id);
    this.orders = this.orders.filter((order) => order.id !== id);
    this.save();
  }

  private put(order: StandingOrder): void {
    this.orders = this.orders.map((one) => (one.id === order.id ? order : one));
  }

  // ---- drawing a route

  begin(deeds: Deeds, kind: Draft["kind"]): void {
    const from = deeds.own;
    if (!from.length) return;
    const core = from.some((tile) => deeds.position.cover[tile] !== undefined);
    this.stay = core ? (deeds.position.setting.slots ?? 0) : 0; // the workers of a building stay in it
    this.draft = { kind, from, via: [] };
  }

  /** One more tile of the route; the last one again ends it. */
  through(deeds: Deeds, props: Props, tile: number): StandingOrder | null {
    if (!this.draft) return null;
    if (this.draft.via.at(-1) === tile) return this.finish(deeds, props);
    const via = [...this.draft.via, tile];
    if (this.paths(deeds, via).length) this.draft = { ...this.draft, via };
    return null;
  }

  /** The ways of all its stacks, through the tiles chosen so far. */
  paths(deeds: Deeds, via = this.draft?.via ?? []): number[][] {
    if (!this.draft || !via.length) return [];
    return this.draft.from.map((tile) => through(deeds.position, [tile, ...via])).filter((path) => path.length > 1);
  }

  finish(deeds: Deeds, props: Props): StandingOrder | null {
    const draft = this.draft;
    const paths = this.paths(deeds);
    this.draft = null;
    if (!draft || !paths.length) return null;
    if (draft.kind === "feed") return this.add(deeds, props, { kind: "feed", paths, stay: this.stay });
    const legs = paths.map((path) => ({ path, units: deeds.sharing(path[0]!) })).filter((leg) => leg.units > 0);
    return legs.length ? this.add(deeds, props, { kind: "march", legs, since: props.frame.number, wary: this.wary }) : null;
  }

  /** Whether there was a route to give up. */
  cancel(): boolean {
    const was = this.draft !== null;
    this.draft = null;
    return was;
  }
}

export const plans = new Plans();

/** The tiles whose units were chosen for a standing order; none if it is for all, and takes those that are idle. */
function startsOf(order: StandingOrder): number[] {
  if (order.kind === "march") return order.legs.map((leg) => leg.path[0]!);
  if (order.kind === "feed") return order.paths.map((path) => path[0]!);
  return order.tiles === "all" ? [] : [...order.tiles];
}

const whole = (order: object): string => JSON.stringify(Object.entries(order).sort());
