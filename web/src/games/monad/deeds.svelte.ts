// What can be done with the sheet, from the board or from the tools. The chosen tiles are `selected`, which board, tools
// and side share: their names with spaces between.

import type { SideProps, Status } from "../contract";
import { ACROSS, nameOf, tileAt, tileOf } from "./geometry";
import { positionOf, type Position } from "./position";
import * as sheet from "./sheet";
import { shows } from "./shows.svelte";
import type { Order, Setting, View } from "./wire";
import * as words from "./words";

type Side = SideProps<Setting, View, Order>;

const ASKED = 5; // tiles for which the server is asked why not

/** What came of the last order, for the status line; board and tools both order. */
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
    news.latest = null;
    select(tiles.length ? tiles.map((tile) => nameOf(setting, tile)).join(" ") : null);
  }

  /** All own stacks, or those of which some units have no order. */
  everything(idle: boolean): void {
    const { view, you, setting } = this.given();
    const tiles = view.stacks.filter((stack) => stack.owner === you).map(({ x, y }) => tileAt(setting, x, y));
    const wanted = idle ? tiles.filter((tile) => this.free(tile) > 0) : tiles;
    this.select(wanted);
    if (tiles.length && !wanted.length) this.tell(words.ALL_ORDERED);
  }

  // ---- orders

  /** What came of the last order, until something else is done or pointed at. */
  get heard(): Status | null {
    const { orders, frame } = this.given();
    const { latest } = news;
    if (latest?.step !== frame.number || latest.lines !== orders?.lines.length) return null;
    return latest.said ?? this.refusal(latest.refused);
  }

  /** Something to be said once, or tiles whose orders are expected to be refused. */
  protected tell(said: Status | null, refused: readonly number[] = []): void {
    const { orders, frame } = this.given();
    news.latest = orders ? { said, refused, step: frame.number, lines: orders.lines.length } : null;
  }

  /** Why an order on one of some tiles is void. */
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

  /** The directions in which a building could be founded on a tile. */
  blocks(tile: number): string[] {
    return Object.keys(ACROSS).filter((direction) => this.choices.find(tile, `build ${direction}`, this.free(tile)) !== undefined);
  }

  /** Gives an order to every chosen tile for which it is listed. Where it is for none, it is found out why. */
  give(deed: sheet.Deed, tiles = this.own, share = shows.share): void {
    const { orders, you } = this.given();
    if (!orders || !this.open || !tiles.length) return;
    const wished = this.wishes(deed, tiles, share);
    if (!wished.length) return this.explain(deed, tiles);
    sheet.give(orders, this.standing, wished);
    this.tell(words.givenWords(this.position, wished, tiles.length, you));
  }

  /** The server says why something is void when it is handed in; what would only be for nothing is not handed in. */
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
