import { describe, expect, test } from "vitest";
import { line, option, orders, told, warning } from "../../testing/make";
import { able, news, passed } from "./run.svelte";
import { hireTo, buildAt, destroyAt } from "./sheet";

const house = option(buildAt("house", 0, 1));
const cannon = option(buildAt("cannon", 0, 1));
const north = option(hireTo("N"));
const clear = option(destroyAt(0, 0));

describe("going on", () => {
  test("stops when something can be ordered that couldn't be before", () => {
    const could = able([house, clear]);
    expect(news({ orders: orders({ options: [house, clear] }) }, could)).toBeNull();
    expect(news({ orders: orders({ options: [house, cannon, clear] }) }, could)).toBe("You can now build a cannon.");
    expect(news({ orders: orders({ options: [house, cannon, north] }) }, able([]))).toBe(
      "You can now build a house or a cannon or send a mercenary.",
    );
  });

  test("stops in the words of the umpire when an enemy is near", () => {
    const far = warning({ text: "A demon comes." });
    const near = warning({ text: "An enemy at your base: 7 damage this turn.", urgent: true });
    expect(news({ orders: orders({ alerts: [far] }) }, able([]))).toBeNull();
    expect(news({ orders: orders({ alerts: [far, near], options: [house] }) }, able([]))).toBe(near.text);
  });

  test("stops when the person gives an order", () => {
    expect(news({ orders: orders({ lines: [line(1, hireTo("N"))] }) }, able([]))).toBe("There is an order on your sheet.");
  });

  test("tells what changed, and how much is left out", () => {
    const events = ["moved", "fell"].map((kind) => ({ ...told({ kind }), words: `It ${kind}.` }));
    expect(passed({ events })).toEqual(["It fell."]);
    const many = Array.from({ length: 6 }, (_, i) => ({ ...told({ kind: "fell" }), words: String(i) }));
    expect(passed({ events: many })).toEqual(["0", "1", "2", "3", "And 2 more events."]);
    expect(passed({ events: many.slice(1) }).at(-1)).toBe("And 1 more event.");
  });
});
