// Who this browser is signed in as, what waits for it, and which games the server has.

import type { GameCard, Me, Seated } from "../wire";
import * as api from "./api";
import { prefs } from "./prefs.svelte";
import { keep, kept } from "./store";
import { name } from "./words";

class Session {
  me = $state.raw<Me | null>(null);
  games = $state.raw<GameCard[]>([]);

  async refresh(): Promise<void> {
    this.me = await api.me();
  }

  async load(): Promise<void> {
    if (!this.games.length) this.games = await api.games();
  }

  card(game: string): GameCard | undefined {
    return this.games.find((card) => card.name === game);
  }
}

export const session = new Session();

/** The secret of a seat, as this browser keeps it. */
export const tokenOf = (table: string): string | null => kept<string>(`seat.${table}`);

const MAX_OWN = 20;

/** Tables at which this browser sat down, the newest first, until they are over. */
export const ownTables = (): readonly string[] => kept<string[]>("own") ?? [];

export function forget(table: string): void {
  keep(
    "own",
    ownTables().filter((own) => own !== table),
  );
}

function hold(table: string, token: string): void {
  keep(`seat.${table}`, token);
  keep("own", [table, ...ownTables().filter((own) => own !== table)].slice(0, MAX_OWN));
}

/** Keeps the secret of a seat and says where its table is. */
export function seated(at: Seated): string {
  if (at.token) hold(at.table, at.token);
  return `/table/${at.table}`;
}

/** Takes a secret out of an address (#seat=...) and keeps it. */
export function tokenFrom(table: string, hash: string): string | null {
  const found = new URLSearchParams(hash.slice(1)).get("seat");
  if (found) hold(table, found);
  return tokenOf(table);
}

/** How a person is called at a table: as they say, by their account (the server knows it), or as the guest in that seat. */
export function calledAt(seat: string | undefined): string {
  const said = prefs.name.trim();
  if (said || session.me?.name) return said;
  return seat ? `Guest ${name(seat)}` : "Guest";
}
