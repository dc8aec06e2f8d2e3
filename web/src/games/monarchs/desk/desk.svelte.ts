// The gamerunners' desk as the server tells it: one message for everything, sent whenever something changes.

import { Trouble } from "../../../lib/api";
import type { Sheet } from "../../../wire";
import { NATIONS, type Nation, type Until } from "../party/wire";

export { NATIONS, type Nation, type Until };
export const title = (word: string): string => word.charAt(0).toUpperCase() + word.slice(1);

/** The sizes of paper that the printer may have. */
export const PAPERS = { a4: "A4", letter: "Letter" } as const;
export type Paper = keyof typeof PAPERS;

export interface Times {
  round: number;
  is_last?: boolean;
  is_paused?: boolean;
  due?: Until;
}

export interface Person {
  role: string;
  name: string;
  court: Nation | null;
}

export interface Note {
  turn: number;
  at: number;
  text: string;
  signed: string;
}

export interface Errand {
  carrier: string | null;
  arrived: number | null;
  is_late: boolean;
  handed: number | null;
  delivered: string[] | null;
  corrected: string[];
}

/** The evening, without loyalties and without the lines of any sheet. */
export interface Evening {
  setup: {
    title: string;
    guests: string[];
    options: Record<string, unknown> & { rounds: number; round_seconds: number; holding_seconds: number };
  };
  names: Record<string, string>;
  rooms: Record<string, string>;
  clock: { lost: number; stopped: number | null };
  serves: Record<string, string>;
  round: number;
  played: number;
  released: number | null;
  opened: number | null;
  is_last: boolean;
  orders: Partial<Record<Nation, Errand>>;
  fetching: Partial<Record<Nation, { role: string; came: number }>>;
  fetched: Partial<Record<Nation, number>>;
  last_carrier: Partial<Record<Nation, string>>;
  last_fetcher: Partial<Record<Nation, string>>;
  dismissed: Partial<Record<Nation, Record<string, number | null>>>;
  summons: Partial<Record<Nation, { role: string; came: number | null }>>;
  guesses: Partial<Record<Nation, Record<string, string | null>>>;
  revealed: number;
  deliveries: { turn: number; court: Nation; name: string | null; errand: Errand }[];
  departures: { map: number; court: Nation; name: string; at: number }[];
  notices: Note[];
  rulings: Note[];
}

export interface Deed {
  number: number;
  at: number;
  text: string;
  kind: string;
  signed?: string;
  is_struck?: boolean;
}

export interface Card {
  sight: {
    times: Times;
    people: Person[];
    clocks: { is_paused?: boolean; round?: Until; evening?: Until; holding?: Record<string, Until>; summons?: Record<string, Until> };
    everything: Evening;
  };
  stage: {
    next: "deal" | "collect" | "release" | "orders" | "play" | "guesses" | "reveal" | "nothing";
    courts?: Nation[];
    at_desk?: string[];
  };
  carriers: Record<Nation, { role: string; name: string; why?: string }[]>;
  came: Record<string, number>;
  /** When orders came and were handed in. */
  visits: { turn: number; court: Nation; came: number; handed: number | null }[];
  has_map: Record<Nation, boolean>;
  history: Deed[];
  is_evening_over: boolean;
}

export interface Told {
  is_open: boolean;
  now: number;
  started: number;
  game: string;
  title: string;
  fingerprint: string;
  is_rehearsal: boolean;
  card: Card;
  counts: Partial<Record<Nation, [number, number]>>;
  drafts: Partial<Record<Nation, number>>;
  typing: Partial<Record<Nation, string>>;
  /** Sheets that somebody else is to read, too, and who asked. */
  checks: Partial<Record<Nation, string>>;
  others: string[];
}

/** The sheet of a court, and what that court sees. */
export interface Open {
  sheet: Sheet;
  /** What another gamerunner read, if they asked for a check. */
  check?: { name: string; lines: string[] };
  setting: unknown;
  view: unknown;
}

const page = crypto.getRandomValues(new Uint32Array(4)).join("").slice(0, 20).padEnd(8, "0");

const LOST = "net/lost";

/** A request to the desk's server; raises Trouble with its reason. */
export async function ask<T>(path: string, said?: object): Promise<T> {
  const init: RequestInit = said
    ? { method: "POST", body: JSON.stringify(said), headers: { "Content-Type": "application/json", "X-Desk": page } }
    : { headers: { "X-Desk": page } };
  let answer: Response;
  try {
    answer = await fetch(`/api/desk${path}`, init);
  } catch {
    // It may have been done all the same: the answer can be lost, too.
    throw new Trouble(LOST, "The desk's server isn't responding. Once it is back, look whether this was done before you try again.");
  }
  const text = await answer.text();
  if (answer.ok) return (text ? JSON.parse(text) : null) as T;
  let why = `The server couldn't do this (error ${answer.status}).`;
  let word = "net/failed";
  let rule: string | null = null;
  try {
    const told = JSON.parse(text);
    why = told.why ?? why;
    word = told.word ?? word;
    rule = told.rule ?? null;
  } catch {
    // Not from our server.
  }
  throw new Trouble(word, why, rule, answer.status);
}

/** Messages of a role over a socket that reconnects on its own. */
export function listen<T>(role: string, hello: () => object | null, heard: (said: T) => void, line: (up: boolean) => void): () => void {
  let socket: WebSocket | null = null;
  let ended = false;
  let timer = 0;
  let tries = 0;
  const start = (): void => {
    const scheme = location.protocol === "https:" ? "wss" : "ws";
    socket = new WebSocket(`${scheme}://${location.host}/api/desk/live/${role}`);
    socket.onopen = () => {
      tries = 0;
      const said = hello();
      if (said) socket?.send(JSON.stringify(said));
      line(true);
    };
    socket.onmessage = (event) => heard(JSON.parse(event.data) as T);
    socket.onclose = () => {
      if (ended) return;
      line(false);
      timer = window.setTimeout(start, Math.min(5000, 300 * 2 ** tries++));
    };
  };
  start();
  return () => {
    ended = true;
    clearTimeout(timer);
    socket?.close();
  };
}

/** Milliseconds until a deadline. */
export function left(until: Until | undefined, now: number): number {
  return until ? Math.max(0, until.left ?? (until.at ?? 0) - now) : 0;
}

/** A wall time as a clock on the wall shows it. */
export const hour = (at: number, seconds = true): string =>
  new Date(at).toLocaleTimeString("en-GB", seconds ? {} : { hour: "2-digit", minute: "2-digit" });

/** What a court is waiting for: its map, its carrier, the minute, or nothing more. */
export function standing({ sight: { everything: evening }, has_map }: Pick<Card, "sight" | "has_map">, nation: Nation) {
  const errand = evening.orders[nation];
  const trip = evening.fetching[nation];
  if (trip) return { at: "fetching" as const, role: trip.role };
  if (errand?.is_late || errand?.delivered != null) return { at: "done" as const, role: errand.carrier };
  if (errand?.arrived != null) return { at: "orders" as const, role: errand.carrier };
  return { at: has_map[nation] ? ("map" as const) : ("door" as const), role: null };
}

/** The court whose carrier comes next, if it can be only one: then a digit checks them in. */
export function awaited(card: Pick<Card, "sight" | "has_map">): Nation | null {
  const found = NATIONS.filter((nation) => ["map", "door"].includes(standing(card, nation).at));
  return found.length === 1 ? found[0]! : null;
}

export class DeskRoom {
  told = $state.raw<Told | null>(null);
  up = $state(false);
  /** The server's time, several times a second. */
  now = $state(Date.now());
  /** Why the last request was refused. */
  refused = $state<{ why: string; rule: string | null; word?: string } | null>(null);
  busy = $state(false);
  /** The server was started while an evening was under way: the last act, to say where things stand. */
  resumed = $state.raw<Deed | null>(null);
  /** The court whose sheet is open on this page: the server is told when the connection comes back. */
  holding: Nation | null = null;
  private ahead = 0;
  private started = 0;

  start(name: string): () => void {
    const ticking = setInterval(() => (this.now = Date.now() + this.ahead), 200);
    const stop = listen<Told>(
      "desk",
      () => ({ page, name, sheet: this.holding }),
      (said) => this.hear(said),
      (up) => (this.up = up),
    );
    return () => {
      clearInterval(ticking);
      stop();
    };
  }

  private hear(said: Told): void {
    this.ahead = said.now - Date.now();
    this.now = said.now;
    this.told = said;
    if (said.is_open && said.started !== this.started) {
      this.started = said.started;
      this.resumed = this.last;
      if (this.refused?.word === LOST) this.refused = null; // the message about the restart says what was done last
    }
  }

  /** Asks the server; a refusal is shown at the foot of the desk. Saving every line must not make the button blink. */
  async ask<T>(path: string, said?: object): Promise<T | null> {
    const isSaving = path === "/draft";
    if (!isSaving) this.busy = true;
    try {
      const found = await ask<T>(path, said);
      this.refused = null;
      return found;
    } catch (error) {
      const trouble = error as Trouble;
      this.refused = { why: trouble.why, rule: trouble.rule, word: trouble.word };
      return null;
    } finally {
      if (!isSaving) this.busy = false;
    }
  }

  do(act: object): Promise<object | null> {
    return this.ask("/acts", { act });
  }

  /** The last entry of the journal that stands. */
  get last(): Deed | null {
    return this.told?.card?.history.findLast((deed) => !deed.is_struck && deed.kind !== "strike") ?? null;
  }
}
