// A person's preferences, saved in this browser.

import type { Looks } from "../games/contract";
import { keep, kept } from "./store";

export type Theme = "system" | "light" | "dark";

interface Kept {
  theme?: Theme;
  names?: boolean;
  hatching?: boolean;
  keys?: boolean;
  name?: string;
  speed?: number;
  sound?: boolean;
  asks?: boolean;
}

const before = kept<Kept>("prefs") ?? {};
const dark = matchMedia("(prefers-color-scheme: dark)");
const still = matchMedia("(prefers-reduced-motion: reduce)");

class Prefs {
  theme = $state<Theme>(before.theme ?? "system");
  names = $state(before.names ?? true);
  hatching = $state(before.hatching ?? true);
  /** Single-key shortcuts are on. */
  keys = $state(before.keys ?? true);
  /** The name of a guest at a table. */
  name = $state(before.name ?? "");
  /** Turns per second. */
  speed = $state(before.speed ?? 1);
  /** Sounds at a table. */
  sound = $state(before.sound ?? false);
  /** Ask before a turn is passed in which orders could be given. */
  asks = $state(before.asks ?? true);
  /** For this visit only. */
  turned = $state(false);
  ranges = $state(false);
  private systemDark = $state(dark.matches);
  still = $state(still.matches);

  constructor() {
    dark.addEventListener("change", () => (this.systemDark = dark.matches));
    still.addEventListener("change", () => (this.still = still.matches));
  }

  get dark(): boolean {
    return this.theme === "dark" || (this.theme === "system" && this.systemDark);
  }

  looks(motion: boolean): Looks {
    const { turned, names, hatching, ranges } = this;
    return { turned, names, hatching, ranges, motion: motion && !this.still };
  }

  /** Saves the preferences, and passes the theme to the style sheet. */
  save(): void {
    const { theme, names, hatching, keys, name, speed, sound, asks } = this;
    keep("prefs", { theme, names, hatching, keys, name, speed, sound, asks } satisfies Kept);
    if (theme === "system") delete document.documentElement.dataset["theme"];
    else document.documentElement.dataset["theme"] = theme;
  }

  flip(): void {
    this.theme = this.dark ? "light" : "dark";
  }
}

export const prefs = new Prefs();
