import { describe, expect, test } from "vitest";
import { frame, told } from "../testing/make";
import { unpacked } from "./unpack";

const rows = (count: number, same: object, columns: Record<string, unknown[]>) => ({ count, same: { ...same }, columns });

test("a frame that is not packed stays the same object", () => {
  const plain = frame({ view: { units: [1] } });
  expect(unpacked(plain)).toBe(plain);
  expect(plain.view).toEqual({ units: [1] });
});

describe("a view", () => {
  test("gets its lists back: what all have in common, and the columns", () => {
    const packed = frame({ view: { turn: 3, units: rows(2, { side: "red" }, { x: [1, 2], y: [5, 6] }) }, packed: ["units"] });
    expect(unpacked(packed).view).toEqual({
      turn: 3,
      units: [
        { side: "red", x: 1, y: 5 },
        { side: "red", x: 2, y: 6 },
      ],
    });
  });

  test("is made once, so that it can be told by identity", () => {
    const packed = unpacked(frame({ view: { units: rows(0, {}, {}) }, packed: ["units"] }));
    expect(packed.view).toBe(packed.view);
    expect(packed.view.units).toEqual([]);
  });

  test("is not unpacked twice", () => {
    const packed = unpacked(frame({ view: { units: rows(1, {}, { x: [1] }) }, packed: ["units"] }));
    expect(unpacked({ ...packed }).view).toEqual({ units: [{ x: 1 }] });
  });
});

describe("events", () => {
  const bulk = {
    phrase: "{Side} moves {number} {number|unit|units}",
    rule: "4.1",
    seat: "side",
    runs: [
      [0, 1],
      [2, 2],
    ] as [number, number][],
    rows: rows(3, { kind: "moved" }, { side: ["red", "blue", null], number: [1, 2, 3] }),
  };
  const packed = unpacked(frame({ events: [told({ kind: "a" }), told({ kind: "b" })], bulk: [bulk] }));

  test("stand in their order, those of the bulk among the others", () => {
    expect(packed.events.map(({ event }) => event.kind)).toEqual(["moved", "a", "moved", "moved", "b"]);
  });

  test("of the bulk have words, a rule and a seat", () => {
    const [first, , second, third] = packed.events;
    expect([first!.words, first!.rule, first!.seat]).toEqual(["Red moves 1 unit", "4.1", "red"]);
    expect([second!.words, second!.seat]).toEqual(["Blue moves 2 units", "blue"]);
    expect(third!.seat).toBeNull();
  });
});

describe("sheets", () => {
  const lot = (first: number, many: number) => ({
    phrase: "{x} {number}",
    runs: [[first, many]] as [number, number][],
    rows: rows(many, {}, { x: ["a", "b"].slice(0, many), number: [1, 2].slice(0, many) }),
  });

  test("get their orders back, with nothing where a line could not be read", () => {
    const packed = unpacked(
      frame({
        orders: { red: ["a 1", "what?", "b 2"] },
        lots: {
          red: [
            {
              ...lot(0, 2),
              runs: [
                [0, 1],
                [2, 1],
              ],
            },
          ],
        },
      }),
    );
    expect(packed.sheets["red"]).toEqual([{ x: "a", number: 1 }, null, { x: "b", number: 2 }]);
    expect(packed.orders["red"]).toEqual(["a 1", "what?", "b 2"]);
  });

  test("whose texts were left out have them made", () => {
    const packed = unpacked(frame({ orders: { red: [], blue: null }, sheets: { blue: [] }, lots: { red: [lot(0, 2)] } }));
    expect(packed.orders).toEqual({ red: ["a 1", "b 2"], blue: null });
    expect(packed.sheets).toEqual({
      red: [
        { x: "a", number: 1 },
        { x: "b", number: 2 },
      ],
      blue: [],
    });
  });
});
