// The legal orders from the server, by board and hex; and the lines of the sheet, by what they order.

import type { DraftLine, LineIn, Orders } from "../contract";
import type { Option } from "../../wire";
import type { Step } from "./geometry";
import type { Order } from "./wire";

export type Line = DraftLine<Order>;
type Found = ReadonlyMap<string, ReadonlyMap<string, Option>>;

/** The legal orders on one board. */
export interface Choices {
  /** By start and target. */
  readonly moves: Found;
  /** By either of the two units. */
  readonly swaps: Found;
  readonly attacks: Found;
  /** By hex: units that can go back to the reserve, where the rules know it. */
  readonly blinks: ReadonlyMap<string, Option>;
  /** By letter and hex. */
  readonly spawns: Found;
  /** By letter. */
  readonly buys: ReadonlyMap<string, Option>;
  readonly necromancers: readonly Option[];
  readonly resign: Option | null;
}

const orderOf = (option: Option): Order => option.order as unknown as Order;

function enter(found: Map<string, Map<string, Option>>, start: string, target: string, option: Option): void {
  const there = found.get(start) ?? new Map<string, Option>();
  found.set(start, there.set(target, option));
}

/** The legal orders on a board. With only one board, orders may leave out its number. */
export function choicesOn(options: readonly Option[], board: number): Choices {
  const [moves, swaps, attacks, spawns] = [0, 1, 2, 3].map(() => new Map<string, Map<string, Option>>()) as [
    Map<string, Map<string, Option>>,
    Map<string, Map<string, Option>>,
    Map<string, Map<string, Option>>,
    Map<string, Map<string, Option>>,
  ];
  const blinks = new Map<string, Option>();
  const buys = new Map<string, Option>();
  const necromancers: Option[] = [];
  let resign: Option | null = null;
  for (const option of options) {
    const order = orderOf(option);
    if (order.order === "spells" || order.order === "end" || (order.board ?? 1) !== board) continue;
    if (order.order === "move") enter(moves, order.start, order.target, option);
    else if (order.order === "attack") enter(attacks, order.start, order.target, option);
    else if (order.order === "blink") blinks.set(order.start, option);
    else if (order.order === "spawn") enter(spawns, order.unit, order.target, option);
    else if (order.order === "buy") buys.set(order.unit, option);
    else if (order.order === "choose") necromancers.push(option);
    else if (order.order === "resign") resign = option;
    else {
      const [here = "", there = ""] = (order.moves[0] ?? "").split("-");
      enter(swaps, here, there, option);
      enter(swaps, there, here, option);
    }
  }
  return { moves, swaps, attacks, blinks, spawns, buys, necromancers, resign };
}

/** The spells that can be placed now, by the number of the card, from 1. */
export function spellsOn(options: readonly Option[]): ReadonlyMap<number, Option> {
  const spells = options.filter((option) => orderOf(option).order === "spells");
  return new Map(spells.map((option) => [option.figures?.["card"] as number, option]));
}

/** Hexes where a unit can be spawned: from the reserve, or after it was bought. */
export function roomFor(choices: Choices, letter: string): ReadonlySet<string> {
  const waiting = choices.spawns.get(letter);
  if (waiting) return new Set(waiting.keys());
  return new Set((choices.buys.get(letter)?.figures?.["hexes"] as string[] | undefined) ?? []);
}

export const handed = (line: Line): LineIn => line.order ?? line.text;

const boardOf = (order: Order | null): number =>
  order === null || order.order === "spells" || order.order === "end" ? 0 : (order.board ?? 1);

export const linesOn = (lines: readonly Line[], board: number): Line[] => lines.filter((line) => boardOf(line.order) === board);

/** The line of the last spell on a card: the one that techs it, or else the last march, whichever card that came to. */
export function spellOn(lines: readonly Line[], card: number, name: string): Line[] {
  const last = (wanted: (spell: string) => boolean): Line[] =>
    lines.filter(({ order }) => order?.order === "spells" && order.spells.some(wanted)).slice(-1);
  const teched = last((spell) => spell === `tech ${card}` || spell.toLowerCase() === `tech ${name.toLowerCase()}`);
  return teched.length ? teched : last((spell) => spell === "march");
}

/** Where valid lines send units. */
export function stepsOf(lines: readonly Line[]): Step[] {
  return lines.flatMap(({ order, fault }) => {
    if (fault || !order) return [];
    if (order.order === "move") return [{ from: order.start, to: order.target }];
    return order.order === "tick" ? order.moves.map((pair) => ({ from: pair.slice(0, 2), to: pair.slice(3) })) : [];
  });
}

/** The hexes of invalid lines. */
export const refusedOn = (lines: readonly Line[]): string[] =>
  lines.flatMap(({ order, fault }) => (fault && order && "target" in order ? [order.target] : []));

/** All lines of the unit on a hex this turn, including its spawning. */
export function deedsOf(lines: readonly Line[], board: number, hex: string): Line[] {
  const found: Line[] = [];
  let at = hex;
  for (const line of [...linesOn(lines, board)].reverse()) {
    const order = line.order;
    if (order?.order === "attack" && order.start === at) found.push(line);
    else if (order?.order === "spawn" && order.target === at) return [...found, line];
    else if (order?.order === "move" && order.target === at) {
      found.push(line);
      at = order.start;
    } else if (order?.order === "tick") {
      const came = order.moves.find((pair) => pair.endsWith(`-${at}`));
      if (!came) continue;
      found.push(line);
      at = came.slice(0, 2);
    }
  }
  return found;
}

/** Your own lines that were valid before others were removed, and no longer are. */
export function brokenBy(orders: Orders<Order>, before: readonly Line[], lines: readonly Line[]): Line[] {
  if (lines.length >= before.length) return [];
  const fine = new Set(before.filter((line) => !line.fault).map((line) => line.text));
  return lines.filter((line) => line.fault && fine.has(line.text) && orders.owns(line));
}

/** Removes lines as one undo step. */
export function strike(orders: Orders<Order>, gone: readonly Line[]): void {
  if (gone.length === 1) orders.strike(gone[0]!.key);
  else if (gone.length) orders.set(orders.lines.filter((line) => !gone.includes(line)).map(handed));
}

/** Adds several lines as one undo step. */
export function addAll(orders: Orders<Order>, options: readonly { order: object; figures?: Record<string, unknown> }[]): void {
  const [first] = options;
  if (options.length === 1 && first) orders.add(first.order, first.figures);
  else orders.set([...orders.lines.map(handed), ...options.map((option) => option.order)]);
}
