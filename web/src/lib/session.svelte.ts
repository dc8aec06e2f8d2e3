// Who is signed in, which tables are waiting for them, and which games the server has.

import type { GameCard, Me, Seated } from "../wire";
import * as api from "./api";
import { prefs } from "./prefs.svelte";
import { keep, kept } from "./store";
import { name } from "./words";

class Session {
  me = $state.raw<Me | null>(null);
  games = $state.raw<GameCard[]>([]);

  /** Why nobody at this address may use the server. */
  banned = $state("");

  async refresh(): Promise<void> {
    try {
      this.me = await api.me();
      this.banned = "";
    } catch (error) {
      if (error instanceof api.Trouble && error.word === "account/banned") this.banned = error.why;
      throw error;
    }
  }

  async load(): Promise<void> {
    if (!this.games.length) this.games = await api.games();
  }

  card(game: string): GameCard | undefined {
    return this.games.find((card) => card.name === game);
  }
}

export const session = new Session();

/** The secret of a seat, as saved in this browser. */
export const tokenOf = (table: string): string | null => kept<string>(`seat.${table}`);

const MAX_OWN = 20;

/** Tables where this browser took a seat, newest first, until they are over. */
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

/** Saves the secret of a seat and returns the address of its table. */
export function seated(at: Seated): string {
  if (at.token) hold(at.table, at.token);
  return `/table/${at.table}`;
}

/** Takes a secret from an address (#seat=...) and saves it. */
export function tokenFrom(table: string, hash: string): string | null {
  const found = new URLSearchParams(hash.slice(1)).get("seat");
  if (found) hold(table, found);
  return tokenOf(table);
}

/** A person's name at a table: the one they entered, their account's (the server knows it), or guest of that seat. */
export function calledAt(seat: string | undefined): string {
  const said = prefs.name.trim();
  if (said || session.me?.name) return said;
  return seat ? `Guest ${name(seat)}` : "Guest";
}
