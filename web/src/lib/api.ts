// Requests to the server, and its refusals in words.

import { boards } from "../games";
import type {
  AuditRow,
  BanRow,
  Book,
  BotRow,
  Deed,
  Frame,
  GameCard,
  Health,
  JoinCrew,
  Me,
  Notice,
  OpenTable,
  PersonRow,
  Record as Match,
  Report,
  ReportRow,
  Seated,
  Summary,
  TableCard,
  TableRow,
  TakeSeat,
} from "../wire";

/** Why something failed, in the server's words. */
export class Trouble extends Error {
  constructor(
    readonly word: string,
    readonly why: string,
    readonly rule: string | null = null,
    readonly status = 0,
    readonly seconds = 0,
  ) {
    super(why);
  }
}

/** Any error in words for people. */
export function whyOf(error: unknown): string {
  return error instanceof Trouble ? error.why : error instanceof Error ? error.message : String(error);
}

let csrf = "";

async function ask<T>(path: string, init: RequestInit = {}): Promise<T> {
  const headers = new Headers(init.headers);
  if (init.method && init.method !== "GET") {
    if (!csrf) await me();
    headers.set("X-CSRF-Token", csrf);
  }
  let answer: Response;
  try {
    answer = await fetch(`/api${path}`, { ...init, headers });
  } catch {
    throw new Trouble("net/lost", "The server isn't responding. It may have stopped, or you may be offline.");
  }
  const text = await answer.text();
  if (answer.ok) return (text ? JSON.parse(text) : null) as T;
  throw refusal(answer.status, text);
}

function refusal(status: number, text: string): Trouble {
  try {
    const said = JSON.parse(text);
    if (said.why) return new Trouble(said.word ?? "", said.why, said.rule ?? null, status, said.seconds ?? 0);
  } catch {
    // Not from our server: a proxy's page, or nothing.
  }
  const why = status === 404 ? "There is nothing at this address." : `The server couldn't do this (error ${status}).`;
  return new Trouble("net/failed", why, null, status);
}

const body = (said: object): RequestInit => ({
  method: "POST",
  body: JSON.stringify(said),
  headers: { "Content-Type": "application/json" },
});

const bearer = (token: string | null): RequestInit => (token ? { headers: { Authorization: `Bearer ${token}` } } : {});

async function took(asked: Promise<Me>): Promise<Me> {
  const found = await asked;
  csrf = found.csrf;
  return found;
}

export const me = (): Promise<Me> => took(ask("/me"));
export const signUp = (name: string, password: string): Promise<Me> => took(ask("/accounts", body({ name, password })));
export const signIn = (name: string, password: string): Promise<Me> => took(ask("/session", body({ name, password })));
export const signOut = (): Promise<Me> => took(ask("/session", { method: "DELETE" }));

export const games = (): Promise<GameCard[]> => ask("/games");
export const game = (name: string): Promise<GameCard> => ask(`/games/${encodeURIComponent(name)}`);
export const book = (name: string): Promise<Book> => ask(`/games/${encodeURIComponent(name)}/book`);
export const picture = (name: string, dark: boolean): string =>
  `/api/games/${encodeURIComponent(name)}/picture.svg?theme=${dark ? "dark" : "light"}`;

export const bookPicture = (name: string, picture: string, dark: boolean): string =>
  `/api/games/${encodeURIComponent(name)}/book/pictures/${encodeURIComponent(picture)}?theme=${dark ? "dark" : "light"}`;

export const tables = (): Promise<TableCard[]> => ask("/tables");
export const table = (id: string): Promise<TableCard> => ask(`/tables/${encodeURIComponent(id)}`);
export const openTable = (wish: OpenTable): Promise<Seated> => ask("/tables", body(wish));
export const takeSeat = (id: string, wish: TakeSeat): Promise<Seated> => ask(`/tables/${id}/seats`, body(wish));
export const joinCrew = (id: string, wish: JoinCrew): Promise<Seated> => ask(`/tables/${id}/crew`, body(wish));
export const rematch = (id: string, token: string | null): Promise<Seated> =>
  ask(`/tables/${id}/rematch`, { method: "POST", ...bearer(token) });
/** Frames from `from` up to, but not including, `to`. */
export const frames = (id: string, token: string | null, from: number, to: number): Promise<Frame[]> =>
  ask(`/tables/${id}/frames?from=${from}&to=${to}&packed=true&boards=${boards}`, bearer(token));
export const notices = (): Promise<Notice[]> => ask("/notices");
export const report = (id: string, token: string | null, said: Report): Promise<unknown> => {
  const init = body(said);
  return ask(`/tables/${id}/reports`, { ...init, headers: { ...init.headers, ...bearer(token).headers } });
};

/** For operators; to everyone else there is nothing there. */
export const operator = {
  summary: (): Promise<Summary> => ask("/operator"),
  health: (): Promise<Health> => ask("/operator/health"),
  people: (text: string): Promise<PersonRow[]> => ask(`/operator/people?${new URLSearchParams({ text })}`),
  tables: (filter: Record<string, string>): Promise<TableRow[]> => ask(`/operator/tables?${new URLSearchParams(filter)}`),
  bots: (): Promise<BotRow[]> => ask("/operator/bots"),
  reports: (done: boolean): Promise<ReportRow[]> => ask(`/operator/reports?done=${done}`),
  bans: (): Promise<BanRow[]> => ask("/operator/bans"),
  audit: (): Promise<AuditRow[]> => ask("/operator/audit"),
  auditFile: "/api/operator/audit.jsonl",
  deed: (deed: Deed): Promise<unknown> => ask("/operator/deeds", body(deed)),
};

export const replayFile = (id: string): string => `/api/tables/${id}/replay.jsonl.gz`;
export const readReplay = (file: Blob): Promise<Match> =>
  ask(`/replays?packed=true&boards=${boards}`, { method: "POST", body: file, headers: { "Content-Type": "application/octet-stream" } });
