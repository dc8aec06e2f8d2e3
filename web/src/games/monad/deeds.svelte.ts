// What can be done with the sheet, from the board or from the tools. The chosen tiles are `selected`, which board, tools
// and side share: their names with spaces between.

import type { SideProps } from "../contract";
import { ACROSS, nameOf, tileAt, tileOf } from "./geometry";
import { positionOf, type Position } from "./position";
import * as sheet from "./sheet";
import { shows } from "./shows.svelte";
import type { Order, Setting, View } from "./wire";

type Side = SideProps<Setting, View, Order>;

export class Deeds {
  private readonly notebook = new sheet.Notebook();

  constructor(protected readonly given: () => Side) {}

  readonly position = $derived.by((): Position => positionOf(this.given().setting, this.given().view));

  readonly choices = $derived.by((): sheet.Choices => {
    const { orders, setting, frame } = this.given();
    return this.notebook.take(setting, orders?.options ?? [], frame.number);
  });

  readonly standing = $derived.by(() => new sheet.Standing(this.given().setting, this.given().orders?.lines ?? []));

  /** The tiles that are chosen. */
  readonly area = $derived.by((): readonly number[] => {
    const { selected, setting } = this.given();
    return (selected ?? "").split(" ").flatMap((place) => tileOf(setting, place) ?? []);
  });

  /** Those of them whose units can be ordered. */
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

  /** Whether own units stand there that can be ordered now. */
  commands(tile: number): boolean {
    return this.open && this.position.stacks[tile]?.owner === this.given().you;
  }

  select(tiles: readonly number[]): void {
    const { select, setting } = this.given();
    select(tiles.length ? tiles.map((tile) => nameOf(setting, tile)).join(" ") : null);
  }

  /** All own stacks, or those of which some units have no order. */
  everything(idle: boolean): void {
    const { view, you, setting } = this.given();
    const tiles = view.stacks.filter((stack) => stack.owner === you).map(({ x, y }) => tileAt(setting, x, y));
    this.select(idle ? tiles.filter((tile) => this.free(tile) > 0) : tiles);
  }

  // ---- orders

  wishes(deed: sheet.Deed, tiles = this.own, share = shows.share): sheet.Wish[] {
    if (!this.open) return [];
    return sheet.wishes(this.choices, this.standing, (tile) => this.units(tile), tiles, deed, share);
  }

  /** The directions in which a building could be founded on a tile. */
  blocks(tile: number): string[] {
    return Object.keys(ACROSS).filter(
      (direction) => this.choices.find(tile, `build ${direction}`, this.free(tile)) !== undefined,
    );
  }

  /** Gives an order to every chosen tile for which it is listed. Says whether there was any. */
  give(deed: sheet.Deed, tiles = this.own, share = shows.share): boolean {
    const { orders } = this.given();
    const wished = this.wishes(deed, tiles, share);
    if (!orders || !wished.length) return false;
    sheet.give(orders, this.standing, wished);
    return true;
  }

  takeBack(tiles: readonly number[]): boolean {
    const { orders } = this.given();
    return orders !== null && this.open && sheet.takeBack(orders, this.standing, tiles) > 0;
  }
}
