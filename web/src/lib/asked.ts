// What a person asks of a new table that the book has otherwise, and how the form says it.

import type { Own } from "../games/contract";
import { inWords, valueOf, type Field } from "./options";
import { count } from "./words";

type Options = Readonly<Record<string, Own>>;

export interface Asked {
  readonly field: Field;
  readonly value: unknown;
}

/** The options that aren't as usual: these are sent, so these are told. */
export function askedOf(form: readonly Field[], usual: Options, options: Options): Asked[] {
  return form
    .map((field) => ({ field, value: valueOf(field, options[field.name]) }))
    .filter(({ field, value }) => value !== undefined && value !== usual[field.name]);
}

/** How big and how long it is, by the options that say so; a number of 0 has a meaning that only its game knows. */
export function sizeOf(options: Options): ReadonlyMap<string, string> {
  const boards = Number(options["boards"]);
  const turns = Number(options["turns"]);
  const said = new Map<string, string>();
  if (boards > 0) said.set("boards", count(boards, "board"));
  if (turns > 0) said.set("turns", `up to ${count(turns, "turn")}`);
  return said;
}

const SHORT = 24; // characters

/** "Coin: A die decides." What a person has written at length is only called their own: it may be a whole unit table. */
export function told({ field, value }: Asked): string {
  return `${field.title}: ${valueInWords(field, value)}.`;
}

function valueInWords(field: Field, value: unknown): string {
  if (field.kind === "switch") return value ? "yes" : "no";
  const text = String(value ?? "");
  if (typeof value === "number") return field.words[text] ?? text;
  const known = text in field.words || field.examples.includes(text);
  if (field.kind !== "text" || known) return inWords(field, text);
  return text && text.length <= SHORT && !text.includes("\n") ? text : "your own";
}
