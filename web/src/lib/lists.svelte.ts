// The tables of the server, asked for again every few seconds while a page that shows them is open.

import type { TableCard } from "../wire";
import { has } from "../games";
import * as api from "./api";
import { session } from "./session.svelte";

export class Lists {
  tables = $state.raw<TableCard[] | null>(null);
  trouble = $state.raw<string | null>(null);

  /** For an $effect: starts, and hands back how to stop. */
  watch(seconds = 5): () => void {
    const ask = async (): Promise<void> => {
      if (document.hidden) return;
      try {
        this.tables = (await api.tables()).filter((table) => has(table.game));
        await Promise.all([session.refresh(), session.load()]);
        this.trouble = null;
      } catch (error) {
        this.trouble = api.whyOf(error);
      }
    };
    void ask();
    const timer = setInterval(ask, seconds * 1000);
    return () => clearInterval(timer);
  }

  get live(): TableCard[] {
    return (this.tables ?? []).filter((t) => t.status === "playing" || t.status === "paused" || t.status === "sealed");
  }

  get open(): TableCard[] {
    return (this.tables ?? []).filter((t) => t.status === "open" && t.seats.some((seat) => seat.kind === "open"));
  }

  /** Games of people first: bots that play all day would bury them. */
  get over(): TableCard[] {
    const over = (this.tables ?? []).filter((t) => t.status === "over");
    const played = (t: TableCard): boolean => t.seats.some((seat) => seat.kind !== "bot");
    return [...over.filter(played), ...over.filter((t) => !played(t))];
  }
}
