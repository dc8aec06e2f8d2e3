// Draws single things on a canvas: a building, a piece, its number. Sizes are pixels of the canvas.

import { radius, short } from "./geometry";
import type { Palette } from "./palette.svelte";
import { isDotted } from "../../ui/seats";
import { figures, HANDLE, hatching, HEAD, outline, type Box } from "./shapes";

/** What all drawings of one size need. */
export interface Pen {
  readonly ctx: CanvasRenderingContext2D;
  readonly colours: Palette;
  readonly side: number;
  /** A pixel of the page. */
  readonly px: number;
  /** Tiles are large enough for figures and hatching. */
  readonly legible: boolean;
}

/** The width of a line: part of a tile, but never too thin to see. */
export const thick = ({ px, side }: Pen, part: number): number => Math.max(0.8 * px, part * side);

export function stroke({ ctx }: Pen, path: Path2D, colour: string, width: number): void {
  ctx.strokeStyle = colour;
  ctx.lineWidth = width;
  ctx.stroke(path);
}

export function rounded({ left, top, right, bottom }: Box, r: number): Path2D {
  const path = new Path2D();
  path.roundRect(left, top, right - left, bottom - top, r);
  return path;
}

export function hatch(pen: Pen, seat: string, box: Box): void {
  const path = new Path2D();
  hatching(path, seat, box, pen.side);
  const dots = isDotted(seat);
  pen.ctx.lineCap = dots ? "round" : "butt";
  stroke(pen, path, pen.colours.seats[seat]!.hatch, thick(pen, dots ? 0.06 : 0.03));
  pen.ctx.lineCap = "butt";
}

/** Crossed lines over a tile: no seat's hatching looks like this. */
export function crossed(pen: Pen): void {
  const parts = 4;
  const gap = pen.side / parts;
  const path = new Path2D();
  for (let k = 1; k < 2 * parts; k++) {
    const a = Math.max(0, k - parts) * gap;
    const b = Math.min(k, parts) * gap;
    path.moveTo(a, b);
    path.lineTo(b, a);
    path.moveTo(a, pen.side - b);
    path.lineTo(b, pen.side - a);
  }
  stroke(pen, path, pen.colours.lineStrong, thick(pen, 0.03));
}

/** The box of a block of 2 x 2 tiles whose upper left corner is given, a little inside its tiles. */
export function blockBox({ side }: Pen, left: number, top: number): Box {
  const gap = 0.06 * side;
  return { left: left + gap, top: top + gap, right: left + 2 * side - gap, bottom: top + 2 * side - gap };
}

/** A building from its upper left corner: the owner's tint and hatching, with a bare core at the given corner. */
export function building(pen: Pen, left: number, top: number, seat: string, core: readonly [number, number], hatched: boolean): void {
  const { ctx, side } = pen;
  const tones = pen.colours.seats[seat]!;
  const box = blockBox(pen, left, top);
  const block = rounded(box, 0.12 * side);
  const edge = thick(pen, 0.075);
  ctx.fillStyle = tones.tint;
  ctx.fill(block);
  if (hatched && pen.legible) hatch(pen, seat, box);
  stroke(pen, block, tones.line, edge);
  const [right, low] = core;
  const inner = 0.06 * side + edge / 2; // the core begins where the border ends
  const heart = rounded(
    {
      left: left + (right ? side : inner),
      top: top + (low ? side : inner),
      right: left + (right ? 2 * side - inner : side),
      bottom: top + (low ? 2 * side - inner : side),
    },
    0.07 * side,
  );
  ctx.fillStyle = pen.colours.surface;
  ctx.fill(heart);
  stroke(pen, heart, tones.line, thick(pen, 0.03));
}

/** The sign of a building around a point: a hammer; on small tiles the owner's shape, hollow. */
export function sign(pen: Pen, x: number, y: number, seat: string): void {
  const { ctx, side } = pen;
  const tones = pen.colours.seats[seat]!;
  if (!pen.legible) {
    const seal = outline(seat, x, y, 0.2 * side);
    ctx.fillStyle = tones.tint;
    ctx.fill(seal);
    return stroke(pen, seal, tones.line, thick(pen, 0.07));
  }
  const size = 0.52 * side;
  ctx.save();
  ctx.translate(x - size / 2, y - size / 2);
  ctx.scale(size / 24, size / 24);
  ctx.lineCap = "round";
  ctx.fillStyle = tones.text;
  stroke(pen, HAMMER.handle, tones.text, 2.8);
  ctx.fill(HAMMER.head);
  ctx.restore();
}

const HAMMER = { handle: new Path2D(HANDLE), head: new Path2D(HEAD) };

/** Five pips around a point, filled according to the points towards the next unit. */
export function meter(pen: Pen, x: number, y: number, filled: number): void {
  for (let i = 0; i < 5; i++) {
    const pip = new Path2D();
    pip.arc(x + (i - 2) * 0.15 * pen.side, y, 0.052 * pen.side, 0, 2 * Math.PI);
    pen.ctx.fillStyle = i < filled ? pen.colours.ink : pen.colours.surface;
    pen.ctx.fill(pip);
    stroke(pen, pip, pen.colours.ink, thick(pen, 0.016));
  }
}

/** Where a player started: a thin outline, wide enough to be visible around most pieces. */
export function start(pen: Pen, x: number, y: number, seat: string): void {
  stroke(pen, outline(seat, x, y, 0.4 * pen.side), pen.colours.seats[seat]!.line, thick(pen, 0.028));
}

/** A stack around a point: the owner's piece on a halo, larger for more units, with their number. */
export function piece(pen: Pen, x: number, y: number, seat: string, units: number, { hollow = false, part = 1 } = {}): void {
  const { ctx, colours } = pen;
  const tones = colours.seats[seat]!;
  const r = radius(units, pen.legible) * pen.side * part;
  const rim = thick(pen, 0.03);
  const form = outline(seat, x, y, r);
  ctx.lineJoin = "round";
  stroke(pen, form, colours.halo, rim + 0.076 * pen.side);
  ctx.fillStyle = hollow ? colours.surface : tones.piece;
  ctx.fill(form);
  stroke(pen, form, hollow ? tones.line : tones.rim, hollow ? 2 * rim : rim);
  if (!pen.legible) return;
  const text = short(units);
  const { size, low } = figures(seat, r, text, pen.side * part);
  ctx.font = `700 ${size}px ${colours.face}`;
  ctx.textAlign = "center";
  ctx.fillStyle = hollow ? colours.ink : tones.on;
  ctx.fillText(text, x, y + low + 0.36 * size);
}

const MIN = 7; // pixels of a figure

/** Ore in figures: in the middle of a free tile, else in the corner on a plate. */
export function amount(pen: Pen, ore: number, corner: boolean): void {
  const { ctx, side, colours } = pen;
  // On a small tile it takes the place of a piece.
  const size = corner ? 0.22 * side : Math.max(0.3 * side, Math.min(0.44 * side, MIN * pen.px));
  if (size < MIN * pen.px) return; // it is shown for the selected tile
  const text = short(ore);
  ctx.font = `400 ${size}px ${colours.face}`;
  ctx.textAlign = "center";
  const wide = ctx.measureText(text).width;
  const x = corner ? 0.07 * side + wide / 2 : side / 2;
  const y = corner ? 0.07 * side + 0.72 * size : side / 2 + 0.36 * size;
  if (corner) {
    ctx.fillStyle = colours.surface;
    ctx.fillRect(x - wide / 2 - 0.02 * side, y - 0.76 * size, wide + 0.04 * side, 0.84 * size);
  }
  ctx.fillStyle = colours.ink2;
  ctx.fillText(text, x, y);
}

/** A burst around a point: something is fought over. */
export function burst(pen: Pen, x: number, y: number): void {
  const path = new Path2D();
  for (let i = 0; i < 16; i++) {
    const r = (i % 2 ? 0.13 : 0.28) * pen.side;
    const turn = (i * Math.PI) / 8;
    if (i) path.lineTo(x + r * Math.sin(turn), y - r * Math.cos(turn));
    else path.moveTo(x, y - r);
  }
  path.closePath();
  stroke(pen, path, pen.colours.halo, thick(pen, 0.08));
  pen.ctx.fillStyle = pen.colours.ink;
  pen.ctx.fill(path);
}

/** A few characters on a plate around a point. */
export function plate(pen: Pen, x: number, y: number, text: string, tone: string): void {
  const { ctx, side, px, colours } = pen;
  const size = Math.max(0.25 * side, 9 * px);
  ctx.font = `700 ${size}px ${colours.face}`;
  ctx.textAlign = "center";
  const wide = ctx.measureText(text).width + 0.14 * side;
  const box = rounded({ left: x - wide / 2, top: y - 0.55 * size, right: x + wide / 2, bottom: y + 0.55 * size }, 0.06 * side);
  ctx.fillStyle = colours.raised;
  ctx.fill(box);
  stroke(pen, box, tone, thick(pen, 0.025));
  ctx.fillStyle = tone;
  ctx.fillText(text, x, y + 0.36 * size);
}
