// Giving orders, from the board or from the tools. The selected tiles are `selected`, which board, tools and side share:
// their names separated by spaces.

import type { SideProps, Status } from "../contract";
import { ACROSS, nameOf, tileAt, tileOf } from "./geometry";
import { positionOf, type Position } from "./position";
import * as sheet from "./sheet";
import { part, shows } from "./shows.svelte";
import { repeated, repeatedWords } from "./standing/repeat";
import { KIND_WORDS, kindOf, stacksOf, type Kind } from "./standing/kinds";
import type { Order, Setting, View } from "./wire";
import * as words from "./words";

type Side = SideProps<Setting, View, Order>;

const ASKED = 5; // tiles for which we ask the server why an order isn't legal

/** The result of the last order, for the status line; both board and tools give orders. */
class News {
  latest = $state.raw<{ said: Status | null; refused: readonly number[]; step: number; lines: number } | null>(null);
}
const news = new News();

export class Deeds {
  private readonly notebook = new sheet.Notebook();

  constructor(protected readonly given: () => Side) {}

  readonly position = $derived.by((): Position => positionOf(this.given().setting, this.given().view));

  readonly choices = $derived.by((): sheet.Choices => {
    const { orders, setting, frame } = this.given();
    return this.notebook.take(setting, orders?.options ?? [], frame.number);
  });

  readonly standing = $derived.by(() => new sheet.Standing(this.given().setting, this.given().orders?.lines ?? []));

  /** The selected tiles. */
  readonly area = $derived.by((): readonly number[] => {
    const { selected, setting } = this.given();
    return (selected ?? "").split(" ").flatMap((place) => tileOf(setting, place) ?? []);
  });

  /** Those with units that can be given orders. */
  readonly own = $derived.by((): readonly number[] => this.area.filter((tile) => this.commands(tile)));

  /** Whether orders can be given now. */
  get open(): boolean {
    return this.given().orders?.open === true;
  }

  units(tile: number): number {
    return this.position.stacks[tile]?.units ?? 0;
  }

  free(tile: number): number {
    return Math.max(0, this.units(tile) - this.standing.asked(tile));
  }

  /** How many units of a tile an order takes: a share of the idle ones, or of all if none are idle. */
  sharing(tile: number): number {
    return part(shows.share, this.free(tile) || this.units(tile));
  }

  /** Whether you have units there that can be given orders now. */
  commands(tile: number): boolean {
    return this.open && this.position.stacks[tile]?.owner === this.given().you;
  }

  select(tiles: readonly number[]): void {
    const { select, setting } = this.given();
    news.latest = null;
    select(tiles.length ? tiles.map((tile) => nameOf(setting, tile)).join(" ") : null);
  }

  /** Selects all your stacks, or those with idle units. */
  everything(idle: boolean): void {
    const { view, you, setting } = this.given();
    const tiles = view.stacks.filter((stack) => stack.owner === you).map(({ x, y }) => tileAt(setting, x, y));
    const wanted = idle ? tiles.filter((tile) => this.free(tile) > 0) : tiles;
    this.select(wanted);
    if (tiles.length && !wanted.length) this.tell(words.ALL_ORDERED);
  }

  /** Selects all your stacks of a kind. */
  kind(kind: Kind): void {
    const { you } = this.given();
    const tiles = you ? stacksOf(this.position, you, kind) : [];
    this.select(tiles);
    if (!tiles.length) this.tell({ text: `Nothing to select: ${KIND_WORDS[kind][1]}.` });
  }

  /** Selects all your stacks of the same kind as the one on a tile. */
  alike(tile: number): void {
    const { you } = this.given();
    if (you && this.commands(tile)) this.kind(kindOf(this.position, tile, you));
  }

  // ---- orders

  /** Gives the orders of the last turn again, as far as they are legal now. */
  repeat(): void {
    const { orders, frame, you } = this.given();
    if (!orders || !this.open || !you) return;
    const again = repeated(this.position, frame, you, this.choices, (tile) => this.free(tile));
    if (again.orders.length) orders.set([...orders.lines.map(sheet.handed), ...again.orders]);
    this.tell({ seat: you, subject: "Repeat.", text: repeatedWords(again) });
  }

  /** The result of the last order, until you do something else or point elsewhere. */
  get heard(): Status | null {
    const { orders, frame } = this.given();
    const { latest } = news;
    if (latest?.step !== frame.number || latest.lines !== orders?.lines.length) return null;
    return latest.said ?? this.refusal(latest.refused);
  }

  /** Shows a message once, or notes tiles whose orders will probably be refused. */
  protected tell(said: Status | null, refused: readonly number[] = []): void {
    const { orders, frame } = this.given();
    news.latest = orders ? { said, refused, step: frame.number, lines: orders.lines.length } : null;
  }

  /** Why an order on one of these tiles is invalid. */
  protected refusal(tiles: readonly number[]): Status | null {
    for (const tile of tiles) {
      const line = this.standing.at(tile).find((one) => one.fault);
      if (line?.fault) return { refused: true, subject: `${line.text}.`, text: line.fault.why, rule: line.fault.rule };
    }
    return null;
  }

  wishes(deed: sheet.Deed, tiles = this.own, share = shows.share): sheet.Wish[] {
    if (!this.open) return [];
    return sheet.wishes(this.choices, this.standing, (tile) => this.units(tile), tiles, deed, share);
  }

  /** The directions in which a building on a tile could extend. */
  blocks(tile: number): string[] {
    return Object.keys(ACROSS).filter((direction) => this.choices.find(tile, `build ${direction}`, this.free(tile)) !== undefined);
  }

  /** Gives an order to every tile for which it is legal. If it is legal for none, finds out why. */
  give(deed: sheet.Deed, tiles = this.own, share = shows.share): void {
    const { orders, you } = this.given();
    if (!orders || !this.open || !tiles.length) return;
    const wished = this.wishes(deed, tiles, share);
    if (!wished.length) return this.explain(deed, tiles);
    sheet.give(orders, this.standing, wished);
    this.tell(words.givenWords(this.position, wished, tiles.length, you));
  }

  /** The server says why a submitted order is invalid; a merely pointless order isn't submitted. */
  private explain(deed: sheet.Deed, tiles: readonly number[]): void {
    const { orders, setting } = this.given();
    const idle = deed === "mine" || (deed === "work" && tiles.some((tile) => this.choices.ever(tile, deed)));
    if (idle) return this.tell(words.idleWords(this.position, deed, tiles));
    if (!orders) return;
    const asked = tiles.slice(0, ASKED).filter((tile) => !this.standing.at(tile).some((line) => line.fault));
    orders.set([...orders.lines.map(sheet.handed), ...asked.map((tile) => sheet.orderFor(setting, tile, deed))]);
    this.tell(null, tiles);
  }

  takeBack(tiles: readonly number[]): void {
    const { orders, you } = this.given();
    const gone = orders && this.open ? sheet.takeBack(orders, this.standing, tiles) : 0;
    if (gone) this.tell(words.backWords(gone, you));
  }
}
