// Groups, challenges and seasons: requests to the server, and what their pages say in words and figures.

import type {
  ChallengeForm,
  ChallengePage,
  GroupAct,
  GroupCard,
  GroupLadder,
  GroupPage,
  LadderRow,
  NewChallenge,
  NewGroup,
  SeasonPage,
  SeasonRow,
  TournamentPage,
} from "../wire";
import { ask, body } from "./api";

const at = (id: string | number): string => encodeURIComponent(String(id));

export const groups = {
  mine: (): Promise<GroupCard[]> => ask("/groups"),
  ladders: (): Promise<GroupLadder[]> => ask("/groups/ladders"),
  create: (group: NewGroup): Promise<GroupPage> => ask("/groups", body(group)),
  page: (id: string): Promise<GroupPage> => ask(`/groups/${at(id)}`),
  invitation: (token: string): Promise<GroupPage> => ask(`/invitations/${at(token)}`),
  accept: (token: string): Promise<GroupPage> => ask(`/invitations/${at(token)}`, { method: "POST" }),
  askToJoin: (id: string): Promise<GroupPage> => ask(`/groups/${at(id)}/ask`, { method: "POST" }),
  act: (id: string, act: GroupAct): Promise<GroupPage> => ask(`/groups/${at(id)}/acts`, body(act)),
  tournament: (id: string, number: number): Promise<TournamentPage> => ask(`/groups/${at(id)}/tournaments/${number}`),
  table: (id: string, number: number, table: string): string => `/api/groups/${at(id)}/tournaments/${number}/${table}.csv`,
  ladderFile: (id: string): string => `/api/groups/${at(id)}/ladder.csv`,
};

export interface DateOfGroup {
  at: number;
  words: string;
  long: string;
}

/** The dates of a group in their order. */
export function datesOf(page: Pick<GroupPage, "created" | "sign_up" | "lock_at" | "starts">): DateOfGroup[] {
  const found: DateOfGroup[] = [{ at: page.created, words: "sign-up opens", long: "sign-up opened" }];
  if (page.sign_up !== null) found.push({ at: page.sign_up, words: "sign-up closes", long: "sign-up closes" });
  if (page.lock_at !== null) found.push({ at: page.lock_at, words: "versions lock", long: "the versions lock" });
  if (page.starts !== null) found.push({ at: page.starts, words: "tournament", long: "the tournament" });
  return found.sort((a, b) => a.at - b.at);
}

/** What comes next. Once the versions are locked, the lock does not, however this clock and the server's differ. */
export const nextDate = (dates: readonly DateOfGroup[], page: Pick<GroupPage, "locked" | "lock_at">, now: number): DateOfGroup | null =>
  dates.find(({ at }) => at > now && !(page.locked && at === page.lock_at)) ?? null;

export const challenges = {
  form: (ladder: number): Promise<ChallengeForm> => ask(`/ladders/${ladder}/challenge`),
  ask: (challenge: NewChallenge): Promise<ChallengePage> => ask("/challenges", body(challenge)),
  page: (id: number): Promise<ChallengePage> => ask(`/challenges/${id}`),
};

export const seasonFile = (ladder: number, number: number): string => `/api/ladders/${ladder}/seasons/${number}/table.csv`;
export const season = (ladder: number, number: number): Promise<SeasonPage> => ask(`/ladders/${ladder}/seasons/${number}`);

/** A bot in the archive of a season as a row of a ladder. */
export const asRow = ({ ours, elo, ...row }: SeasonRow): LadderRow => ({
  ...row,
  author: ours ? "" : row.author,
  rating: elo,
  fitted: elo,
});

// ---- dates

/** Fri 27 Nov, 18:00 */
export function when(seconds: number): string {
  const date = new Date(seconds * 1000);
  const day = date.toLocaleDateString("en-GB", { weekday: "short", day: "numeric", month: "short" });
  return `${day.replace(",", "")}, ${date.toLocaleTimeString("en-GB", { hour: "2-digit", minute: "2-digit" })}`;
}

/** 27 Nov */
export const day = (seconds: number): string => new Date(seconds * 1000).toLocaleDateString("en-GB", { day: "numeric", month: "short" });

/** Today with its hour, yesterday, or the day. */
export function lately(seconds: number, now: number): string {
  const [date, today] = [new Date(seconds * 1000), new Date(now * 1000)];
  if (date.toDateString() === today.toDateString())
    return `today ${date.toLocaleTimeString("en-GB", { hour: "2-digit", minute: "2-digit" })}`;
  const before = new Date(now * 1000 - 86400000);
  return date.toDateString() === before.toDateString() ? "yesterday" : day(seconds);
}

const two = (n: number): string => String(n).padStart(2, "0");

/** For an input of date and time, in the time of this browser. */
export function toInput(seconds: number | null): string {
  if (seconds === null) return "";
  const d = new Date(seconds * 1000);
  return `${d.getFullYear()}-${two(d.getMonth() + 1)}-${two(d.getDate())}T${two(d.getHours())}:${two(d.getMinutes())}`;
}

export function fromInput(text: string): number | null {
  const at = new Date(text).getTime();
  return text && Number.isFinite(at) ? at / 1000 : null;
}

// ---- in words

export const SYSTEMS = { swiss: "Swiss", "round-robin": "Round robin", "knock-out": "Knock-out" } as const;
