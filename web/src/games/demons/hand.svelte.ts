// A person's actions on the board: what they point at, what they have picked, and the orders they give. The picked tower or
// the selected tile is `selected`, which board, tools and side share: a kind of tower, or a place.

import { name } from "../../lib/words";
import type { BoardProps, Question, SideProps, Status } from "../contract";
import { directions, told, wordFor } from "./directions.svelte";
import { COMPASS, groundOf, placeName, placeOf, type Point } from "./geometry";
import { run } from "./run.svelte";
import * as sheet from "./sheet";
import type { Order, Setting, View } from "./wire";
import * as words from "./words";

export const KEYS: Readonly<Record<string, string>> = { h: "house", x: "crossbow", c: "cannon", g: "minigun", u: "church" };
const COMPASS_KEYS = "nesw";
const RELATIVE_KEYS: Readonly<Record<string, string>> = { a: "ahead", r: "right", b: "back", l: "left" };

type Asked = Pick<Question, "title" | "text" | "choices">;
type Props = SideProps<Setting, View, Order>;

/** What the pointer is on in the tools: a kind of tower, or a compass letter. The board says what it costs and does. */
class Shelf {
  at = $state<string | null>(null);
}

export const shelf = new Shelf();

/** Giving orders, from the board or from the tools. */
export class Deeds {
  constructor(protected readonly given: () => Props) {}

  // Props are new with every frame; what is derived from these changes only when they change.
  private readonly setting = $derived.by(() => this.given().setting);
  private readonly selected = $derived.by(() => this.given().selected);

  readonly ground = $derived.by(() => groundOf(this.setting.rows));

  readonly choices = $derived.by((): sheet.Choices => {
    const { orders, frame } = this.given();
    return sheet.choicesOf(orders, frame.number);
  });

  readonly telling = $derived.by((): words.Telling => {
    const { setting, view, you, orders } = this.given();
    return { setting, ground: this.ground, view, you, orders, choices: this.choices };
  });

  /** Whether orders can be given now. */
  get open(): boolean {
    return this.given().orders?.open === true;
  }

  /** The picked kind of tower. */
  readonly tool = $derived.by((): string | null => {
    return this.open && this.selected !== null && this.selected in this.setting.towers ? this.selected : null;
  });

  /** The selected place. */
  readonly place = $derived.by((): string | null => (this.selected?.includes(",") ? this.selected : null));

  /** The compass letter of the mercenary on the sheet, if there is one. */
  get hired(): string | null {
    const { orders, setting, you } = this.given();
    const line = sheet.lineOf(orders?.lines ?? [], "hire");
    if (line?.order?.order !== "hire") return null;
    return setting.directions[you ?? ""]?.[line.order.direction] ?? line.order.direction;
  }

  /** Picks a tower; puts it back if it was picked; builds it if a tile for it is selected. */
  take(kind: string): void {
    const { select, selected } = this.given();
    if (!this.open) return;
    if (this.place && this.choices.sites.get(kind)?.has(this.place)) this.build(kind, this.place);
    else select(selected === kind ? null : kind);
  }

  build(kind: string, place: string): void {
    const { orders, select } = this.given();
    if (!orders || !this.open) return;
    const option = this.choices.sites.get(kind)?.get(place);
    sheet.give(orders, sheet.buildAt(kind, ...placeOf(place)), option?.figures);
    select(null);
  }

  destroy(place: string): void {
    const { orders, select } = this.given();
    const option = this.choices.destroys.get(place);
    if (!orders || !this.open || !option) return;
    sheet.give(orders, sheet.destroyAt(...placeOf(place)), option.figures);
    select(null);
  }

  /** Hires by compass letter; the same letter again cancels it. */
  hire(letter: string): void {
    const { orders, setting, you, select } = this.given();
    if (!orders || !this.open || !you) return;
    const line = sheet.lineOf(orders.lines, "hire");
    if (line && this.hired === letter) orders.strike(line.key);
    else {
      const way = directions.relative ? wordFor(setting, you, letter) : letter;
      sheet.give(orders, sheet.hireTo(way), this.choices.hires.get(letter)?.figures);
    }
    if (this.place) select(null);
  }

  /** Whether demons can be provoked now, or a line of the sheet already does so. */
  get mayProvoke(): boolean {
    return this.choices.provoke !== null || sheet.lineOf(this.given().orders?.lines ?? [], "provoke") !== null;
  }

  provoke(): void {
    const { orders } = this.given();
    if (!orders || !this.open) return;
    const line = sheet.lineOf(orders.lines, "provoke");
    if (line) orders.strike(line.key);
    else if (this.choices.provoke) orders.add(this.choices.provoke.order, this.choices.provoke.figures);
  }

  /** Cancels the order at a place; at your base, the mercenary. Returns whether there was one. */
  takeBack(place: string): boolean {
    const { orders, view, you } = this.given();
    if (!orders || !this.open) return false;
    const base = you ? view.bases[you] : undefined;
    const hire = base && placeName(base.x, base.y) === place ? sheet.lineOf(orders.lines, "hire") : null;
    const line = sheet.linesAt(orders.lines, place)[0] ?? hire;
    if (line) orders.strike(line.key);
    return line !== null;
  }
}

export class Hand extends Deeds {
  /** The tile under the pointer. */
  hover = $state<string | null>(null);
  /** The tile under the keyboard cursor, once it has been used. */
  cursor = $state<string | null>(null);
  /** The cursor is shown while the keyboard is used. */
  keyed = $state(false);
  /** The board was last touched by a finger. */
  finger = $state(false);

  constructor(private readonly props: () => BoardProps<Setting, View, Order>) {
    super(props);
  }

  override get open(): boolean {
    return super.open && !this.props().playing;
  }

  /** Where the keyboard cursor is. */
  readonly here = $derived.by(() => {
    const { view, you } = this.props();
    const base = view.bases[you ?? "red"];
    return this.cursor ?? this.place ?? placeName(base?.x ?? 0, base?.y ?? 0);
  });

  /** The tile under the pointer or the cursor. */
  readonly pointed = $derived.by(() => this.hover ?? (this.keyed ? this.here : null));

  /** The tiles where the picked tower can be built. */
  readonly sites = $derived.by((): readonly string[] => {
    return this.tool ? [...(this.choices.sites.get(this.tool)?.keys() ?? [])] : [];
  });

  /** The exits of your base by tile, while the base is selected. */
  readonly exits = $derived.by((): ReadonlyMap<string, string> => {
    const { view, you } = this.props();
    const base = you ? view.bases[you] : undefined;
    if (!base || !this.open || this.place !== placeName(base.x, base.y)) return new Map();
    const ways = [...this.choices.hires.keys()].map((letter): [string, string] => {
      const [dx, dy] = COMPASS[letter] as Point;
      return [placeName(base.x + dx, base.y + dy), letter];
    });
    return new Map(ways);
  });

  /** The tower whose range is shown: one under the pointer or on the selected tile, or the picked one. */
  readonly ranged = $derived.by((): { kind: string; place: string } | null => {
    const { view } = this.props();
    const at = this.pointed;
    if (this.tool && at && this.choices.sites.get(this.tool)?.has(at)) return { kind: this.tool, place: at };
    for (const place of [at, this.place]) {
      const tower = place ? words.on(view, place).tower : undefined;
      if (tower && place) return { kind: tower.kind, place };
    }
    return null;
  });

  // ---- words

  readonly status = $derived.by((): Status | null => {
    const { orders, setting } = this.props();
    const offer = this.open && shelf.at !== this.tool && shelf.at !== this.hired ? shelf.at : null;
    if (offer) return offer in setting.towers ? words.offering(this.telling, offer) : words.hiring(this.telling, offer);
    const at = this.pointed;
    const place = at ?? this.place;
    const refused = place ? sheet.linesAt(orders?.lines ?? [], place).find((line) => line.fault) : undefined;
    if (refused) return words.refusal(refused);
    const exit = at ? this.exits.get(at) : undefined;
    if (exit) return words.hiring(this.telling, exit);
    if (this.tool && (at === null || this.keyed || !this.taken(at))) return words.building(this.telling, this.tool, at);
    if (place) return words.looking(this.telling, place, place === this.place);
    const bad = orders?.lines.find((line) => line.fault);
    return bad ? words.refusal(bad) : words.due(this.telling);
  });

  private taken(place: string): boolean {
    return Object.keys(words.on(this.props().view, place)).length > 0;
  }

  /** What mouse and touch can do with the selection; the keyboard has its own shortcuts. */
  readonly question = $derived.by((): Question | null => {
    const { view, you, select } = this.props();
    const place = this.place;
    if (!this.open || !place || !you) return null;
    const { tower } = words.on(view, place);
    const { title, text, choices } = tower ? this.destroying(tower.kind, place) : this.exits.size ? this.hiring(you) : this.filling(place);
    if (!choices.length) return null;
    return { title, text, choices, usual: -1, choose: (deed: () => void) => deed(), dismiss: () => select(null) };
  });

  private destroying(kind: string, place: string): Asked {
    const option = this.choices.destroys.get(place);
    const label = `Destroy, ${option?.figures?.["back"]} back`;
    const choice = { label, title: `Destroy the ${kind} at ${place}`, value: () => this.destroy(place) };
    return { title: `${name(kind)} at ${place}`, text: "yours", choices: option ? [choice] : [] };
  }

  private hiring(seat: string): Asked {
    const { setting } = this.props();
    const choices = [...this.exits.values()].map((letter) => {
      const way = told(setting, seat, letter);
      return { label: name(way), title: words.sends(way, true), value: () => this.hire(letter) };
    });
    return { title: "Send a mercenary", text: words.gold(setting.guide?.mercenary.price ?? 0), choices };
  }

  private filling(place: string): Asked {
    const kinds = [...this.choices.sites].filter(([, sites]) => sites.has(place));
    const choices = kinds.map(([kind, sites]) => {
      const price = sites.get(place)?.figures?.["price"] ?? "";
      return {
        label: `${name(kind)} ${price}`,
        title: `Build a ${kind} at ${place} for ${words.gold(price)}`,
        value: () => this.build(kind, place),
      };
    });
    return { title: `Build at ${place}`, text: "", choices };
  }

  // ---- actions

  /** Chooses a tile, as a click or Enter does. */
  choose(place: string): void {
    const { select } = this.props();
    const exit = this.exits.get(place);
    if (exit) return this.hire(exit);
    const tool = this.tool;
    // A tile that the server didn't list is ordered all the same: the server says why it can't be.
    if (tool && (this.choices.sites.get(tool)?.has(place) || !this.taken(place))) return this.build(tool, place);
    select(place === this.place ? null : place);
  }

  /** A letter that stands for an order here. */
  letter(key: string): boolean {
    const { setting, you } = this.props();
    if (!this.open || !you) return false;
    const kind = KEYS[key];
    const word = RELATIVE_KEYS[key];
    if (kind && kind in setting.towers) this.take(kind);
    else if (COMPASS_KEYS.includes(key)) this.hire(key.toUpperCase());
    else if (word && setting.directions[you]?.[word]) this.hire(setting.directions[you][word]);
    else if (key === "p" && this.mayProvoke) this.provoke();
    else if (key === "o") run.start(this.props());
    else return false;
    return true;
  }

  /** Delete: cancels the order here, or destroys your tower here. */
  remove(): void {
    const place = this.keyed ? this.here : (this.place ?? this.hover);
    if (place && !this.takeBack(place)) this.destroy(place);
  }

  /** Clears the selection. Returns whether there was one. */
  cancel(): boolean {
    const { selected, select } = this.props();
    if (selected === null) return false;
    select(null);
    return true;
  }
}
