import { describe, expect, it } from "vitest";
import type { VersionRow } from "../../wire";
import { curveOf } from "./curve";

const version = (number: number, state: VersionRow["state"], curve: VersionRow["curve"], created = 0): VersionRow => ({
  number,
  created,
  state,
  language: "rust",
  plays: false,
  rating: null,
  why: "",
  upload: null,
  source: false,
  curve,
});
const HOUR = 3600;
const point = (hours: number, elo: number, margin = 50): VersionRow["curve"][number] => ({ at: hours * HOUR, elo, margin });

describe("the curve of a rating", () => {
  it("has one piece for each rated version, and marks for refused ones", () => {
    const found = curveOf(
      [
        version(3, "passed", [point(20, 1600), point(24, 1620)], 19 * HOUR),
        version(2, "refused", [], 15 * HOUR),
        version(1, "passed", [point(0, 1450), point(12, 1500)]),
      ],
      0,
      24 * HOUR,
    );
    expect(found?.pieces.map(({ number }) => number)).toEqual([1, 3]);
    expect(found?.refused.map(({ number }) => number)).toEqual([2]);
    expect(found?.pieces[0]?.line.split(" ")).toHaveLength(2);
    expect(found?.pieces[0]?.band.split(" ")).toHaveLength(4);
    expect([found?.low, found?.high]).toEqual([1400, 1700]); // 1450 - 50 and 1620 + 50, in steps of 50
    expect(found?.y(1700)).toBeLessThan(found?.y(1400) ?? 0);
    expect(found?.pieces[1]?.last[0]).toBeCloseTo(744); // now, at the right
  });
  it("gives no room to the wide bands of the first games", () => {
    const found = curveOf([version(1, "passed", [point(0, 1500, 900), point(12, 1500), point(24, 1520)])], 0, 24 * HOUR);
    expect([found?.low, found?.high]).toEqual([1440, 1580]); // 1450 and 1570, in steps of 20
    expect(found?.pieces[0]?.band.split(" ")[0]).toBe("8.0,26.0"); // cut at the upper edge
  });
  it("shows a bot of a few minutes at the right, where a phone opens it", () => {
    const found = curveOf([version(1, "passed", [point(100, 1500), point(100.1, 1520)])], 0, 100.1 * HOUR);
    expect(found?.pieces[0]?.last[0]).toBeCloseTo(744);
    expect(found?.pieces[0]?.x).toBeCloseTo(744 - 73.6); // a tenth of the hour
  });
  it("leaves out what is older than the span", () => {
    const all = [version(2, "passed", [point(20, 1600)]), version(1, "passed", [point(0, 1450)])];
    expect(curveOf(all, 10 * HOUR, 24 * HOUR)?.pieces.map(({ number }) => number)).toEqual([2]);
    expect(curveOf(all, 22 * HOUR, 24 * HOUR)).toBeNull();
    expect(curveOf([], 0, 1)).toBeNull();
  });
});
