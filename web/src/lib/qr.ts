// QR codes (ISO/IEC 18004) for links: bytes, correction level M, versions 1 to 10, the mask with the lowest penalty.

/** By version: correction words in each block, and the data words of each block. */
const BLOCKS: readonly (readonly [number, readonly number[]])[] = [
  [10, [16]],
  [16, [28]],
  [26, [44]],
  [18, [32, 32]],
  [24, [43, 43]],
  [16, [27, 27, 27, 27]],
  [18, [31, 31, 31, 31]],
  [22, [38, 38, 39, 39]],
  [22, [36, 36, 36, 37, 37]],
  [26, [43, 43, 43, 43, 44]],
];
const ALIGNED: readonly (readonly number[])[] = [
  [],
  [6, 18],
  [6, 22],
  [6, 26],
  [6, 30],
  [6, 34],
  [6, 22, 38],
  [6, 24, 42],
  [6, 26, 46],
  [6, 28, 50],
];
const MASKS: readonly ((x: number, y: number) => boolean)[] = [
  (x, y) => (x + y) % 2 === 0,
  (_x, y) => y % 2 === 0,
  (x) => x % 3 === 0,
  (x, y) => (x + y) % 3 === 0,
  (x, y) => (Math.floor(y / 2) + Math.floor(x / 3)) % 2 === 0,
  (x, y) => ((x * y) % 2) + ((x * y) % 3) === 0,
  (x, y) => (((x * y) % 2) + ((x * y) % 3)) % 2 === 0,
  (x, y) => (((x + y) % 2) + ((x * y) % 3)) % 2 === 0,
];

// ---- correction words, over the field of 256 elements

const EXP: number[] = [];
const LOG: number[] = [];
for (let i = 0, x = 1; i < 255; i++) {
  EXP[i] = x;
  LOG[x] = i;
  x <<= 1;
  if (x & 256) x ^= 0x11d;
}
const times = (a: number, b: number): number => (a && b ? EXP[(LOG[a]! + LOG[b]!) % 255]! : 0);

/** The correction words of a block. */
export function corrections(data: readonly number[], count: number): number[] {
  let generator = [1];
  for (let i = 0; i < count; i++) {
    const next = [...generator, 0];
    generator.forEach((factor, at) => (next[at + 1]! ^= times(factor, EXP[i]!)));
    generator = next;
  }
  const rest = [...data, ...Array<number>(count).fill(0)];
  for (let i = 0; i < data.length; i++) {
    const lead = rest[i]!;
    if (lead) generator.forEach((factor, at) => (rest[i + at]! ^= times(factor, lead)));
  }
  return rest.slice(data.length);
}

// ---- words

function words(bytes: Uint8Array, version: number): number[] {
  const [count, blocks] = BLOCKS[version - 1]!;
  const room = blocks.reduce((sum, size) => sum + size, 0);
  const bits: number[] = [];
  const put = (value: number, length: number) => {
    for (let i = length - 1; i >= 0; i--) bits.push((value >> i) & 1);
  };
  put(4, 4);
  put(bytes.length, version < 10 ? 8 : 16);
  bytes.forEach((byte) => put(byte, 8));
  put(0, Math.min(4, room * 8 - bits.length));
  while (bits.length % 8) bits.push(0);
  const data: number[] = [];
  for (let i = 0; i < bits.length; i += 8) data.push(parseInt(bits.slice(i, i + 8).join(""), 2));
  for (let i = 0; data.length < room; i++) data.push(i % 2 ? 0x11 : 0xec);
  let from = 0;
  const parts = blocks.map((size) => data.slice(from, (from += size)));
  const fixes = parts.map((part) => corrections(part, count));
  const mixed = (rows: number[][]) =>
    Array.from({ length: Math.max(...rows.map((row) => row.length)) }, (_, i) =>
      rows.flatMap((row) => (i < row.length ? [row[i]!] : [])),
    ).flat();
  return [...mixed(parts), ...mixed(fixes)];
}

// ---- the square

type Square = (boolean | null)[][];

function frame(version: number): Square {
  const size = 17 + 4 * version;
  const square: Square = Array.from({ length: size }, () => Array<boolean | null>(size).fill(null));
  const set = (x: number, y: number, dark: boolean) => {
    if (x >= 0 && y >= 0 && x < size && y < size) square[y]![x] = dark;
  };
  for (const [left, top] of [
    [0, 0],
    [size - 7, 0],
    [0, size - 7],
  ] as const)
    for (let dy = -1; dy <= 7; dy++)
      for (let dx = -1; dx <= 7; dx++) {
        const ring = Math.max(Math.abs(dx - 3), Math.abs(dy - 3));
        set(left + dx, top + dy, ring !== 2 && ring !== 4);
      }
  const aligned = ALIGNED[version - 1]!;
  for (const y of aligned)
    for (const x of aligned)
      if (square[y]![x] === null)
        for (let dy = -2; dy <= 2; dy++) for (let dx = -2; dx <= 2; dx++) set(x + dx, y + dy, Math.max(Math.abs(dx), Math.abs(dy)) !== 1);
  for (let i = 8; i < size - 8; i++) {
    square[6]![i] ??= i % 2 === 0;
    square[i]![6] ??= i % 2 === 0;
  }
  if (version >= 7) {
    let rest = version << 12;
    for (let i = 17; i >= 12; i--) if ((rest >> i) & 1) rest ^= 0x1f25 << (i - 12);
    const bits = (version << 12) | rest;
    for (let i = 0; i < 18; i++) {
      const [a, b] = [Math.floor(i / 3), size - 11 + (i % 3)];
      set(a, b, ((bits >> i) & 1) === 1);
      set(b, a, ((bits >> i) & 1) === 1);
    }
  }
  return square;
}

/** The places of the 15 bits about level and mask, both copies. */
function notes(size: number): readonly (readonly [number, number])[][] {
  const first: [number, number][] = [];
  for (let i = 0; i < 6; i++) first.push([8, i]);
  first.push([8, 7], [8, 8], [7, 8]);
  for (let i = 9; i < 15; i++) first.push([14 - i, 8]);
  const second: [number, number][] = [];
  for (let i = 0; i < 8; i++) second.push([size - 1 - i, 8]);
  for (let i = 8; i < 15; i++) second.push([8, size - 15 + i]);
  return [first, second];
}

function filled(version: number, data: readonly number[], mask: number): boolean[][] {
  const square = frame(version);
  const size = square.length;
  let about = mask << 10; // level M is 00
  for (let i = 14; i >= 10; i--) if ((about >> i) & 1) about ^= 0x537 << (i - 10);
  about = ((mask << 10) | about) ^ 0x5412;
  for (const places of notes(size)) places.forEach(([x, y], i) => (square[y]![x] = ((about >> i) & 1) === 1));
  square[size - 8]![8] = true;
  let bit = 0;
  for (let right = size - 1; right > 0; right -= 2) {
    if (right === 6) right--;
    for (let step = 0; step < size; step++)
      for (const x of [right, right - 1]) {
        const y = ((right + 1) & 2) === 0 ? size - 1 - step : step;
        if (square[y]![x] !== null) continue;
        const dark = bit < data.length * 8 && ((data[bit >> 3]! >> (7 - (bit & 7))) & 1) === 1;
        bit++;
        square[y]![x] = dark !== MASKS[mask]!(x, y);
      }
  }
  return square as boolean[][];
}

function penalty(square: readonly boolean[][]): number {
  const size = square.length;
  const columns = square.map((_, x) => square.map((row) => row[x]!));
  let sum = 0;
  for (const line of [...square, ...columns]) {
    let run = 1;
    for (let i = 1; i <= size; i++) {
      if (i < size && line[i] === line[i - 1]) run++;
      else {
        if (run >= 5) sum += run - 2;
        run = 1;
      }
    }
    const text = line.map(Number).join("");
    for (const look of ["10111010000", "00001011101"])
      for (let at = text.indexOf(look); at >= 0; at = text.indexOf(look, at + 1)) sum += 40;
  }
  for (let y = 1; y < size; y++)
    for (let x = 1; x < size; x++) {
      const dark = square[y]![x];
      if (dark === square[y - 1]![x] && dark === square[y]![x - 1] && dark === square[y - 1]![x - 1]) sum += 3;
    }
  const dark = square.flat().filter(Boolean).length;
  return sum + 10 * Math.floor(Math.abs((20 * dark) / (size * size) - 10));
}

/** The code of a text: rows of modules, true is dark. */
export function qr(text: string): boolean[][] {
  const bytes = new TextEncoder().encode(text);
  const version = 1 + BLOCKS.findIndex(([, blocks], i) => bytes.length + (i < 9 ? 2 : 3) <= blocks.reduce((sum, size) => sum + size, 0));
  if (!version) throw new RangeError("This text is too long for a code.");
  const data = words(bytes, version);
  const all = MASKS.map((_, mask) => filled(version, data, mask));
  return all.reduce((best, one) => (penalty(one) < penalty(best) ? one : best));
}

/** The dark modules as one path, with a rim of four light ones. */
export function path(square: readonly boolean[][]): { d: string; size: number } {
  const d = square.flatMap((row, y) => row.flatMap((dark, x) => (dark ? [`M${x + 4} ${y + 4}h1v1h-1z`] : []))).join("");
  return { d, size: square.length + 8 };
}
