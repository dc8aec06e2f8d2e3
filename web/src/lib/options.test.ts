import { describe, expect, test } from "vitest";
import { fields, hint, inWords, ruleSet, valueOf, type Field } from "./options";

/** The one field of a schema, written as msgspec writes it: a reference to the options, with this option in it. */
function field(of: object, definitions: object = {}): Field {
  const root = { $ref: "#/$defs/Options", $defs: { Options: { type: "object", properties: { spell_price: of } }, ...definitions } };
  return fields(root)[0]!;
}

test("a schema without options has no fields", () => {
  expect(fields({})).toEqual([]);
  expect(fields({ $ref: "#/$defs/Gone" })).toEqual([]);
});

describe("a field is", () => {
  test("called by its title, or by its name in words", () => {
    expect(field({ type: "integer" }).title).toBe("Spell price");
    expect(field({ type: "integer", title: "Price of spells" }).title).toBe("Price of spells");
  });

  test("a number between bounds", () => {
    expect(field({ type: "integer", minimum: 1, maximum: 8 })).toMatchObject({ kind: "number", least: 1, most: 8, empty: false });
    expect(field({ type: "number" })).toMatchObject({ kind: "number", least: undefined, most: undefined });
  });

  test("a number that may be left empty", () => {
    const of = { anyOf: [{ type: "integer", minimum: 1, maximum: 99 }, { type: "null" }] };
    expect(field(of)).toMatchObject({ kind: "number", least: 1, most: 99, empty: true });
    expect(field({ anyOf: of.anyOf.toReversed() })).toMatchObject({ kind: "number", least: 1, most: 99, empty: true });
  });

  test("a choice, of words or numbers", () => {
    expect(field({ enum: ["one", "two"] })).toMatchObject({ kind: "choice", choices: ["one", "two"], empty: false });
    expect(field({ enum: [0, 2, 3] })).toMatchObject({ kind: "choice", choices: [0, 2, 3] });
  });

  test("a choice that may be left empty, however the schema says so", () => {
    const wanted = { kind: "choice", choices: ["fog", "sun"], empty: true };
    expect(field({ anyOf: [{ enum: ["fog", "sun"] }, { type: "null" }] })).toMatchObject(wanted);
    expect(field({ enum: ["fog", "sun", null] })).toMatchObject(wanted);
    expect(field({ anyOf: [{ type: "null" }, { $ref: "#/$defs/Weather" }] }, { Weather: { enum: ["fog", "sun"] } })).toMatchObject(wanted);
  });

  test("a choice that is defined elsewhere", () => {
    expect(field({ $ref: "#/$defs/Weather" }, { Weather: { enum: ["fog", "sun"] } })).toMatchObject({ choices: ["fog", "sun"] });
  });

  test("a switch", () => {
    expect(field({ type: "boolean" }).kind).toBe("switch");
  });

  test("a text, with examples", () => {
    expect(field({ type: "string", examples: ["random"] })).toMatchObject({ kind: "text", examples: ["random"] });
  });

  test("a text where it is a number or a word, whichever comes first", () => {
    const ways = [{ type: "integer", minimum: 1, maximum: 1000 }, { enum: ["none"] }];
    expect(field({ anyOf: ways })).toMatchObject({ kind: "text", least: 1, most: 1000 });
    expect(field({ anyOf: ways.toReversed() })).toMatchObject({ kind: "text", least: 1, most: 1000 });
  });
});

describe("a hint says", () => {
  test("what it is about and between what numbers it lies", () => {
    expect(hint(field({ type: "integer", minimum: 1, maximum: 8, description: "How many." }))).toBe("How many. 1 to 8.");
  });

  test("no range for values that are not numbers, and nothing if there is nothing to say", () => {
    expect(hint(field({ type: "integer", minimum: 1 }))).toBe("");
    expect(hint(field({ enum: ["a"], description: "Which." }))).toBe("Which.");
  });
});

describe("what was entered", () => {
  const number = field({ type: "integer", minimum: 0, maximum: 9 });
  const mixed = field({ anyOf: [{ type: "integer", minimum: 1 }, { enum: ["none"] }] });
  const text = field({ type: "string" });

  test("is a number in a field of numbers, also nought", () => {
    expect(valueOf(number, "7")).toBe(7);
    expect(valueOf(number, 0)).toBe(0);
  });

  test("is left to the game where a number is missing", () => {
    for (const nothing of ["", null, undefined]) expect(valueOf(number, nothing)).toBeUndefined();
  });

  test("is a number or a word where both are possible", () => {
    expect(valueOf(mixed, "5")).toBe(5);
    expect(valueOf(mixed, "none")).toBe("none");
  });

  test("stays a text where only texts are possible", () => {
    expect(valueOf(text, "12")).toBe("12");
    expect(valueOf(text, "")).toBe("");
  });

  test("is left to the game where a field that may be empty is empty", () => {
    expect(valueOf(field({ anyOf: [{ type: "string" }, { type: "null" }] }), "")).toBeUndefined();
  });

  test("may be false", () => {
    expect(valueOf(field({ type: "boolean" }), false)).toBe(false);
  });
});

test("values are shown in the words of the game, in its order", () => {
  const coin = field({ enum: ["call", "off", "on"], words: { off: "A draw", on: "A die decides", call: "You toss a coin" } });
  expect(coin.choices).toEqual(["off", "on", "call"]);
  expect(coin.choices.map((choice) => inWords(coin, choice))).toEqual(["A draw", "A die decides", "You toss a coin"]);
  expect(inWords(coin, "half-turn")).toBe("Half turn");
  expect(inWords(coin, "")).toBe("Default");
});

test("rule sets are shown in the words of the game", () => {
  const words = { classic: "Classic", "finals-2025": "Finals of 2025" };
  const rules = { enum: ["classic", "finals-2025"], words, description: "Which rules." };
  const card = { options: { properties: { rules } }, usual: { rules: "classic" } };
  expect(ruleSet(card, "usual")).toEqual({ name: "Classic", about: "Which rules." });
  expect(ruleSet(card, "finals-2025").name).toBe("Finals of 2025");
  expect(ruleSet({ options: {}, usual: {} }, "usual").name).toBe("Usual rules");
  expect(ruleSet(undefined, "short-games").name).toBe("Short games");
});
