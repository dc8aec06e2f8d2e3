// The reveal at the end of an evening: what the umpire tells the big screen, and what follows from it in words and figures.

import { NATIONS, title, type Nation } from "../desk.svelte";

export interface Loyalty {
  shown: "loyalty";
  court: Nation;
  role: string;
  said: Nation | null;
  spy_for: Nation | null;
}
export interface Bonus {
  shown: "bonus";
  court: Nation;
  points: number;
}
export interface Monarchs {
  shown: "monarchs";
  nations: Record<Nation, number>;
  monarchs: Record<Nation, number>;
  winner: Nation;
  why: string;
}
export interface Score {
  role: string;
  serves: Nation;
  full: number;
  is_called: boolean;
  score: number;
}
export interface Courtiers {
  shown: "courtiers";
  scores: Score[];
  tickets: Record<string, number>;
}
export interface Winner {
  role: string;
  how: string;
  ticket?: number;
  of?: number;
  /** Who had how many tickets, in their order. */
  held?: [string, number][];
}
export interface Won {
  shown: "won";
  winner: Winner;
}
export interface Key {
  shown: "key";
  key: string;
}
export type Item = Loyalty | Bonus | Monarchs | Courtiers | Won | Key;
export interface Line {
  text: string;
  void: string;
}
export interface Side {
  sheets: Record<Nation, Line[] | null>;
  scores: Record<Nation, number>;
}
export interface Turn {
  turn: number;
  turns: number;
  changed: Nation[];
  carriers: Partial<Record<Nation, string>>;
  delivered: Side;
  ordered: Side;
}

/** The rules of February 2022, where scores counted otherwise. */
export const OLD = "2022-02";
export const SHORT = 8; // letters of a name that is written large
export const LONG = 14; // and of one that is written in one line
export const FULL = 18; // courtiers whose scores fit on the screen in large type

export const courtOf = (role: string): Nation => role.split("-")[0] as Nation;
export const number = (value: number): string => value.toLocaleString("en-GB");

/** What has been shown, by kind. */
export function toldBy(shown: readonly Item[]) {
  const won = shown.filter((item) => item.shown === "won").map((item) => item.winner);
  return {
    loyalties: Object.fromEntries(shown.filter((item) => item.shown === "loyalty").map((item) => [item.role, item])),
    bonus: Object.fromEntries(shown.filter((item) => item.shown === "bonus").map((item) => [item.court, item.points])),
    monarchs: shown.find((item) => item.shown === "monarchs"),
    courtiers: shown.find((item) => item.shown === "courtiers"),
    won,
    key: shown.find((item) => item.shown === "key")?.key ?? "",
    /** The courtier with the best score, where that wins. */
    best: won[0]?.how === "best score" ? won[0].role : null,
    /** The last winner by ticket. */
    draw: won.findLast((one) => one.how !== "best score") ?? null,
  };
}

export type Scene = "Guesses" | "Scores" | "Raffle" | "Replay";
export const HEADINGS: Record<Scene, string> = { Guesses: "Guesses and truth", Scores: "Scores", Raffle: "Raffle", Replay: "Replay" };

/** The scene to which the last thing belongs that was shown. */
export const newest = ({ won, key, monarchs }: ReturnType<typeof toldBy>): Scene =>
  won.length || key ? "Raffle" : monarchs ? "Scores" : "Guesses";

export function aboutOf(act: Scene, draw: Winner | null): string {
  if (act === "Raffle") return draw ? `${number(draw.of ?? 0)} tickets` : "";
  return { Guesses: "who served whom", Scores: "the last turn counted twice", Replay: "without the fog" }[act];
}

export function footOf(act: Scene, party: string): string {
  if (act === "Guesses") return "The guesses were locked before any result was shown.";
  if (act !== "Scores") return "";
  return party === OLD ? "Three courtiers win by raffle." : "The highest score wins outright. Two more courtiers win by raffle.";
}

/** How the score of a courtier came about: "2 × 40 − 31 − 7". */
export function formula(one: Score, { monarchs, nations }: Pick<Monarchs, "monarchs" | "nations">, party: string): string {
  const counts = party === OLD ? nations : monarchs;
  const home = courtOf(one.role);
  const plain =
    one.serves === home
      ? `${counts[home]} − ${counts[home] - one.full}`
      : `2 × ${counts[one.serves]} − ${counts[home]} − ${2 * counts[one.serves] - counts[home] - one.full}`;
  return one.is_called ? `(${plain}) ÷ 2` : plain;
}

/** Where a ticket lies on the strip of all tickets, and whose part it is in: from 0 to 1. */
export function place(held: readonly [string, number][], ticket: number): { from: number; to: number; at: number } {
  const all = held.reduce((sum, [, count]) => sum + count, 0) || 1;
  let from = 0;
  for (const [, count] of held) {
    if (ticket <= from + count) return { from: from / all, to: (from + count) / all, at: (ticket - 0.5) / all };
    from += count;
  }
  return { from: 0, to: 0, at: 0 };
}

/** What the changed sheet cost or brought each nation: "Points: Red 10 less, Blue 5 more." */
export function difference(told: Pick<Turn, "delivered" | "ordered">): string {
  const words = NATIONS.flatMap((nation) => {
    const points = told.delivered.scores[nation] - told.ordered.scores[nation];
    return points ? [`${title(nation)} ${Math.abs(points)} ${points > 0 ? "more" : "less"}`] : [];
  });
  return words.length ? `Points: ${words.join(", ")}.` : "It changed nobody's points.";
}

/** Lines of one sheet that the other does not have. */
export function missing(one: readonly Line[] | null, other: readonly Line[] | null): Line[] {
  const rest = (other ?? []).map((line) => line.text);
  return (one ?? []).filter((line) => {
    const at = rest.indexOf(line.text);
    if (at >= 0) rest.splice(at, 1);
    return at < 0;
  });
}
