// How a person wants directions to be named: by the compass, or as seen from their base.

import { keep, kept } from "../../lib/store";
import type { Setting } from "./wire";

class Directions {
  relative = $state(kept<boolean>("demons.relative") ?? false);

  tell(relative: boolean): void {
    this.relative = relative;
    keep("demons.relative", relative);
  }
}

export const directions = new Directions();

export const NAMES: Readonly<Record<string, string>> = { N: "north", E: "east", S: "south", W: "west" };

/** A player's word for a compass letter (1.8): ahead, right, back, left. */
export function wordFor(setting: Setting, seat: string, letter: string): string {
  const words = setting.directions[seat] ?? {};
  return Object.keys(words).find((word) => words[word] === letter) ?? NAMES[letter] ?? letter;
}

/** A direction in the words that the person prefers; `letter` may be a compass letter or already a word. */
export function told(setting: Setting, seat: string, letter: string): string {
  const compass = setting.directions[seat]?.[letter] ?? letter;
  return directions.relative ? wordFor(setting, seat, compass) : (NAMES[compass] ?? compass);
}
