// The board as a mosaic: the ground of a tile and the piece on it are stamps, drawn once and copied from then on. A
// turn changes few tiles, and copying is quick, so that 64 x 64 tiles can be played back as fast as the screen allows.

import { radius } from "./geometry";
import { amount, building, crossed, hatch, meter, piece, sign, start, type Pen } from "./marks";
import type { Palette } from "./palette.svelte";

/** What a tile shows, as numbers, since thousands of them are compared for every picture. */
export interface Faces {
  /** Step of sand, 5 and more: tint of a seat; BLOCK: blocked. */
  readonly ground: Uint8Array;
  /** Which part of whose building: 0 none, else 1 + 16 seat + 4 corner of the block + corner of the core. */
  readonly part: Uint8Array;
  readonly pips: Uint8Array;
  /** 1 + seat whose start it is. */
  readonly start: Uint8Array;
  /** 1 + seat of the stack. */
  readonly owner: Uint8Array;
  readonly units: Float64Array;
  /** The stack is hollow. */
  readonly spent: Uint8Array;
  /** Ore written on it; 0: none. */
  readonly figure: Int16Array;
}

export const BLOCK = 9;
export const TINTS = 5;

export function blankFaces(tiles: number): Faces {
  return {
    ground: new Uint8Array(tiles),
    part: new Uint8Array(tiles),
    pips: new Uint8Array(tiles),
    start: new Uint8Array(tiles),
    owner: new Uint8Array(tiles),
    units: new Float64Array(tiles),
    spent: new Uint8Array(tiles),
    figure: new Int16Array(tiles),
  };
}

/** Where the tiles are on the canvas. */
export interface Layout {
  readonly width: number;
  readonly height: number;
  readonly left: number;
  readonly top: number;
  readonly side: number;
  readonly px: number;
  readonly legible: boolean;
  readonly hatched: boolean;
  /** Visible columns and rows, as they appear. */
  readonly sight: { readonly left: number; readonly top: number; readonly right: number; readonly bottom: number };
  readonly columns: number;
  readonly colours: Palette;
  readonly seats: readonly string[];
}

/** A picture with its own pixels. */
interface Stamp {
  readonly pixels: Uint32Array;
  readonly side: number;
}

/** A piece between tiles, by its middle in tiles as they appear. */
export interface Loose {
  readonly x: number;
  readonly y: number;
  readonly seat: number;
  readonly units: number;
  readonly small: boolean;
}

const MAX = 8000; // stamps in the cache

export class Mosaic {
  private layout: Layout | null = null;
  private image = new ImageData(1, 1);
  private pixels = new Uint32Array(1);
  private moving: ImageData | null = null;
  private ground = new Float64Array(0);
  private stack = new Float64Array(0);
  private readonly grounds = new Map<number, Stamp>();
  private readonly pieces = new Map<number, Stamp>();
  private readonly desk = document.createElement("canvas");
  private readonly ctx = this.desk.getContext("2d", { willReadFrequently: true })!;

  /** The board with these faces, as pixels for the canvas. */
  paint(layout: Layout, faces: Faces, loose: readonly Loose[]): ImageData {
    this.prepare(layout);
    const { sight, columns } = layout;
    for (let row = sight.top; row < sight.bottom; row++)
      for (let column = sight.left; column < sight.right; column++) this.lay(row * columns + column, column, row, faces);
    if (!loose.length) return this.image;
    if (this.moving?.width !== this.image.width || this.moving.height !== this.image.height)
      this.moving = new ImageData(this.image.width, this.image.height);
    const pixels = new Uint32Array(this.moving.data.buffer);
    pixels.set(this.pixels);
    for (const one of loose) this.strew(pixels, one);
    return this.moving;
  }

  private prepare(layout: Layout): void {
    const before = this.layout;
    const alike = (keys: readonly (keyof Layout)[]) => before !== null && keys.every((key) => before[key] === layout[key]);
    this.layout = layout;
    if (!alike(["side", "px", "hatched", "colours", "seats"]) || this.grounds.size + this.pieces.size > MAX) {
      this.grounds.clear();
      this.pieces.clear();
    } else if (alike(["width", "height", "left", "top", "columns"])) return;
    const tiles = layout.columns * (layout.sight.bottom + 1);
    if (this.image.width !== layout.width || this.image.height !== layout.height) {
      this.image = new ImageData(layout.width, layout.height);
      this.pixels = new Uint32Array(this.image.data.buffer);
    } else this.pixels.fill(0);
    this.ground = new Float64Array(tiles).fill(-1);
    this.stack = new Float64Array(tiles).fill(-1);
  }

  /** Redraws a tile, unless it already looks like this. */
  private lay(tile: number, column: number, row: number, faces: Faces): void {
    const owner = faces.owner[tile]!;
    const ground =
      ((((faces.figure[tile]! * 10 + faces.ground[tile]!) * 70 + faces.part[tile]!) * 6 + faces.pips[tile]!) * 5 + faces.start[tile]!) * 2 +
      (owner ? 1 : 0);
    const stack = owner ? this.pieceKey(owner - 1, faces.units[tile]!, faces.spent[tile]!) : 0;
    if (this.ground[tile] === ground && this.stack[tile] === stack) return;
    this.ground[tile] = ground;
    this.stack[tile] = stack;
    const { left, top, side } = this.layout!;
    const [x, y] = [left + Math.round(column * side), top + Math.round(row * side)];
    this.copy(this.grounds.get(ground) ?? this.drawTile(tile, ground, faces), x, y);
    if (owner)
      this.over(this.pixels, this.pieces.get(stack) ?? this.drawPiece(stack, owner - 1, faces.units[tile]!, faces.spent[tile]!), x, y);
  }

  private copy({ pixels, side: wide }: Stamp, x: number, y: number): void {
    const { width, height } = this.layout!;
    const from = Math.max(0, -x);
    const to = Math.min(wide, width - x);
    const target = this.pixels;
    for (let line = Math.max(0, -y); line < wide && y + line < height; line++) {
      let at = (y + line) * width + x + from;
      const end = line * wide + to;
      for (let source = line * wide + from; source < end; source++) target[at++] = pixels[source]!;
    }
  }

  /** Draws a stamp over what is there. */
  private over(target: Uint32Array, { pixels, side: wide }: Stamp, x: number, y: number): void {
    const { width, height } = this.layout!;
    const from = Math.max(0, -x);
    const to = Math.min(wide, width - x);
    for (let line = Math.max(0, -y); line < wide && y + line < height; line++) {
      let at = (y + line) * width + x + from;
      const end = line * wide + to;
      for (let source = line * wide + from; source < end; source++, at++) {
        const pixel = pixels[source]!;
        if (pixel >>> 24) target[at] = blended(target[at]!, pixel);
      }
    }
  }

  // ---- stamps

  private pen(wide: number): Pen {
    const { side, px, legible, colours } = this.layout!;
    if (this.desk.width !== wide) this.desk.width = this.desk.height = wide;
    else this.ctx.clearRect(0, 0, wide, wide);
    return { ctx: this.ctx, colours, side, px, legible };
  }

  private taken(wide: number): Stamp {
    return { pixels: new Uint32Array(this.ctx.getImageData(0, 0, wide, wide).data.buffer), side: wide };
  }

  private drawTile(tile: number, key: number, faces: Faces): Stamp {
    const { seats, side } = this.layout!;
    const wide = Math.ceil(side);
    const pen = this.pen(wide);
    const stood = faces.owner[tile]! > 0;
    this.drawGround(pen, faces.ground[tile]!, seats);
    if (faces.part[tile]) this.drawPart(pen, faces.part[tile]! - 1, seats, !stood);
    if (faces.start[tile]) start(pen, side / 2, side / 2, seats[faces.start[tile]! - 1]!);
    if (faces.figure[tile]) amount(pen, faces.figure[tile]!, stood || faces.part[tile]! > 0);
    if (faces.pips[tile]) meter(pen, side / 2, 0.89 * side, faces.pips[tile]!);
    const made = this.taken(wide);
    this.grounds.set(key, made);
    return made;
  }

  /** Pieces look the same if they have the same number; without figures, if they are about the same size. */
  private pieceKey(seat: number, units: number, kind: number): number {
    const { legible, side } = this.layout!;
    const size = legible ? units : Math.round(4 * radius(units, false) * side);
    return (size * 4 + seat) * 4 + kind + 1;
  }

  /** A piece alone on a tile (0), with no idle units (1), or between tiles (2) and among others (3). */
  private drawPiece(key: number, seat: number, units: number, kind: number): Stamp {
    const { seats, side } = this.layout!;
    const wide = kind < 2 ? Math.ceil(side) : Math.ceil(1.2 * side) + 2;
    const middle = kind < 2 ? side / 2 : wide / 2;
    piece(this.pen(wide), middle, middle, seats[seat]!, units, { hollow: kind === 1, part: kind === 3 ? 0.72 : 1 });
    const made = this.taken(wide);
    this.pieces.set(key, made);
    return made;
  }

  private drawGround(pen: Pen, ground: number, seats: readonly string[]): void {
    const { ctx, colours, side, legible } = pen;
    const seat = ground >= TINTS && ground < BLOCK ? seats[ground - TINTS] : undefined;
    const blocked = legible ? colours.sunken : colours.ink3;
    ctx.fillStyle = ground === BLOCK ? blocked : seat ? colours.seats[seat]!.tint : colours.ore[ground]!;
    const wide = Math.ceil(side);
    ctx.fillRect(0, 0, wide, wide);
    if (ground === BLOCK && legible) crossed(pen);
    if (seat && legible && this.layout!.hatched) hatch(pen, seat, { left: 0, top: 0, right: side, bottom: side });
    // The grid: each tile has its upper and its left line.
    ctx.fillStyle = colours.page;
    const line = Math.max(1, Math.round(0.03 * side));
    ctx.globalAlpha = Math.min(1, 0.35 + 0.02 * (side / pen.px));
    ctx.fillRect(0, 0, wide, line);
    ctx.fillRect(0, line, line, wide);
    ctx.globalAlpha = 1;
  }

  /** The quarter of a building on a tile. */
  private drawPart(pen: Pen, part: number, seats: readonly string[], free: boolean): void {
    const seat = seats[part >> 4]!;
    const [right, low] = [(part >> 2) & 1, (part >> 3) & 1];
    const core = [part & 1, (part >> 1) & 1] as const;
    building(pen, -right * pen.side, -low * pen.side, seat, core, this.layout!.hatched);
    const far = right !== core[0] && low !== core[1];
    if (far && (free || !pen.legible)) sign(pen, pen.side / 2, pen.side / 2, seat);
  }

  // ---- pieces between tiles

  private strew(pixels: Uint32Array, { x, y, seat, units, small }: Loose): void {
    const { left, top, side, sight } = this.layout!;
    if (x < sight.left - 2 || x > sight.right + 1 || y < sight.top - 2 || y > sight.bottom + 1) return;
    const kind = small ? 3 : 2;
    const key = this.pieceKey(seat, units, kind);
    const stamp = this.pieces.get(key) ?? this.drawPiece(key, seat, units, kind);
    this.over(pixels, stamp, left + Math.round((x + 0.5) * side - stamp.side / 2), top + Math.round((y + 0.5) * side - stamp.side / 2));
  }
}

/** A pixel with another one over it. */
function blended(under: number, over: number): number {
  const alpha = over >>> 24;
  if (alpha === 255 || under >>> 24 === 0) return over;
  const rest = 255 - alpha;
  const red = ((over & 255) * alpha + (under & 255) * rest) / 255;
  const green = (((over >> 8) & 255) * alpha + ((under >> 8) & 255) * rest) / 255;
  const blue = (((over >> 16) & 255) * alpha + ((under >> 16) & 255) * rest) / 255;
  return ((255 << 24) | (blue << 16) | (green << 8) | red) >>> 0;
}
