// Tokens: the piece of a side with silhouette and letter, by its size.

import type { Paths } from "../../ui/look";
import { STAFF, UNITS } from "./glyphs";
import type { Setting, Unit } from "./wire";

export const NECROMANCER = "N"; // the letter of every necromancer
export const LARGER = 1.13; // size of a necromancer relative to other units
const BOTH = 34; // pixels across: silhouette and letter,
const ALONE = 24; // silhouette alone; below that the letter

export interface Marks {
  readonly paths: Paths | null;
  readonly lettered: boolean;
}

/** What is drawn on a token of this size in pixels. */
export function marksOf(name: string, letter: string, across: number): Marks {
  const paths = letter === NECROMANCER ? STAFF : (UNITS[name] ?? null);
  if (!paths || across < ALONE) return { paths: null, lettered: true };
  return { paths, lettered: across >= BOTH };
}

/** The letters after the N of an advanced necromancer: one, or two if two types begin with the same letter. */
export function secondOf(setting: Setting, unit: Pick<Unit, "type" | "letter">): string {
  if (unit.letter !== NECROMANCER || !setting.pool.includes(unit.type)) return "";
  const alike = setting.pool.filter((name) => name.charAt(0) === unit.type.charAt(0)).length;
  return unit.type.slice(0, alike === 1 ? 1 : 2);
}
