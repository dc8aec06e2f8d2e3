// A person's actions on the board: what they point at, what they have selected, and the orders they give.

import type { BoardProps, Question, Status } from "../contract";
import * as sheet from "./sheet";
import type { Order, Setting, View } from "./wire";
import * as words from "./words";

export class Hand {
  /** The hex under the pointer. */
  hover = $state<string | null>(null);
  /** The hex under the keyboard cursor, once it has been used. */
  cursor = $state<string | null>(null);
  /** The cursor is shown while the keyboard is used. */
  keyed = $state(false);
  /** The board was last touched by a finger. */
  finger = $state(false);
  /** The hex on which a note is being written. */
  writing = $state<string | null>(null);
  /** The march for which we ask how many. */
  private aimed = $state.raw<{ from: string; to: string } | null>(null);

  constructor(
    private readonly props: () => BoardProps<Setting, View, Order>,
    private readonly small: () => boolean,
  ) {}

  readonly scene = $derived.by<words.Scene>(() => {
    const { setting, view, you, orders, notes } = this.props();
    return { setting, view, you, orders, notes };
  });

  /** Where the keyboard cursor is. */
  readonly here = $derived.by(() => {
    const { setting, selected, you } = this.props();
    return this.cursor ?? selected ?? (you && setting.bases[you]) ?? setting.centre;
  });

  /** Where the selected army may go. */
  readonly ways = $derived.by((): ReadonlyMap<string, sheet.Way> => {
    const { selected, orders } = this.props();
    if (!selected || !this.commands(selected)) return new Map();
    return sheet.waysFrom(orders, selected, words.freeAt(this.scene, selected));
  });

  /** The way for which we ask how many. */
  readonly way = $derived.by((): sheet.Way | null => {
    const { selected } = this.props();
    return this.aimed && this.aimed.from === selected ? (this.ways.get(this.aimed.to) ?? null) : null;
  });

  /** Whether orders can be given now. */
  get open(): boolean {
    const { orders, playing } = this.props();
    return orders?.open === true && !playing;
  }

  /** Whether the army on this hex can be given orders now. */
  commands(hex: string): boolean {
    return this.open && words.isArmy(this.scene, hex);
  }

  // ---- words

  readonly status = $derived.by((): Status | null => {
    const { selected } = this.props();
    const on = this.hover ?? (this.keyed ? this.here : null);
    if (this.way && (on === null || on === this.way.to)) return words.aiming(this.scene, this.way);
    const target = on !== null && on !== selected ? this.ways.get(on) : undefined;
    if (target) return words.aiming(this.scene, target);
    const hex = on ?? selected;
    if (hex === null) return null;
    const refused = words.refusal(this.scene, hex);
    return refused ?? (hex === selected ? words.chosen(this.scene, hex, this.ways) : words.looking(this.scene, hex));
  });

  /** How many to send; on touch screens, also what else can be done. Mouse and keyboard have their own ways for that. */
  readonly question = $derived.by((): Question | null => {
    const { selected } = this.props();
    if (this.way) return this.howMany(this.way);
    return selected && this.open && (this.finger || this.small()) ? this.whatElse(selected) : null;
  });

  private howMany(way: sheet.Way): Question {
    const numbers = sheet.choices(way);
    return {
      title: `${way.from} to ${way.to}`,
      text: "how many?",
      choices: numbers.map((number) => ({
        label: String(number),
        title: words.choiceWords(number, sheet.chanceOf(way.figures, number)),
        value: number,
      })),
      usual: numbers.length - 1,
      choose: (number: number) => this.give(way, number),
      dismiss: () => this.lower(),
    };
  }

  private whatElse(hex: string): Question | null {
    const { orders, notes, select } = this.props();
    const choices: Question["choices"][number][] = [];
    const lines = sheet.linesAt(orders!.lines, hex).length;
    if (sheet.mayBless(orders, hex)) choices.push({ label: "Bless", title: "+0.5 in a battle on this hex", value: () => this.bless(hex) });
    if (lines) choices.push({ label: "Cancel orders", title: words.backWords(lines, hex), value: () => this.takeBack(hex) });
    if (notes) choices.push({ label: "Note", title: "Write a note for yourself", value: () => this.write(hex) });
    if (!choices.length) return null;
    const text = words.isArmy(this.scene, hex) ? "choose a neighbouring hex, or:" : "";
    return { title: hex, text, choices, usual: -1, choose: (act: () => void) => act(), dismiss: () => select(null) };
  }

  // ---- actions

  /** Chooses a hex, as a click or Enter does: a target of the selected army, or something new. */
  choose(hex: string): void {
    const { selected, select } = this.props();
    if (this.way && hex === this.way.to) return this.give(this.way, this.way.most);
    const target = hex === selected ? undefined : this.ways.get(hex);
    if (target) return this.aim(target);
    this.lower();
    select(hex === selected ? null : hex);
  }

  aim(target: sheet.Way): void {
    if (target.most === 1 && !target.line) this.give(target, 1);
    else this.aimed = target;
  }

  /** Stops asking for a number. */
  lower(): void {
    this.aimed = null;
  }

  /** Orders a march and deselects the army, so that the next click isn't taken for another order to it. */
  give(way: sheet.Way, number: number): void {
    const { orders, select } = this.props();
    this.lower();
    if (!orders || !this.open || number > way.most) return;
    if (number > 0) sheet.send(orders, way, number);
    else if (way.line) orders.strike(way.line.key);
    select(null);
  }

  /** A digit: the number for the target in question, or for the one under the pointer. */
  count(number: number): boolean {
    const target = this.way ?? this.ways.get(this.keyed ? this.here : (this.hover ?? ""));
    if (!target || !sheet.choices(target).includes(number)) return this.way !== null;
    this.give(target, number);
    return true;
  }

  bless(hex: string): void {
    const { orders } = this.props();
    if (orders && this.open && sheet.mayBless(orders, hex)) sheet.bless(orders, hex);
  }

  takeBack(hex: string): void {
    const { orders } = this.props();
    this.lower();
    if (orders && this.open) sheet.takeBack(orders, hex);
  }

  write(hex: string): void {
    if (this.props().notes) this.writing = hex;
  }

  /** A note is finished; null leaves it as it was. */
  written(hex: string, text: string | null): void {
    const { notes, note } = this.props();
    this.writing = null;
    if (text !== null && text !== (notes?.[hex] ?? "")) note(hex, text);
  }

  /** Cancels the question, then the selection. Returns whether there was anything to cancel. */
  cancel(): boolean {
    const { selected, select } = this.props();
    if (!this.way && !selected) return false;
    if (this.way) this.lower();
    else select(null);
    return true;
  }

  /** The hex that a key acts on. */
  get subject(): string {
    return this.keyed ? this.here : (this.props().selected ?? this.here);
  }
}
