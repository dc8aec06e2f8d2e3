import { expect, test } from "vitest";
import { asRow, datesOf, fromInput, nextDate, toInput } from "./groups";
import { faultShare, isOurs, rankOf } from "./ladder";

test("a bot in the archive is a row of a ladder", () => {
  const conduct = { faults: 1, strikes: 2, void_lines: 0, cpu: 8 };
  const row = { bot: 3, name: "Falcon", version: 2, author: "Ada", ours: false, elo: 1741, margin: 27, games: 40, band: 1, ...conduct };
  const found = asRow({ ...row, rank_from: 1, rank_to: 3 });
  expect([found.rating, found.fitted, found.author, rankOf(found)]).toEqual([1741, 1741, "Ada", "1–3"]);
  expect(faultShare(found)).toBe(2.5);
  expect(isOurs(asRow({ ...row, ours: true, author: "", rank_from: null, rank_to: null }))).toBe(true);
});

test("dates go to the form and back", () => {
  const at = new Date(2026, 10, 27, 18, 0).getTime() / 1000;
  expect(toInput(at)).toBe("2026-11-27T18:00");
  expect(fromInput(toInput(at))).toBe(at);
  expect([toInput(null), fromInput("")]).toEqual(["", null]);
});

test("a lock that has fallen is not the next date, even if this clock is behind", () => {
  const page = { created: 0, sign_up: null, lock_at: 100, starts: 200, locked: false };
  expect(datesOf(page).map(({ at }) => at)).toEqual([0, 100, 200]);
  expect(nextDate(datesOf(page), page, 99)?.at).toBe(100);
  expect(nextDate(datesOf(page), { ...page, locked: true }, 99)?.at).toBe(200);
  expect(nextDate(datesOf(page), { ...page, locked: true }, 300)).toBeNull();
});
