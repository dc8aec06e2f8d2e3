import { describe, expect, test } from "vitest";
import { askedOf, sizeOf, told } from "./asked";
import { fields } from "./options";

const number = { type: "integer", minimum: 0, maximum: 99 };
const orNothing = { anyOf: [number, { type: "null" }] };
const table = { type: "string", title: "Unit table", examples: ["2025-07"], words: { "2025-07": "July 2025" } };

/** What is told about the options of a game, each of them with its usual and its chosen value. */
function said(options: Record<string, readonly [schema: object, usual: unknown, chosen: unknown]>): string[] {
  const each = Object.entries(options);
  const form = fields({ properties: Object.fromEntries(each.map(([name, [schema]]) => [name, schema])) });
  const usual = Object.fromEntries(each.map(([name, [, value]]) => [name, value]));
  const chosen = Object.fromEntries(each.map(([name, [, , value]]) => [name, value]));
  return askedOf(form, usual, chosen).map(told);
}

describe("an option is told", () => {
  test("only if it isn't as usual", () => {
    expect(said({ turns: [number, 8, 8], units: [table, "2025-07", "2025-07"], fixed: [orNothing, null, null] })).toEqual([]);
  });

  test("not if it was emptied: the usual value is played then", () => {
    expect(said({ turns: [number, 8, null], fixed: [orNothing, null, ""] })).toEqual([]);
  });

  test("not if it was written otherwise but means the same", () => {
    const slots = { anyOf: [{ ...number, minimum: 1 }, { enum: ["none"] }] };
    expect(said({ slots: [slots, 5, "5"] })).toEqual([]);
    expect(said({ slots: [slots, 5, "7"] })).toEqual(["Slots: 7."]);
  });

  test("as the number it is, also nought", () => {
    expect(said({ turns: [number, 8, 0] })).toEqual(["Turns: 0."]);
    expect(said({ fixed: [{ ...orNothing, title: "Cards left in place" }, null, 0] })).toEqual(["Cards left in place: 0."]);
  });

  test("in the words of the game, also for a number", () => {
    const coin = { enum: ["off", "on"], words: { off: "A draw", on: "A die decides" } };
    expect(said({ coin: [coin, "off", "on"] })).toEqual(["Coin: A die decides."]);
    expect(said({ teams: [{ enum: [0, 2], words: { 0: "As the map has" } }, 2, 0] })).toEqual(["Teams: As the map has."]);
  });

  test("as a default where that is a choice", () => {
    expect(said({ weather: [{ enum: ["fog", "sun", null] }, "fog", null] })).toEqual(["Weather: Default."]);
  });

  test("as your own if it is a text that the game has no words for, or none yet", () => {
    expect(said({ units: [table, "2025-07", "zombie 2 1 1 ~\ninitiate 3-1 2"] })).toEqual(["Unit table: your own."]);
    expect(said({ units: [table, "2025-07", ""] })).toEqual(["Unit table: your own."]);
    expect(said({ units: [table, "2025-07", "short-2 table"] })).toEqual(["Unit table: short-2 table."]);
    expect(said({ line: [{ type: "string", examples: ["shuffled", "sorted"] }, "shuffled", "sorted"] })).toEqual(["Line: Sorted."]);
  });

  test("as yes or no if it is a switch", () => {
    expect(said({ fog: [{ type: "boolean" }, true, false] })).toEqual(["Fog: no."]);
  });
});

describe("the size says", () => {
  test("boards and turns, also one of them", () => {
    expect([...sizeOf({ boards: 1, turns: 200 })]).toEqual([
      ["boards", "1 board"],
      ["turns", "up to 200 turns"],
    ]);
    expect([...sizeOf({ boards: 3, turns: 1 }).values()]).toEqual(["3 boards", "up to 1 turn"]);
  });

  test("nothing about 0 or an empty field, nor in a game without them", () => {
    expect([...sizeOf({ boards: null, turns: 0 }).keys()]).toEqual([]);
    expect([...sizeOf({}).keys()]).toEqual([]);
  });
});
