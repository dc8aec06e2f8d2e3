// Tokens: the piece of a side with silhouette and letter, by its size.

import { paint } from "../../ui/seats";
import { STAFF, UNITS, type Paths } from "./glyphs";
import { fixed } from "./geometry";
import type { Setting, Unit } from "./wire";

export const NECROMANCER = "N"; // the letter of all of them
export const LARGER = 1.13; // a necromancer, against all others
const BOTH = 34; // pixels across: silhouette and letter,
const ALONE = 24; // silhouette alone; below that the letter

/** The outline of a side's token around (0, 0): Yellow's diamond with rounded corners, Blue's circle. */
export function outline(side: string, r: number): string {
  if (side !== "yellow") {
    const q = fixed(0.96 * r);
    return `M${fixed(-0.96 * r)} 0a${q} ${q} 0 1 0 ${fixed(1.92 * r)} 0a${q} ${q} 0 1 0 ${fixed(-1.92 * r)} 0z`;
  }
  const d = 1.2 * r;
  const c = 0.12 * d;
  const at = (x: number, y: number): string => `${fixed(x)} ${fixed(y)}`;
  const turn = (x: number, y: number): string => {
    const before = x ? at(x - Math.sign(x) * c, -Math.sign(x) * c) : at(Math.sign(y) * c, y - Math.sign(y) * c);
    const after = x ? at(x - Math.sign(x) * c, Math.sign(x) * c) : at(-Math.sign(y) * c, y - Math.sign(y) * c);
    return `${before}Q${at(x, y)} ${after}`;
  };
  return `M${turn(0, -d)}L${turn(d, 0)}L${turn(0, d)}L${turn(-d, 0)}z`;
}

export const tones = (side: string) => paint(side);

export interface Marks {
  readonly paths: Paths | null;
  readonly lettered: boolean;
}

/** What is drawn on a token that is so many pixels across. */
export function marksOf(name: string, letter: string, across: number): Marks {
  const paths = letter === NECROMANCER ? STAFF : (UNITS[name] ?? null);
  if (!paths || across < ALONE) return { paths: null, lettered: true };
  return { paths, lettered: across >= BOTH };
}

/** The letters behind the N of an advanced necromancer: one, or two where two types begin alike. */
export function secondOf(setting: Setting, unit: Pick<Unit, "type" | "letter">): string {
  if (unit.letter !== NECROMANCER || !setting.pool.includes(unit.type)) return "";
  const alike = setting.pool.filter((name) => name.charAt(0) === unit.type.charAt(0)).length;
  return unit.type.slice(0, alike === 1 ? 1 : 2);
}
