// A person's actions on a picture: what they point at, what they have selected, and the orders they give.

import { momentOf } from "../../lib/scene";
import type { BoardProps, DraftLine, Question, Status } from "../contract";
import { bare, choicesOf, isCounted, numbersOf, orderOf, placesOf, type Choice } from "./choices";
import { pictureOf, type Picture, type Place } from "./picture";

const WHICH = 9; // orders offered by the question; the list has them all

export class Hand {
  hover = $state<string | null>(null);
  cursor = $state<string | null>(null);
  keyed = $state(false);
  finger = $state(false);
  /** The orders between two places, one of which is to be chosen. */
  private aimed = $state.raw<readonly Choice[]>([]);

  constructor(private readonly props: () => BoardProps) {}

  readonly picture = $derived.by((): Picture | null => {
    const { playing, frame } = this.props();
    return pictureOf(playing ? playing.before : frame);
  });
  readonly places = $derived(new Map((this.picture?.places ?? []).map((place) => [place.name, place])));

  /** Whether orders can be given now. */
  get open(): boolean {
    const { orders, playing } = this.props();
    return orders?.open === true && !playing;
  }

  readonly choices = $derived.by(() => (this.open ? choicesOf(this.props().orders!.options, this.places) : []));

  /** The orders from the selected place, by the other place. */
  readonly targets = $derived.by((): ReadonlyMap<string, readonly Choice[]> => {
    const { selected } = this.props();
    const found = new Map<string, Choice[]>();
    for (const choice of this.choices) {
      const [from, to] = choice.places;
      if (selected && from === selected && to) found.set(to, [...(found.get(to) ?? []), choice]);
    }
    return found;
  });

  /** Places where an order can begin. */
  readonly starts = $derived(new Set(this.choices.flatMap(({ places }) => places.slice(0, 1))));

  /** Where the keyboard cursor is. */
  readonly here = $derived.by((): string => {
    const { selected } = this.props();
    const first = this.picture?.places.find(({ name }) => this.starts.has(name)) ?? this.picture?.places[0];
    const at = this.cursor ?? selected ?? first?.name ?? "";
    return this.places.has(at) ? at : (first?.name ?? "");
  });

  /** The lines of the sheet with the places that they name. */
  readonly plans = $derived.by((): readonly { line: DraftLine; places: readonly Place[] }[] =>
    (this.props().orders?.lines ?? []).flatMap((line) => {
      const places = placesOf(line.order, this.places).map((name) => this.places.get(name)!);
      return places.length && !line.fault ? [{ line, places }] : [];
    }),
  );

  readonly moment = $derived.by(() => {
    const { playing } = this.props();
    return playing ? momentOf(playing, () => []) : null;
  });

  // ---- words

  readonly status = $derived.by((): Status | null => {
    const { selected, playing } = this.props();
    if (playing) {
      const told = this.moment?.events.map((event) => event.words).join(" ");
      return { subject: `${playing.stages[playing.index]?.name ?? ""}.`, text: told ?? "" };
    }
    const on = this.hover ?? (this.keyed ? this.here : null) ?? selected;
    const place = on === null ? undefined : this.places.get(on);
    if (!place) return null;
    const found = on === selected ? undefined : this.targets.get(place.name);
    const first = found?.[0];
    if (first && found.length === 1) return { subject: `${place.label}.`, text: `Order ${bare(first.option.text, first.option.least)}.` };
    if (found) return { subject: `${place.label}.`, text: `${found.length} possible orders.` };
    if (place.name === selected) return { subject: `${place.label}.`, text: this.targets.size ? "Choose a destination." : "" };
    return { subject: `${place.label}.`, text: this.starts.has(place.name) ? "Select it to give orders." : "" };
  });

  readonly question = $derived.by((): Question | null => {
    const [first, ...others] = this.aimed;
    if (!first || !this.open) return null;
    const title = first.places.slice(0, 2).join(" to ");
    const dismiss = () => this.lower();
    if (others.length)
      return {
        title,
        text: "which order?",
        choices: this.aimed.slice(0, WHICH).map((choice) => ({ label: choice.option.text, value: choice })),
        usual: 0,
        choose: (choice: Choice) => this.aim([choice]),
        dismiss,
      };
    const numbers = numbersOf(first.option);
    return {
      title,
      text: "how many?",
      choices: numbers.map((number) => ({ label: String(number), value: number })),
      usual: numbers.length - 1,
      choose: (number: number) => this.give(first, number),
      dismiss,
    };
  });

  // ---- actions

  /** Chooses a place, as a click or Enter does: a destination, or something new. */
  choose(name: string): void {
    const { selected, select } = this.props();
    const found = name === selected ? undefined : this.targets.get(name);
    if (found) return this.aim(found);
    this.lower();
    select(name === selected ? null : name);
  }

  aim(choices: readonly Choice[]): void {
    const [first, ...others] = choices;
    if (first && !others.length && !isCounted(first.option)) this.give(first);
    else this.aimed = choices;
  }

  lower(): void {
    this.aimed = [];
  }

  give({ option }: Choice, number: number | null = null): void {
    const { orders, select } = this.props();
    this.lower();
    if (!orders || !this.open) return;
    orders.add(orderOf(option, number), option.figures);
    select(null);
  }

  /** A digit: this many to the place under the cursor or the pointer. */
  count(number: number): boolean {
    const [first, ...others] = this.targets.get(this.keyed ? this.here : (this.hover ?? "")) ?? [];
    const { least, most } = first?.option ?? {};
    if (!first || others.length || least == null || most == null || number < least || number > most) return false;
    this.give(first, number);
    return true;
  }

  /** Cancels the last order that begins at a place. */
  takeBack(name: string): void {
    const { orders } = this.props();
    this.lower();
    const line = this.plans.findLast(({ places }) => places[0]!.name === name)?.line;
    if (orders && line && this.open) orders.strike(line.key);
  }

  /** Cancels the question, then the selection. Returns whether there was anything to cancel. */
  cancel(): boolean {
    const { selected, select } = this.props();
    if (this.aimed.length) this.lower();
    else if (selected) select(null);
    else return false;
    return true;
  }
}
