// A game for the head of the lobby, turn by turn: a live one, or else the last that was finished.

import type { TableCard } from "../wire";
import { untrack } from "svelte";
import { has } from "../games";
import * as api from "./api";

const TURN = 1000; // ms, at least
const AHEAD = 8; // positions fetched at once: each comes with its picture
const REST = 5; // turns that a finished game stays at its end
const STILL = 20_000; // ms after which a live game that stands still gives way to another

/**
 * Live games first; games with a board of their own before others. A game between people that has begun comes before bots, who
 * never stop, and both before one person against bots, who may have gone. A live game in the fog shows strangers an empty map,
 * so it isn't chosen before it is over.
 */
export function chosen(tables: readonly TableCard[], fog: (game: string) => boolean): TableCard | null {
  const moves = (card: TableCard): number => {
    const people = card.seats.filter((seat) => seat.kind !== "bot").length;
    return Number(has(card.game)) * 10 + (people > 1 && card.turn > 1 ? 2 : people === 0 ? 1 : 0);
  };
  const live = tables.filter((card) => card.status === "playing" && !fog(card.game) && card.seats.every((seat) => !seat.you));
  const over = tables.filter((card) => card.status === "over" && !card.closed && card.turn > 1);
  return (
    live.toSorted((a, b) => moves(b) - moves(a) || b.created - a.created)[0] ?? over.toSorted((a, b) => b.created - a.created)[0] ?? null
  );
}

export class Moving {
  card = $state.raw<TableCard | null>(null);
  picture = $state("");
  turn = $state(0);
  paused = $state(false);
  private at = 0;
  private rest = 0;
  private ready: { picture: string; turn: number }[] = [];
  private asking = false;

  /** When the live game last moved, and the games that gave way, with the turn they stood at. */
  private moved = 0;
  private readonly stood = new Map<string, number>();

  /** Takes the first game that it can; it stays with that one as long as it goes on. */
  offer(tables: readonly TableCard[], fog: (game: string) => boolean, now = Date.now()): void {
    const again = tables.find((card) => card.id === this.card?.id);
    if (!again || again.status !== "playing" || again.turn !== this.card?.turn) this.moved = now;
    if (again) this.card = again;
    if (again && now - this.moved < STILL) return;
    if (again) this.stood.set(again.id, again.turn);
    const others = tables.filter((card) => this.stood.get(card.id) !== card.turn);
    if (!this.card || !this.asking) this.begin(chosen(others, fog) ?? this.card);
  }

  private begin(card: TableCard | null): void {
    if (card?.id === this.card?.id) return;
    this.card = card;
    this.ready = [];
    this.at = 0;
    this.moved = Date.now();
    if (card) void this.fetch();
  }

  /** For an $effect: moves until it is stopped. `still`: nothing moves by itself. */
  run(still: () => boolean, seen: () => boolean): () => void {
    const timer = setInterval(() => untrack(() => !still() && !this.paused && seen() && !document.hidden && this.step()), TURN);
    return () => clearInterval(timer);
  }

  private step(): void {
    const next = this.ready.shift();
    if (next) {
      this.picture = next.picture;
      this.turn = next.turn;
      this.rest = 0;
    } else if (this.card?.status === "over" && ++this.rest > REST) {
      this.at = this.rest = 0;
    }
    if (this.ready.length < 2) void this.fetch();
  }

  private async fetch(): Promise<void> {
    const { card, at } = this;
    if (!card || this.asking) return;
    this.asking = true;
    try {
      const from = at === 0 && card.status !== "over" ? Math.max(0, card.turn - 2) : at;
      const found = await api.pictures(card.id, from, from + AHEAD);
      if (this.card?.id !== card.id) return;
      this.at = from + found.length;
      this.ready.push(...found.map(({ picture, turn }) => ({ picture, turn })));
      if (!this.picture || at === 0) this.step();
    } catch (error) {
      // The picture stays as it is. A table that is gone isn't asked for again.
      if (error instanceof api.Trouble && error.status === 404 && this.card?.id === card.id) this.card = null;
    } finally {
      this.asking = false;
    }
  }
}
