import { describe, expect, test } from "vitest";
import type { Plan } from "../wire";
import { isMixture, often } from "./analysis.svelte";

const plan = (share: number): Plan => ({ orders: [], share, value: 0.5, ahead: 0, margin: 0 });

describe("how often to choose orders", () => {
  test("is a share of 100; a dash: not at all; nothing: not known", () => {
    expect([1, 0.716, 0, undefined, null].map(often)).toEqual(["100 %", "72 %", "–", "", ""]);
  });

  test("is never 0 % for what has a share", () => expect(often(0.004)).toBe("< 1 %"));
});

describe("orders are a mixture", () => {
  test("if several have a share", () => {
    expect(isMixture({ share: 0, plans: [plan(0.7), plan(0.3)] })).toBe(true);
    expect(isMixture({ share: 0.4, plans: [plan(0.6), plan(0)] })).toBe(true);
    expect(isMixture({ plans: [plan(0.7), plan(0.3)] })).toBe(true);
  });

  test("and not if one is always best", () => {
    expect(isMixture({ share: 0, plans: [plan(1), plan(0)] })).toBe(false);
    expect(isMixture({ share: 1, plans: [plan(0)] })).toBe(false);
    expect(isMixture({ plans: [plan(1)] })).toBe(false);
  });
});
