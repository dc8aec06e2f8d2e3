// Requests to the server, and its refusals in words.

import { boards } from "../games";
import type {
  AuditRow,
  BanRow,
  Book,
  BotDeed,
  BotPage,
  BotRow,
  CreatedToken,
  Deed,
  Found,
  Frame,
  GameCard,
  GamePage,
  Health,
  JoinCrew,
  LadderCard,
  LadderHealth,
  LadderPage,
  Me,
  NewNotices,
  Notice,
  OpenTable,
  PeoplePage,
  PersonRow,
  Queue,
  Record as Match,
  Report,
  ReportRow,
  Seated,
  Summary,
  TableCard,
  TableRow,
  TakeSeat,
  Trend,
  UploadCard,
  Yard,
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

export async function ask<T>(path: string, init: RequestInit = {}): Promise<T> {
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

export const body = (said: object): RequestInit => ({
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

export const deleteAccount = (password: string): Promise<Me> => took(ask("/account/deletion", body({ password })));

export const games = (): Promise<GameCard[]> => ask("/games");
export const game = (name: string): Promise<GameCard> => ask(`/games/${encodeURIComponent(name)}`);
export const book = (name: string): Promise<Book> => ask(`/games/${encodeURIComponent(name)}/book`);
export const picture = (name: string, dark: boolean): string =>
  `/api/games/${encodeURIComponent(name)}/picture.svg?theme=${dark ? "dark" : "light"}`;

/** The position that a match begins with, as a preset or a map of the game has it. */
export const ground = (name: string, kind: "presets" | "maps", word: string, dark: boolean): string =>
  `/api/games/${encodeURIComponent(name)}/${kind}/${encodeURIComponent(word)}.svg?theme=${dark ? "dark" : "light"}`;

export const bookPicture = (name: string, picture: string, dark: boolean): string =>
  `/api/games/${encodeURIComponent(name)}/book/pictures/${encodeURIComponent(picture)}?theme=${dark ? "dark" : "light"}`;

export const tables = (): Promise<TableCard[]> => ask("/tables");
export const table = (id: string): Promise<TableCard> => ask(`/tables/${encodeURIComponent(id)}`);
export const openTable = (wish: OpenTable): Promise<Seated> => ask("/tables", body(wish));
export const takeSeat = (id: string, wish: TakeSeat): Promise<Seated> => ask(`/tables/${id}/seats`, body(wish));
export const joinCrew = (id: string, wish: JoinCrew): Promise<Seated> => ask(`/tables/${id}/crew`, body(wish));
export const rematch = (id: string, token: string | null): Promise<Seated> =>
  ask(`/tables/${id}/rematch`, { method: "POST", ...bearer(token) });
/** Gives up a game against bots. */
export const dismiss = (id: string, token: string | null): Promise<unknown> =>
  ask(`/tables/${id}/dismissal`, { method: "POST", ...bearer(token) });
/** Frames from `from` up to, but not including, `to`. */
export const frames = (id: string, token: string | null, from: number, to: number): Promise<Frame[]> =>
  ask(`/tables/${id}/frames?from=${from}&to=${to}&packed=true&boards=${boards}`, bearer(token));
/** Positions as a spectator sees them, each with its picture, whatever the game. */
export const pictures = (id: string, from: number, to: number): Promise<Frame[]> =>
  ask(`/tables/${id}/frames?from=${from}&to=${to}&packed=true&boards=none&small=true`);
/** Bots, people, games between bots, and tables. */
export const search = (text: string, signal?: AbortSignal): Promise<Found> =>
  ask(`/search?${new URLSearchParams({ q: text })}`, signal ? { signal } : {});
export const notices = (): Promise<Notice[]> => ask("/notices");
export const report = (id: string, token: string | null, said: Report): Promise<unknown> => {
  const init = body(said);
  return ask(`/tables/${id}/reports`, { ...init, headers: { ...init.headers, ...bearer(token).headers } });
};

/** For operators; to everyone else there is nothing there. */
export const operator = {
  summary: (): Promise<Summary> => ask("/operator"),
  health: (): Promise<Health> => ask("/operator/health"),
  ladder: (): Promise<LadderHealth> => ask("/operator/ladder"),
  people: (text: string): Promise<PersonRow[]> => ask(`/operator/people?${new URLSearchParams({ text })}`),
  tables: (filter: Record<string, string>): Promise<TableRow[]> => ask(`/operator/tables?${new URLSearchParams(filter)}`),
  bots: (): Promise<BotRow[]> => ask("/operator/bots"),
  reports: (done: boolean): Promise<ReportRow[]> => ask(`/operator/reports?done=${done}`),
  bans: (): Promise<BanRow[]> => ask("/operator/bans"),
  audit: (): Promise<AuditRow[]> => ask("/operator/audit"),
  auditFile: "/api/operator/audit.jsonl",
  deed: (deed: Deed): Promise<unknown> => ask("/operator/deeds", body(deed)),
};

/** Ladders, and games between bots. */
export const ladder = {
  all: (): Promise<LadderCard[]> => ask("/ladders"),
  page: (id: number): Promise<LadderPage> => ask(`/ladders/${id}`),
  trends: (id: number): Promise<Trend[]> => ask(`/ladders/${id}/trends`),
  file: (id: number): string => `/api/ladders/${id}/table.csv`,
  people: (game: string, rules: string): Promise<PeoplePage> =>
    ask(`/ladder/${encodeURIComponent(game)}/people${rules ? `?rules=${encodeURIComponent(rules)}` : ""}`),
  queue: (): Promise<Queue> => ask("/ladder/queue"),
  game: (id: number): Promise<GamePage> => ask(`/ladder/games/${id}`),
  record: (id: number): Promise<Match> => ask(`/ladder/games/${id}/record?packed=true&boards=${boards}`),
  replay: (id: number): string => `/api/ladder/games/${id}/replay.jsonl.gz`,
  /** Of a game that is being played; the turn makes the address of each picture its own. */
  board: (id: number, turn: number): string => `/api/ladder/games/${id}/board.svg?turn=${turn}`,
  logFile: (id: number, entry: number): string => `/api/ladder/games/${id}/logs/${entry}`,
  async log(id: number, entry: number): Promise<string> {
    const answer = await fetch(ladder.logFile(id, entry));
    if (!answer.ok) throw refusal(answer.status, await answer.text());
    return answer.text();
  },
};

/** Bots of users: uploads, tokens, an author's bots. */
export const authors = {
  yard: (): Promise<Yard> => ask("/my/bots"),
  newNotices: (): Promise<NewNotices> => ask("/my/notices"),
  seenNotices: (last: number): Promise<NewNotices> => ask("/my/notices", body({ last })),
  uploads: (): Promise<UploadCard[]> => ask("/my/uploads"),
  /** With `seen`, answers as soon as there is a change, or after 20 seconds. */
  upload: (id: number, seen?: number, signal?: AbortSignal): Promise<UploadCard> =>
    ask(`/my/uploads/${id}${seen === undefined ? "" : `?seen=${seen}`}`, signal ? { signal } : {}),
  send: (file: Blob, words: Record<string, string>): Promise<UploadCard> =>
    ask(`/my/uploads?${new URLSearchParams(words)}`, {
      method: "POST",
      body: file,
      headers: { "Content-Type": "application/octet-stream" },
    }),
  cancel: (id: number): Promise<UploadCard> => ask(`/my/uploads/${id}`, { method: "DELETE" }),
  log: (id: number, kind: "build" | "log"): string => `/api/my/uploads/${id}/logs/${kind}`,
  trial: (id: number): string => `/api/my/uploads/${id}/trial.jsonl.gz`,
  newToken: (name: string): Promise<CreatedToken> => ask("/my/tokens", body({ name })),
  revoke: (id: number): Promise<unknown> => ask(`/my/tokens/${id}`, { method: "DELETE" }),
  /** With its figures on a ladder; without one, on that of the usual rules. */
  page: (id: number, on: string): Promise<BotPage> => ask(`/ladder-bots/${id}${on ? `?ladder=${encodeURIComponent(on)}` : ""}`),
  act: (id: number, deed: BotDeed): Promise<BotPage> => ask(`/my/bots/${id}`, body(deed)),
  remove: (id: number): Promise<unknown> => ask(`/my/bots/${id}`, { method: "DELETE" }),
  feed: (id: number): string => `/api/ladder/bots/${id}/results.atom`,
  results: (id: number): string => `/api/ladder/bots/${id}/results.csv`,
  source: (id: number, version: number): string => `/api/ladder-bots/${id}/versions/${version}/source.tar.gz`,
};

export interface PartyLink {
  role: string;
  name: string;
  is_bot: boolean;
  code: string | null;
  is_used: boolean;
  /** Whether it opens the host's page in another browser. */
  is_host: boolean;
}

/** A party online. */
export const party = {
  open: (game: string, wish: object): Promise<{ id: string; token: string }> => ask("/parties", body({ game, wish })),
  claim: (id: string, code: string): Promise<{ role: string; token: string }> =>
    ask(`/parties/${encodeURIComponent(id)}/claim`, body({ code })),
  links: (id: string, token: string): Promise<PartyLink[]> => ask(`/parties/${id}/links`, bearer(token)),
  move: (id: string, token: string, role: string): Promise<unknown> =>
    ask(`/parties/${id}/links/${encodeURIComponent(role)}`, { method: "POST", ...bearer(token) }),
  map: <M>(id: string, token: string, number: number): Promise<M> => ask(`/parties/${id}/maps/${number}`, bearer(token)),
};

export const replayFile = (id: string): string => `/api/tables/${id}/replay.jsonl.gz`;
/** What the server says about a file that it was sent without its name. */
export const aboutFile = (file: File, why: string): string => why.replace(/^replay\.jsonl(\.gz)?(?= )/, () => file.name);
export const readReplay = (file: Blob): Promise<Match> =>
  ask(`/replays?packed=true&boards=${boards}`, { method: "POST", body: file, headers: { "Content-Type": "application/octet-stream" } });
