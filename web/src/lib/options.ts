// The options of a game as fields of a form, from their JSON Schema.

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
}

type Schema = { [word: string]: any };

function resolved(schema: Schema, root: Schema): Schema {
  const ref = schema["$ref"] as string | undefined;
  if (!ref) return schema;
  const found = ref
    .replace(/^#\//, "")
    .split("/")
    .reduce<any>((at, part) => at?.[part], root);
  return found ? resolved(found, root) : schema;
}

export function fields(root: Schema): Field[] {
  const schema = resolved(root, root);
  return Object.entries((schema["properties"] ?? {}) as Schema).map(([name, of]) => field(name, resolved(of, root)));
}

function field(name: string, of: Schema): Field {
  const ways: Schema[] = of["anyOf"] ?? [of];
  const empty = ways.some((way) => way["type"] === "null");
  const way = ways.find((one) => one["type"] !== "null") ?? {};
  const told = { title: of["title"] ?? title(name), about: of["description"] ?? "", examples: of["examples"] ?? [] };
  const base = { ...told, name, choices: [] as (string | number)[], least: way["minimum"], most: way["maximum"], empty };
  if (way["enum"]) return { ...base, kind: "choice", choices: way["enum"] };
  if (way["type"] === "boolean") return { ...base, kind: "switch" };
  const mixed = ways.filter((one) => one["type"] !== "null").length > 1;
  if ((way["type"] === "integer" || way["type"] === "number") && !mixed) return { ...base, kind: "number" };
  return { ...base, kind: "text" };
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
