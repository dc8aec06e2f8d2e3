import { expect, test } from "vitest";
import { corrections, path, qr } from "./qr";

test("correction words of the standard's example", () => {
  // "HELLO WORLD" as version 1, level M.
  const data = [32, 91, 11, 120, 209, 114, 220, 77, 67, 64, 236, 17, 236, 17, 236, 17];
  expect(corrections(data, 10)).toEqual([196, 35, 39, 119, 235, 215, 231, 226, 93, 23]);
});

/** Reads a code again: the level and mask from its notes, then the bytes along the zigzag, all from the standard. */
function decoded(square: readonly boolean[][]): string {
  const size = square.length;
  const version = (size - 17) / 4;
  const at = (x: number, y: number) => Number(square[y]![x]);
  const places: [number, number][] = [];
  for (let i = 0; i < 8; i++) places.push([size - 1 - i, 8]);
  for (let i = 8; i < 15; i++) places.push([8, size - 15 + i]);
  const about = places.reduce((sum, [x, y], i) => sum | (at(x, y) << i), 0) ^ 0x5412;
  const mask = (about >> 10) & 7;
  const masked = [
    (x: number, y: number) => (x + y) % 2,
    (_x: number, y: number) => y % 2,
    (x: number) => x % 3,
    (x: number, y: number) => (x + y) % 3,
    (x: number, y: number) => (Math.floor(y / 2) + Math.floor(x / 3)) % 2,
    (x: number, y: number) => ((x * y) % 2) + ((x * y) % 3),
    (x: number, y: number) => (((x * y) % 2) + ((x * y) % 3)) % 2,
    (x: number, y: number) => (((x + y) % 2) + ((x * y) % 3)) % 2,
  ][mask]!;
  const middle = version === 1 ? [] : [6, size - 7];
  const fixed = (x: number, y: number) =>
    (x < 9 && y < 9) ||
    (x > size - 9 && y < 9) ||
    (x < 9 && y > size - 9) ||
    x === 6 ||
    y === 6 ||
    middle.some((my) => middle.some((mx) => !(mx === 6 || my === 6) && Math.abs(x - mx) <= 2 && Math.abs(y - my) <= 2));
  const bits: number[] = [];
  let up = true;
  for (let right = size - 1; right > 0; right -= 2) {
    if (right === 6) right--;
    for (let i = 0; i < size; i++)
      for (const x of [right, right - 1]) {
        const y = up ? size - 1 - i : i;
        if (!fixed(x, y)) bits.push(at(x, y) ^ Number(masked(x, y) === 0));
      }
    up = !up;
  }
  const bytes = Array.from({ length: Math.floor(bits.length / 8) }, (_, i) => parseInt(bits.slice(8 * i, 8 * i + 8).join(""), 2));
  const blocks = version < 4 ? 1 : version < 6 ? 2 : 4;
  const room = [16, 28, 44, 64, 86, 108][version - 1]!;
  const each = room / blocks;
  const data = Array.from({ length: room }, (_, i) => bytes[(i % each) * blocks + Math.floor(i / each)]!);
  const stream = data.map((byte) => byte.toString(2).padStart(8, "0")).join("");
  const length = parseInt(stream.slice(4, 12), 2);
  return new TextDecoder().decode(Uint8Array.from({ length }, (_, i) => parseInt(stream.slice(12 + 8 * i, 20 + 8 * i), 2)));
}

test.each([
  ["a"],
  ["https://polemos.example/party/0123456789ab"],
  [`https://polemos.example/party/0123456789ab#code=${"c".repeat(32)}`],
  ["grün"],
])("%s can be read again", (text) => {
  expect(decoded(qr(text))).toBe(text);
});

test("finders stand in three corners, and there is a rim of four", () => {
  const square = qr("polemos");
  const last = square.length - 1;
  for (const [x, y] of [
    [0, 0],
    [last - 6, 0],
    [0, last - 6],
  ] as const) {
    expect(square[y]!.slice(x, x + 7)).toEqual(Array(7).fill(true));
    expect(square[y + 3]!.slice(x, x + 7)).toEqual([true, false, true, true, true, false, true]);
  }
  expect(path(square).size).toBe(square.length + 8);
  expect(() => qr("x".repeat(300))).toThrow(RangeError);
});
