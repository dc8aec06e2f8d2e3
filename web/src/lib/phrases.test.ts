import { describe, expect, test } from "vitest";
import { filled, partsOf, told, valueOf } from "./phrases";

describe("a sentence", () => {
  test("has the fields of the event in their places", () => {
    expect(filled("{seat} marches from {hex} to {to}", { seat: "red", hex: "G5", to: "H4" })).toBe("red marches from G5 to H4");
  });

  test("begins a place with a capital where the phrase does", () => {
    expect(filled("{Seat} wins", { seat: "red" })).toBe("Red wins");
  });

  test("chooses the singular for one only", () => {
    const phrase = "{number} {number|regiment|regiments}";
    expect([0, 1, 2].map((number) => filled(phrase, { number }))).toEqual(["0 regiments", "1 regiment", "2 regiments"]);
  });

  test("writes a place with a comma and what is left out as 0", () => {
    expect(filled("at {at}: {number}", { at: [3, 4] })).toBe("at 3,4: 0");
    expect(filled("{foe}", { foe: null })).toBe("0");
  });

  test("does not expand templates inside the value of a field", () => {
    expect(filled("{who} says {words}", { who: "{words}", words: "$& {who}" })).toBe("{words} says $& {who}");
  });
});

describe("a template", () => {
  test("is texts and fields in turn", () => {
    expect(partsOf("army {nation}")).toEqual(["army ", "nation", ""]);
    expect(partsOf("{a}-{b}!")).toEqual(["", "a", "-", "b", "!"]);
    expect(partsOf("land")).toEqual(["land"]);
  });

  test("is not told where the event does not say what it speaks of", () => {
    expect(told("army {nation}", { nation: "red" })).toBe("army red");
    expect(told("army {nation}", { nation: null })).toBeNull();
    expect(told("army {nation}", {})).toBeNull();
    expect(told("{x},{y}", { x: 0, y: 0 })).toBe("0,0");
    expect(told("", {})).toBe("");
  });
});

describe("a value", () => {
  test("is the field itself, not its text", () => {
    expect(valueOf("{number}", { number: 3 })).toBe(3);
    expect(valueOf("{at}", { at: [1, 2] })).toEqual([1, 2]);
    expect(valueOf("{number}", {})).toBe(0);
  });

  test("is a text where it is more than a field, and itself if it is not a text", () => {
    expect(valueOf("of {side}", { side: "red" })).toBe("of red");
    expect(valueOf("of {side}", {})).toBeNull();
    expect(valueOf(true, {})).toBe(true);
    expect(valueOf(null, {})).toBeNull();
  });
});
