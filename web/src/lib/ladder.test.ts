import { expect, test } from "vitest";
import type { LadderRow } from "../wire";
import {
  axisOf,
  bands,
  bandWords,
  change,
  conduct,
  doubtful,
  faultShare,
  inOrder,
  inShort,
  intervalWords,
  matches,
  moves,
  ofOne,
  place,
  points,
  rankOf,
  sentence,
  sorted,
  strikesAndTime,
} from "./ladder";

const row = (bot: number, rating: number | null, more: Partial<LadderRow> = {}): LadderRow => ({
  bot,
  name: `bot ${bot}`,
  version: 1,
  author: "ada",
  rating,
  margin: 20,
  fitted: rating,
  ...more,
});
const RANKED = [
  row(1, 1870, { band: 1, rank_from: 1, rank_to: 1, doubt_from: 1, doubt_to: 1 }),
  row(2, 1740, { band: 2, rank_from: 2, rank_to: 3, doubt_from: 2, doubt_to: 3 }),
  row(3, 1730, { band: 2, rank_from: 2, rank_to: 3, doubt_from: 2, doubt_to: 3 }),
  row(4, 1600, { band: 3, rank_from: 4, rank_to: 4, doubt_from: 4, doubt_to: 4 }),
  row(5, 1735, { band: 2, placing: true, margin: 118 }),
];
const pinned = new Map(RANKED.map((one) => [one.bot, one]));

test("ranks are ranges, and open while a bot is placed", () => {
  expect(RANKED.map(rankOf)).toEqual(["1", "2–3", "2–3", "4", "open"]);
});

test("order stays until it is sorted again, and the page says how many would move", () => {
  const order = sorted(RANKED).map((one) => one.bot);
  expect(order).toEqual([1, 2, 5, 3, 4]);
  expect(moves(RANKED, order)).toBe(0);
  const later = RANKED.map((one) => (one.bot === 3 ? { ...one, rating: 1760 } : one));
  expect(inOrder(later, order).map((one) => one.bot)).toEqual(order);
  expect(moves(later, order)).toBe(3);
  expect(inOrder([...later, row(9, null)], order).map((one) => one.bot)).toEqual([...order, 9]);
});

test("a band is a proof, so a rating never crosses its line", () => {
  const crossing = RANKED.map((one) => (one.bot === 4 ? { ...one, rating: 1900 } : one));
  expect(sorted(crossing).map((one) => one.bot)).toEqual([1, 2, 5, 3, 4]);
  expect(bands(sorted(RANKED), pinned).map((band) => [band.number, band.rows.length])).toEqual([
    [1, 1],
    [2, 3],
    [3, 1],
  ]);
  expect(bandWords(4)).toBe("Surely below bands 1 to 3.");
});

test("the bracket holds the bots that can't be told from one", () => {
  expect(doubtful(2, pinned)).toEqual([2, 3]);
  expect(doubtful(5, pinned)).toEqual([]);
  expect(sentence(2, RANKED, pinned)).toBe(
    "is somewhere between rank 2 and 3: surely below bot 1, surely above bot 4. The bracket at the left holds the 1 bot it can't be told from yet.",
  );
  expect(sentence(5, RANKED, pinned)).toBe("is still being placed: 0 games so far.");
});

test("one axis for all, which a newcomer does not squeeze", () => {
  const axis = axisOf([...RANKED, row(6, 1500, { placing: true, margin: 900 })]);
  expect(axis.low).toBeGreaterThan(1500);
  expect(place(axis, 1600)).toBeGreaterThan(0);
  expect(place(axis, 100)).toBe(0);
  expect(axis.ticks.every((tick) => tick % 50 === 0)).toBe(true);
  expect(axisOf([]).ticks).toEqual([1400, 1500, 1600]);
  expect(intervalWords(RANKED[1]!)).toBe("1740, 95 % between 1720 and 1760");
});

test("a change is sure only beyond both margins", () => {
  expect(
    change([
      [0, 1500, 30],
      [1, 1560, 30],
    ]),
  ).toEqual({ by: 60, sure: true });
  expect(
    change([
      [0, 1500, 30],
      [1, 1540, 30],
    ]),
  ).toEqual({ by: 40, sure: false });
  expect(change([[0, 1500, 30]])).toBeNull();
});

test("filters, faults and points", () => {
  const all = { text: "", language: "", author: "", members: null, ours: true, paused: true };
  expect(matches(row(1, 1500), { ...all, text: "AD" })).toBe(true);
  expect(matches(row(1, 1500, { author: "" }), { ...all, ours: false })).toBe(false);
  expect(matches(row(1, 1500, { state: "paused" }), { ...all, paused: false })).toBe(false);
  const members = new Set(["ada"]);
  expect(matches(row(1, 1500, { author: "ada" }), { ...all, members })).toBe(true);
  expect(matches(row(1, 1500, { author: "ben" }), { ...all, members })).toBe(false);
  expect(matches(row(1, 1500, { author: "" }), { ...all, members })).toBe(false);
  expect(faultShare(row(1, 1500, { games: 200, faults: 5 }))).toBe(2.5);
  expect([0.5, 1.5, 2, 0].map(points)).toEqual(["½", "1½", "2", "0"]);
});

test("faults, strikes and time are said of a row", () => {
  expect(conduct(row(1, 1700, { games: 4, faults: 1, strikes: 2, cpu: 2 }))).toBe(
    "1 fault, 2 strikes, 0 void lines in 4 games; 500 ms of CPU time a game.",
  );
  expect(conduct(row(1, null))).toBe("");
});

test("faults, strikes and time fit into a line", () => {
  const of = { games: 200, faults: 5, strikes: 1, cpu: 2.4 };
  expect(inShort(of)).toBe("2.5 faults per 100, 1 strike, 12 ms a game");
  expect(strikesAndTime(of)).toBe("1 strike, 12 ms");
  expect([inShort({}), strikesAndTime({ games: 0 })]).toEqual(["", ""]);
  expect(ofOne({ fault: null, strikes: 2, cpu: 0.4 })).toBe("no fault, 2 strikes, 400 ms");
  expect(ofOne({ fault: "crash", strikes: 0, cpu: 0 })).toBe("crash, 0 strikes, 0 ms");
  expect(ofOne({ fault: "", strikes: 0, cpu: 0 })).toBe("");
});
