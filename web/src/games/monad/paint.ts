// Draws a position on a canvas: the mosaic of tiles, then what crosses their borders. Only the visible part is drawn, at
// the resolution of the screen, and with no more detail than can be seen at that size.

import type { Flow } from "./flows";
import { ACROSS, LEGIBLE, pips, placeOf, RULER, sand, short, STEPS, tileAt, type Fit } from "./geometry";
import { blockBox, burst, plate, rounded, stroke, thick, type Pen } from "./marks";
import { BLOCK, blankFaces, Mosaic, TINTS, type Faces, type Layout, type Loose } from "./mosaic";
import type { Palette } from "./palette.svelte";
import type { Piece, Scenery } from "./pieces";
import { BLOCKED, NOBODY, type Position } from "./position";
import type { Ore } from "./shows.svelte";
import type { Building } from "./wire";

/** The visible part, in its own pixels, and how much it is enlarged. */
export interface Lens {
  readonly left: number;
  readonly top: number;
  readonly width: number;
  readonly height: number;
  readonly zoom: number;
}

export interface Picture {
  readonly position: Position;
  readonly moment: Scenery | null;
  /** Who controls each tile, if that is shown. */
  readonly control: Int8Array | null;
  readonly ore: Ore;
  readonly hatched: boolean;
  readonly named: boolean;
  readonly turned: boolean;
  /** Orders of the turn, as small arrows. */
  readonly flows: readonly Flow[];
  /** Your own sheet. */
  readonly plans: readonly Flow[];
  /** Your stacks without idle units. */
  readonly spent: ReadonlySet<number>;
}

/** Armies that share a tile. */
interface Crowd {
  readonly x: number;
  readonly y: number;
  readonly armies: { seat: number; units: number }[];
}

const DART = [[0.2, 0], [-0.12, 0.2], [-0.04, 0], [-0.12, -0.2]] as const; // prettier-ignore
const MARCH = [[0.3, 0], [0.04, 0.19], [0.04, 0.06], [-0.2, 0.06], [-0.2, -0.06], [0.04, -0.06], [0.04, -0.19]] as const; // prettier-ignore
const ROOMY = 32; // pixels of a tile from which the numbers of moves fit

export class Painter {
  private readonly ctx: CanvasRenderingContext2D;
  private readonly mosaic = new Mosaic();
  private faces: Faces = blankFaces(0);
  private picture!: Picture;
  private layout!: Layout;
  private pen!: Pen;

  private ruled = "";
  private ruledIn: Palette | null = null;

  /** The coordinates have a canvas of their own, since they hardly ever change. */
  constructor(
    private readonly canvas: HTMLCanvasElement,
    private readonly edge: HTMLCanvasElement,
  ) {
    this.ctx = canvas.getContext("2d")!;
  }

  paint(picture: Picture, colours: Palette, fit: Fit, lens: Lens): void {
    this.begin(picture, colours, fit, lens);
    const { moment, position } = picture;
    const { stacks, buildings } = position.view;
    const loose = moment ? this.fill([moment.still, moment.moving], moment.buildings) : this.fill([stacks], buildings);
    this.ctx.putImageData(this.mosaic.paint(this.layout, this.faces, loose), 0, 0);
    for (const { x, y } of moment?.clashes ?? []) if (this.seen(x, y)) burst(this.pen, ...this.middle(x, y));
    if (this.pen.legible) for (const flow of picture.flows) if (flow.word === "move" && !flow.refused) this.dart(flow);
    for (const plan of picture.plans) this.plan(plan);
    this.rulers();
  }

  private begin(picture: Picture, colours: Palette, fit: Fit, lens: Lens): void {
    const { canvas, ctx } = this;
    const px = window.devicePixelRatio || 1;
    const scale = lens.zoom * px;
    const width = Math.max(1, Math.round(lens.width * scale));
    const height = Math.max(1, Math.round(lens.height * scale));
    if (canvas.width !== width || canvas.height !== height) Object.assign(canvas, { width, height });
    const side = fit.side * scale;
    const left = Math.round((fit.left - lens.left) * scale);
    const top = Math.round((fit.top - lens.top) * scale);
    const { position } = picture;
    const sight = {
      left: Math.max(0, Math.floor(-left / side)),
      top: Math.max(0, Math.floor(-top / side)),
      right: Math.min(position.width, Math.ceil((width - left) / side)),
      bottom: Math.min(position.height, Math.ceil((height - top) / side)),
    };
    const legible = side / px >= LEGIBLE;
    const { seats } = position.setting;
    this.picture = picture;
    this.pen = { ctx, colours, side, px, legible };
    this.layout = {
      width,
      height,
      left,
      top,
      side,
      px,
      legible,
      hatched: picture.hatched,
      sight,
      columns: position.width,
      colours,
      seats,
    };
  }

  // ---- what each tile shows

  /** Sets the faces of all tiles. Returns the pieces that don't have a tile to themselves. */
  private fill(lists: readonly (readonly Piece[])[], buildings: readonly Building[]): Loose[] {
    const { position, spent } = this.picture;
    const tiles = position.width * position.height;
    if (this.faces.units.length !== tiles) this.faces = blankFaces(tiles);
    const { part, pips: points, start, owner, units, spent: hollow } = this.faces;
    for (const list of [part, points, start, owner, units, hollow]) list.fill(0);
    this.fillGround();
    for (const building of buildings) this.fillBuilding(building);
    position.setting.seats.forEach((seat, i) => {
      const at = position.setting.starts[seat];
      if (at) start[this.face(at[0], at[1])] = i + 1;
    });
    const loose: Loose[] = [];
    const shared = new Map<number, Crowd>();
    for (const pieces of lists)
      for (const { x, y, owner: seat, units: number } of pieces) {
        const who = position.setting.seats.indexOf(seat);
        if (!Number.isInteger(x) || !Number.isInteger(y)) {
          loose.push({ x: this.column(x), y: this.row(y), seat: who, units: number, small: false });
          continue;
        }
        const face = this.face(x, y);
        if (owner[face]) {
          const crowd = shared.get(face) ?? { x, y, armies: [{ seat: owner[face]! - 1, units: units[face]! }] };
          crowd.armies.push({ seat: who, units: number });
          shared.set(face, crowd);
          continue;
        }
        owner[face] = who + 1;
        units[face] = number;
        if (spent.size && spent.has(tileAt(position, x, y))) hollow[face] = 1;
      }
    for (const [face, crowd] of shared) {
      owner[face] = 0;
      loose.push(...this.beside(crowd));
    }
    return loose;
  }

  /** Several armies on one tile are drawn side by side. */
  private beside({ x, y, armies }: Crowd): Loose[] {
    return armies.map((army, i) => {
      const aside = 0.44 * (i / (armies.length - 1) - 0.5);
      return { x: this.column(x + aside), y: this.row(y + aside / 2), ...army, small: true };
    });
  }

  private fillGround(): void {
    const { position, moment, control, ore, turned } = this.picture;
    const { ground, figure } = this.faces;
    const figured = ore === "figures" && this.pen.legible;
    const last = ground.length - 1;
    for (let tile = 0; tile <= last; tile++) {
      const face = turned ? last - tile : tile;
      const blocked = position.ore[tile] === BLOCKED;
      const left = moment?.ore.get(tile) ?? position.ore[tile]!;
      const seat = control ? control[tile]! : NOBODY;
      ground[face] = blocked ? BLOCK : seat !== NOBODY ? TINTS + seat : ore === "off" || control ? 0 : sand(left);
      figure[face] = figured && !blocked ? left : 0;
    }
  }

  private fillBuilding({ x, y, owner, direction, points }: Building): void {
    const { position, turned } = this.picture;
    const [dx, dy] = ACROSS[direction]!;
    const seat = position.setting.seats.indexOf(owner);
    const flip = turned ? 1 : 0;
    const core = (dx < 0 ? 1 : 0) ^ flip | (((dy < 0 ? 1 : 0) ^ flip) << 1); // prettier-ignore
    for (const [cx, cy] of [
      [0, 0],
      [1, 0],
      [0, 1],
      [1, 1],
    ] as const) {
      // prettier-ignore
      const there = this.face(x + cx * dx, y + cy * dy);
      const corner = core ^ (cx | (cy << 1));
      this.faces.part[there] = 1 + 16 * seat + 4 * corner + core;
    }
    if (this.pen.legible) this.faces.pips[this.face(x, y)] = pips(points, position.setting.unit_cost);
  }

  // ---- where things are

  /** A column of the board as it appears; a rotated board is counted from the other side. */
  private column(x: number, wide = 1): number {
    return this.picture.turned ? this.picture.position.width - wide - x : x;
  }

  private row(y: number, high = 1): number {
    return this.picture.turned ? this.picture.position.height - high - y : y;
  }

  private face(x: number, y: number): number {
    return this.row(y) * this.picture.position.width + this.column(x);
  }

  private x(column: number): number {
    return this.layout.left + column * this.layout.side;
  }

  private y(row: number): number {
    return this.layout.top + row * this.layout.side;
  }

  /** The middle of a tile, or of a place between tiles. */
  private middle(x: number, y: number): [number, number] {
    return [this.x(this.column(x) + 0.5), this.y(this.row(y) + 0.5)];
  }

  private seen(x: number, y: number, margin = 1): boolean {
    const { left, top, right, bottom } = this.layout.sight;
    const [column, row] = [this.column(x), this.row(y)];
    return column > left - margin - 1 && column < right + margin && row > top - margin - 1 && row < bottom + margin;
  }

  // ---- orders

  /** A small arrow on the border being crossed, a little to the right, so that two that meet are side by side. */
  private dart({ tile, direction }: Flow): void {
    const [x, y] = placeOf(this.picture.position, tile);
    if (!direction || !this.seen(x, y, 2)) return;
    const dart = this.arrow(x, y, direction, DART, 0.16);
    this.ctx.fillStyle = this.pen.colours.ink;
    this.ctx.fill(dart);
    stroke(this.pen, dart, this.pen.colours.halo, thick(this.pen, 0.035));
  }

  /** A shape on the border of a tile: points along the way and beside it, in tiles. */
  private arrow(x: number, y: number, direction: string, points: readonly (readonly [number, number])[], aside: number): Path2D {
    const [dx, dy] = STEPS[direction]!;
    const path = new Path2D();
    points.forEach(([along, off], i) => {
      const [px, py] = this.middle(x + (0.5 + along) * dx - (off + aside) * dy, y + (0.5 + along) * dy + (off + aside) * dx);
      if (i) path.lineTo(px, py);
      else path.moveTo(px, py);
    });
    path.closePath();
    return path;
  }

  /** An order of your own sheet: an arrow with its number, the letter of the action, or the outline of the new building. */
  private plan({ tile, word, direction, number, refused }: Flow): void {
    const { position } = this.picture;
    const [x, y] = placeOf(position, tile);
    if (!this.seen(x, y, 2)) return;
    const tone = refused ? this.pen.colours.signal : this.pen.colours.ink;
    if (word === "move" && direction) this.march(x, y, direction, number, tone);
    else if (word === "build" && position.cover[tile] === undefined) this.site(x, y, direction ?? "right", tone);
    if (word === "move") return;
    const aside = this.roomy ? -0.3 : -0.52; // on a small tile it would hide the number
    this.plate(x, y, aside, aside, word[0]!.toUpperCase(), tone);
  }

  private get roomy(): boolean {
    return this.pen.side >= ROOMY * this.pen.px;
  }

  private march(x: number, y: number, direction: string, number: number, tone: string): void {
    const { position } = this.picture;
    const march = this.arrow(x, y, direction, MARCH, 0);
    stroke(this.pen, march, this.pen.colours.halo, thick(this.pen, 0.07));
    this.ctx.fillStyle = tone;
    this.ctx.fill(march);
    const [dx, dy] = STEPS[direction]!;
    const all = position.stacks[tileAt(position, x, y)]?.units === number;
    if (!all && this.roomy) this.plate(x, y, 0.76 * dx - 0.35 * dy, 0.76 * dy + 0.35 * dx, short(number), tone);
  }

  /** The outline of a planned building. */
  private site(x: number, y: number, direction: string, tone: string): void {
    const { ctx, pen } = this;
    const [dx, dy] = ACROSS[direction]!;
    const column = this.column(Math.min(x, x + dx), 2);
    const row = this.row(Math.min(y, y + dy), 2);
    const block = rounded(blockBox(pen, this.x(column), this.y(row)), 0.12 * pen.side);
    stroke(pen, block, pen.colours.halo, thick(pen, 0.15));
    ctx.setLineDash([0.2 * pen.side, 0.12 * pen.side]);
    stroke(pen, block, tone, thick(pen, 0.075));
    ctx.setLineDash([]);
  }

  /** A few characters beside the middle of a tile; on a rotated board, on its other side. */
  private plate(x: number, y: number, dx: number, dy: number, text: string, tone: string): void {
    if (!this.pen.legible) return;
    const [mx, my] = this.middle(x + dx, y + dy);
    plate(this.pen, mx, my, text, tone);
  }

  // ---- coordinates

  /** Columns above and rows at the left; they stay visible when the board is enlarged. */
  private rulers(): void {
    const { width, height, left, top, side, colours } = this.layout;
    const { named, turned } = this.picture;
    const now = [width, height, left, top, side, named, turned].join();
    if (now === this.ruled && colours === this.ruledIn) return;
    this.ruled = now;
    this.ruledIn = colours;
    Object.assign(this.edge, { width, height }); // this also clears it
    const ctx = this.edge.getContext("2d")!;
    if (named) this.rule(ctx, RULER[0] * this.pen.px, RULER[1] * this.pen.px, 11 * this.pen.px);
  }

  private rule(ctx: CanvasRenderingContext2D, wide: number, high: number, size: number): void {
    const { layout } = this;
    const { sight, side, colours } = layout;
    const every = [1, 2, 5, 10, 20].find((step) => step * side >= 2 * size) ?? 50;
    const left = Math.max(0, layout.left - wide);
    const top = Math.max(0, layout.top - high);
    ctx.globalAlpha = 0.86;
    ctx.fillStyle = colours.page;
    if (layout.left < wide) ctx.fillRect(0, 0, wide, layout.height);
    if (layout.top < high) ctx.fillRect(0, 0, layout.width, high);
    ctx.globalAlpha = 1;
    ctx.font = `400 ${size}px ${colours.face}`;
    ctx.fillStyle = colours.ink3;
    ctx.textAlign = "center";
    for (let column = sight.left; column < sight.right; column++) {
      const x = this.column(column);
      if (x % every === 0 && this.x(column + 0.5) > left + wide) ctx.fillText(String(x), this.x(column + 0.5), top + high - 0.45 * size);
    }
    ctx.textAlign = "right";
    for (let row = sight.top; row < sight.bottom; row++) {
      const y = this.row(row);
      if (y % every === 0 && this.y(row + 0.5) > top + high)
        ctx.fillText(String(y), left + wide - 0.4 * size, this.y(row + 0.5) + 0.36 * size);
    }
  }
}
