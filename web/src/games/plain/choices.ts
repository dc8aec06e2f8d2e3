// The legal orders, sorted by the places that they name.

import type { Option } from "../../wire";

export interface Choice {
  readonly option: Option;
  /** The places that its order names, in the order of its fields. */
  readonly places: readonly string[];
}

const MAX = 12; // up to this many numbers are all offered

/** A value as events and pictures write places. */
const written = (value: unknown): string => (Array.isArray(value) ? value.join(",") : String(value));

/** The places that an order names. */
export function placesOf(order: object | null, known: { has(name: string): boolean }): string[] {
  return Object.entries(order ?? {}).flatMap(([field, value]) =>
    field !== "number" && field !== "order" && known.has(written(value)) ? [written(value)] : [],
  );
}

export const choicesOf = (options: readonly Option[], known: { has(name: string): boolean }): Choice[] =>
  options.map((option) => ({ option, places: placesOf(option.order, known) }));

/** Whether a number can be chosen. */
export const isCounted = ({ least, most }: Option): boolean => least != null && most != null && most > least;

/** The order of an option with this number in it. */
export const orderOf = ({ order, least }: Option, number: number | null = null): object =>
  least == null ? order : { ...order, number: number ?? least };

/** The numbers to choose from: all, or a selection if there are many. */
export function numbersOf({ least, most }: Option): number[] {
  if (least == null || most == null) return [];
  if (most - least < MAX) return Array.from({ length: most - least + 1 }, (_, i) => least + i);
  const some = [least, 2, 3, 5, 10, 20, 50, 100, 200, 500, Math.floor((least + most) / 2), most];
  return [...new Set(some)].filter((number) => number >= least && number <= most).sort((a, b) => a - b);
}

/** A text without the number at its end, which is shown beside it. */
export function bare(text: string, number: unknown): string {
  const end = ` ${number}`;
  return typeof number === "number" && text.endsWith(end) ? text.slice(0, -end.length) : text;
}
