// Words and figures on the pages of bots.

import type { FaultRow, Rating, Share } from "../../wire";

export const LANGUAGES: Record<string, string> = {
  python: "Python",
  javascript: "JavaScript",
  java: "Java",
  rust: "Rust",
  go: "Go",
  c: "C",
  "c++": "C++",
};

/** A figure with one digit after the point, if it needs one: 0.4, 14. */
export const between = (value: number): string => (value < 10 ? String(Math.round(value * 10) / 10) : String(Math.round(value)));

/** "4–9 of 64", or "open" while it is being placed. */
export function ranks(rating: Rating, to = "–"): string {
  if (rating.rank_from === null || rating.rank_to === null) return "open";
  const range = rating.rank_from === rating.rank_to ? String(rating.rank_from) : `${rating.rank_from}${to}${rating.rank_to}`;
  return `${range} of ${rating.of}`;
}

/** How sure it is: -3 to -1 surely worse, 1 to 3 surely better, by the end of the interval nearer to 50 %; 0 open. */
export function doubt(share: Share): number {
  if (share.low > 0.5) return share.low > 0.7 ? 3 : share.low > 0.6 ? 2 : 1;
  if (share.high < 0.5) return share.high < 0.3 ? -3 : share.high < 0.4 ? -2 : -1;
  return 0;
}

export const percent = (part: number): number => Math.round(100 * part);

/** "62 % of 96 games, 95 % between 52 and 71: surely better". */
export function inWords(share: Share): string {
  const sure = doubt(share) > 0 ? "surely better" : doubt(share) < 0 ? "surely worse" : "open";
  const games = share.games === 1 ? "1 game" : `${share.games} games`;
  return `${percent(share.share)} % of ${games}, 95 % between ${percent(share.low)} and ${percent(share.high)}: ${sure}`;
}

/** "turn 437 against Bulwark"; of old games the turn isn't known. */
export const faultWhere = (row: Pick<FaultRow, "turn" | "against">): string =>
  `${row.turn === null ? "" : `turn ${row.turn} `}against ${row.against}`;

/** The replay, where that turn has just been played. */
export const faultLink = (row: Pick<FaultRow, "game" | "step">): string =>
  `/match/${row.game}${row.step === null ? "" : `?step=${row.step}`}`;
