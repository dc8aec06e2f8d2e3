// The tables of the server, asked for again every few seconds while a page that shows them is open.

import type { TableCard } from "../wire";
import * as api from "./api";
import { forget, ownTables, session, tokenOf } from "./session.svelte";

/** A table that is not there any more is not asked for again; one that cannot be reached is. */
function gone(error: unknown, id: string): null {
  if (error instanceof api.Trouble && error.status === 404) forget(id);
  return null;
}

export class Lists {
  tables = $state.raw<TableCard[] | null>(null);
  /** Tables at which this browser holds a seat and that are not over. */
  own = $state.raw<readonly TableCard[]>([]);
  trouble = $state.raw<string | null>(null);

  /** For an $effect: starts, and hands back how to stop. */
  watch(seconds = 5): () => void {
    const ask = async (): Promise<void> => {
      if (document.hidden) return;
      try {
        this.tables = await api.tables();
        await Promise.all([session.refresh(), session.load(), this.askOwn(this.tables)]);
        this.trouble = null;
      } catch (error) {
        this.trouble = api.whyOf(error);
      }
    };
    void ask();
    const timer = setInterval(ask, seconds * 1000);
    return () => clearInterval(timer);
  }

  /** Tables of this browser, also those that no list shows. */
  private async askOwn(listed: readonly TableCard[]): Promise<void> {
    const cards = await Promise.all(
      ownTables().map((id) => listed.find((card) => card.id === id) ?? api.table(id).catch((error: unknown) => gone(error, id))),
    );
    for (const card of cards) if (card?.status === "over") forget(card.id);
    this.own = cards.filter((card): card is TableCard => card !== null && card.status !== "over" && tokenOf(card.id) !== null);
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
