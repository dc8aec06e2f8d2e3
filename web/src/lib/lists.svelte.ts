// The server's tables, fetched again every few seconds while a page shows them.

import type { TableCard } from "../wire";
import * as api from "./api";
import { forget, ownTables, session, tokenOf } from "./session.svelte";

/** A table that no longer exists isn't fetched again; one that can't be reached is. */
function gone(error: unknown, id: string): null {
  if (error instanceof api.Trouble && error.status === 404) forget(id);
  return null;
}

export class Lists {
  tables = $state.raw<TableCard[] | null>(null);
  /** Tables where this browser has a seat and that aren't over. */
  own = $state.raw<readonly TableCard[]>([]);
  trouble = $state.raw<string | null>(null);

  /** For an $effect: starts fetching, and returns how to stop. */
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

  /** Fetches this browser's own tables, including unlisted ones. */
  private async askOwn(listed: readonly TableCard[]): Promise<void> {
    const cards = await Promise.all(
      ownTables().map((id) => listed.find((card) => card.id === id) ?? api.table(id).catch((error: unknown) => gone(error, id))),
    );
    for (const card of cards) if (card?.status === "over") forget(card.id);
    this.own = cards.filter((card): card is TableCard => card !== null && card.status !== "over" && tokenOf(card.id) !== null);
  }

  /** Whether a table is this person's own: it stands among theirs, and nowhere else. */
  isOwn(id: string): boolean {
    return this.own.some((card) => card.id === id) || (session.me?.due ?? []).some((card) => card.id === id) || tokenOf(id) !== null;
  }

  /** Tables of other people and of bots. */
  get live(): TableCard[] {
    const live = (t: TableCard): boolean => t.status === "playing" || t.status === "paused" || t.status === "sealed";
    return (this.tables ?? []).filter((t) => live(t) && !this.isOwn(t.id));
  }

  get open(): TableCard[] {
    const open = (t: TableCard): boolean => t.status === "open" && t.seats.some((seat) => seat.kind === "open");
    return (this.tables ?? []).filter((t) => open(t) && !this.isOwn(t.id));
  }

  /** Gives up a game against bots, and takes it off the list. */
  async dismiss(id: string): Promise<void> {
    await api.dismiss(id, tokenOf(id));
    forget(id);
    this.own = this.own.filter((card) => card.id !== id);
    await session.refresh();
  }

  /** Games with people first: bots that play all day would bury them. */
  get over(): TableCard[] {
    const over = (this.tables ?? []).filter((t) => t.status === "over");
    const played = (t: TableCard): boolean => t.seats.some((seat) => seat.kind !== "bot");
    return [...over.filter(played), ...over.filter((t) => !played(t))];
  }
}
