import { describe, expect, it } from "vitest";
import { between, doubt, faultLink, faultWhere, inWords, ranks } from "./words";

const rating = { elo: 1741, margin: 27, placing: false, rank_from: 4, rank_to: 9, of: 64 };

describe("figures of bots", () => {
  it("writes ranks as ranges", () => {
    expect(ranks(rating)).toBe("4–9 of 64");
    expect(ranks({ ...rating, rank_to: 4 })).toBe("4 of 64");
    expect(ranks({ ...rating, rank_from: null, rank_to: null })).toBe("open");
  });
  it("is sure only if the interval leaves out 50 %", () => {
    expect(doubt({ games: 96, share: 0.62, low: 0.52, high: 0.71 })).toBe(1);
    expect(doubt({ games: 12, share: 0.67, low: 0.39, high: 0.86 })).toBe(0);
    expect(doubt({ games: 60, share: 0.27, low: 0.18, high: 0.39 })).toBe(-2);
    expect(doubt({ games: 60, share: 1, low: 0.94, high: 1 })).toBe(3);
  });
  it("says it in words", () => {
    expect(inWords({ games: 96, share: 0.62, low: 0.52, high: 0.71 })).toBe("62 % of 96 games, 95 % between 52 and 71: surely better");
    expect(inWords({ games: 1, share: 0, low: 0, high: 0.79 })).toBe("0 % of 1 game, 95 % between 0 and 79: open");
    expect([between(0.42), between(14.2)]).toEqual(["0.4", "14"]);
  });
  it("leads to the turn of a fault, if it is known", () => {
    expect(faultWhere({ turn: 437, against: "Bulwark" })).toBe("turn 437 against Bulwark");
    expect(faultLink({ game: 9, step: 437 })).toBe("/match/9?step=437");
    expect(faultWhere({ turn: null, against: "Bulwark" })).toBe("against Bulwark");
    expect(faultLink({ game: 9, step: null })).toBe("/match/9");
  });
});
