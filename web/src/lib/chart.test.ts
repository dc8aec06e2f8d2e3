import { describe, expect, it } from "vitest";
import { BOTTOM, ceiling, height, line, TOP, WIDTH } from "./chart";

describe("a chart", () => {
  it("has a scale that ends at a round number", () => {
    expect([0, 0.7, 1, 3, 130, 612, 1000].map((value) => ceiling(value))).toEqual([1, 1, 1, 5, 200, 1000, 1000]);
    expect(ceiling(0.03, 0.1)).toBe(0.1);
  });

  it("begins at zero, and cuts off what is too high", () => {
    expect([0, 50, 100, 900].map((value) => height(value, 100))).toEqual([BOTTOM, (TOP + BOTTOM) / 2, TOP, TOP]);
  });

  it("breaks its line where nothing was measured", () => {
    const dots = [0, 60, 120, 180, 600].map((at) => ({ at, value: at === 120 ? null : 1 }));
    expect(line(dots, 0, 600, 1)).toBe(`M0.0 ${TOP}.0h.01L36.8 ${TOP}.0L110.4 ${TOP}.0M${WIDTH}.0 ${TOP}.0h.01`);
    expect(line([{ at: 60, value: 1 }], 120, 600, 1)).toBe("");
  });
});
