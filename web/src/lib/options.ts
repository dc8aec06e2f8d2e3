// The options of a game as fields of a form, from their JSON Schema.

import type { GameCard } from "../wire";
import { title } from "./words";

export interface Field {
  name: string;
  title: string;
  kind: "choice" | "number" | "switch" | "text";
  choices: readonly (string | number)[];
  least: number | undefined;
  most: number | undefined;
  /** It may be left empty: the game then uses its default. */
  empty: boolean;
  /** Its description, in a sentence. */
  about: string;
  /** Suggestions, where other texts are possible too. */
  examples: readonly string[];
  /** Values in words for people. */
  words: Readonly<Record<string, string>>;
}

/** What is read of a JSON Schema. */
interface Schema {
  $ref?: string;
  type?: string;
  properties?: Readonly<Record<string, Schema>>;
  anyOf?: readonly Schema[];
  enum?: readonly (string | number | null)[];
  minimum?: number;
  maximum?: number;
  title?: string;
  description?: string;
  examples?: readonly string[];
  words?: Readonly<Record<string, string>>;
}

function resolved(schema: Schema, root: Schema): Schema {
  if (!schema.$ref) return schema;
  const path = schema.$ref.replace(/^#\//, "").split("/");
  const found = path.reduce<unknown>((at, part) => (at as Record<string, unknown> | undefined)?.[part], root);
  return found ? resolved(found as Schema, root) : schema;
}

export function fields(root: Schema): Field[] {
  const { properties = {} } = resolved(root, root);
  return Object.entries(properties).map(([name, of]) => field(name, resolved(of, root), root));
}

const isNull = ({ type, enum: values }: Schema): boolean => type === "null" || (values?.every((value) => value === null) ?? false);

function field(name: string, of: Schema, root: Schema): Field {
  const all = (of.anyOf ?? [of]).map((way) => resolved(way, root));
  const ways = all.filter((way) => !isNull(way));
  const way = ways[0] ?? {};
  const empty = ways.length < all.length || (way.enum?.includes(null) ?? false);
  const told = { title: of.title ?? title(name), about: of.description ?? "", examples: of.examples ?? [], words: of.words ?? {} };
  const { minimum: least, maximum: most } = ways.find(({ minimum }) => minimum !== undefined) ?? way;
  const base = { ...told, name, choices: [], least, most, empty };
  if (ways.length > 1) return { ...base, kind: "text" }; // a number or a word
  if (way.enum) return { ...base, kind: "choice", choices: inOrder(way.enum, Object.keys(told.words)) };
  if (way.type === "boolean") return { ...base, kind: "switch" };
  if (way.type === "integer" || way.type === "number") return { ...base, kind: "number" };
  return { ...base, kind: "text" };
}

/** Choices as the game lists them in words; schemas sort them by the alphabet. */
function inOrder(values: readonly (string | number | null)[], words: readonly string[]): (string | number)[] {
  const place = (value: string | number): number => words.indexOf(String(value)) + 1 || words.length + 1;
  return values.filter((value) => value !== null).toSorted((a, b) => place(a) - place(b));
}

/** A value for people; never the bare word of the game. */
export function inWords(field: Pick<Field, "words">, value: unknown): string {
  const known = field.words[String(value)];
  return known ?? (value === "" || value === 0 ? "Default" : title(String(value)));
}

/** What a person should know about a field: its description and its range. */
export function hint({ kind, about, least, most }: Field): string {
  const range = kind === "number" && least !== undefined && most !== undefined ? `${least} to ${most}.` : "";
  return [about, range].filter(Boolean).join(" ");
}

/** The entered value as the game expects it; undefined: the default. */
export function valueOf(field: Field, entered: unknown): unknown {
  if (field.kind === "number") return entered === "" || entered === null || entered === undefined ? undefined : Number(entered);
  if (field.kind === "text" && typeof entered === "string" && /^-?\d+$/.test(entered) && field.least !== undefined) return Number(entered);
  return entered === "" && field.empty ? undefined : entered;
}

/** A rule set of a game in words, and a sentence about it; "usual" is the one that is played if nobody chooses. */
export function ruleSet(card: Pick<GameCard, "options" | "usual"> | undefined, rules: string): { name: string; about: string } {
  const of = card && fields(card.options).find(({ name }) => name === "rules");
  if (!of) return { name: rules === "usual" ? "Usual rules" : title(rules), about: "" };
  return { name: inWords(of, rules === "usual" ? card.usual.rules : rules), about: of.about };
}
