// Draws a position on a canvas, in layers: ground, grid, buildings, starts, stacks, figures, orders, coordinates. Only
// what is in sight is drawn, at the resolution of the screen, and no more than can be told apart at that size.

import type { Flow } from "./flows";
import { ACROSS, LEGIBLE, pips, placeOf, radius, RULER, sand, short, STEPS, tileAt, type Fit } from "./geometry";
import { pixel, type Palette } from "./palette.svelte";
import type { Moment, Piece } from "./playback";
import { BLOCKED, NOBODY, type Position } from "./position";
import { figures, HANDLE, hatching, hatchOf, HEAD, outline, type Box } from "./shapes";
import type { Ore } from "./shows.svelte";
import type { Building } from "./wire";

/** The part of the room that is in sight, in its own pixels, and how much it is enlarged. */
export interface Lens {
  readonly left: number;
  readonly top: number;
  readonly width: number;
  readonly height: number;
  readonly zoom: number;
}

export interface Picture {
  readonly position: Position;
  readonly moment: Moment | null;
  /** Who controls each tile, if that is to be shown. */
  readonly control: Int8Array | null;
  readonly ore: Ore;
  readonly hatched: boolean;
  readonly named: boolean;
  readonly turned: boolean;
  /** Orders of the turn, as small arrows. */
  readonly flows: readonly Flow[];
  /** The own sheet. */
  readonly plans: readonly Flow[];
  /** Own stacks of which every unit has its order. */
  readonly spent: ReadonlySet<number>;
}

const SPRITES = 4000;
const DETAIL = 4; // lines of hatching to a tile

export class Painter {
  private readonly ctx: CanvasRenderingContext2D;
  private readonly ground = document.createElement("canvas");
  private readonly sprites = new Map<string, HTMLCanvasElement>();
  private drawnWith: { palette: Palette; side: number } | null = null;

  // Set for one drawing: sizes in pixels of the screen, tiles in sight, colours.
  private side = 1;
  private left = 0;
  private top = 0;
  private px = 1;
  private sight = { left: 0, top: 0, right: 0, bottom: 0 };
  private colours!: Palette;
  private picture!: Picture;

  constructor(private readonly canvas: HTMLCanvasElement) {
    this.ctx = canvas.getContext("2d")!;
  }

  paint(picture: Picture, colours: Palette, fit: Fit, lens: Lens): void {
    this.begin(picture, colours, fit, lens);
    this.paintGround();
    this.paintGrid();
    const { position, moment } = picture;
    const buildings = (moment?.buildings ?? position.view.buildings).filter((one) => this.seen(one.x, one.y, 2));
    const pieces = moment?.pieces ?? position.view.stacks;
    for (const building of buildings) this.paintBuilding(building);
    if (this.legible) this.paintSigns(buildings, pieces);
    this.paintStarts();
    this.paintPieces(pieces);
    if (picture.ore === "figures" && this.legible) this.paintOre(pieces);
    if (this.legible) for (const building of buildings) this.paintPips(building);
    if (moment) this.paintClashes(moment.clashes);
    if (this.legible) for (const flow of picture.flows) if (flow.word === "move" && !flow.refused) this.paintDart(flow);
    for (const plan of picture.plans) this.paintPlan(plan);
    if (picture.named) this.paintRulers();
  }

  private get legible(): boolean {
    return this.side / this.px >= LEGIBLE;
  }

  private begin(picture: Picture, colours: Palette, fit: Fit, lens: Lens): void {
    const { canvas, ctx } = this;
    const dpr = window.devicePixelRatio || 1;
    const scale = lens.zoom * dpr;
    const wide = Math.max(1, Math.round(lens.width * scale));
    const high = Math.max(1, Math.round(lens.height * scale));
    if (canvas.width !== wide || canvas.height !== high) Object.assign(canvas, { width: wide, height: high });
    else ctx.clearRect(0, 0, wide, high);
    this.px = dpr;
    this.side = fit.side * scale;
    this.left = Math.round((fit.left - lens.left) * scale);
    this.top = Math.round((fit.top - lens.top) * scale);
    this.sight = {
      left: Math.max(0, Math.floor(-this.left / this.side)),
      top: Math.max(0, Math.floor(-this.top / this.side)),
      right: Math.min(picture.position.width, Math.ceil((wide - this.left) / this.side)),
      bottom: Math.min(picture.position.height, Math.ceil((high - this.top) / this.side)),
    };
    this.picture = picture;
    this.colours = colours;
    if (this.drawnWith?.palette !== colours || this.drawnWith.side !== this.side || this.sprites.size > SPRITES) {
      this.sprites.clear();
      this.drawnWith = { palette: colours, side: this.side };
    }
  }

  // ---- where things are on the canvas

  /** A column of the board as it is seen; a turned board is counted from the other side. */
  private column(x: number, wide = 1): number {
    return this.picture.turned ? this.picture.position.width - wide - x : x;
  }

  private row(y: number, high = 1): number {
    return this.picture.turned ? this.picture.position.height - high - y : y;
  }

  private x(column: number): number {
    return this.left + column * this.side;
  }

  private y(row: number): number {
    return this.top + row * this.side;
  }

  /** The middle of a tile, or of a place between tiles. */
  private middle(x: number, y: number): [number, number] {
    return [this.x(this.column(x) + 0.5), this.y(this.row(y) + 0.5)];
  }

  private seen(x: number, y: number, margin = 1): boolean {
    const { left, top, right, bottom } = this.sight;
    const [column, row] = [this.column(x), this.row(y)];
    return column > left - margin - 1 && column < right + margin && row > top - margin - 1 && row < bottom + margin;
  }

  /** The width of a line: part of a tile, never thinner than can be seen. */
  private line(part: number): number {
    return Math.max(0.8 * this.px, part * this.side);
  }

  // ---- ground

  /** One pixel a tile, enlarged: as quick for a large board as for a small one. */
  private paintGround(): void {
    const { position, moment, control, ore, turned } = this.picture;
    const { width, height } = position;
    if (this.ground.width !== width || this.ground.height !== height) Object.assign(this.ground, { width, height });
    const ground = this.ground.getContext("2d")!;
    const image = ground.createImageData(width, height);
    const pixels = new Uint32Array(image.data.buffer);
    const shades = this.colours.ore.map(pixel);
    const tints = position.setting.seats.map((seat) => pixel(this.colours.seats[seat]!.tint));
    const dark = pixel(this.legible ? this.colours.sunken : this.colours.ink3);
    const last = width * height - 1;
    for (let tile = 0; tile <= last; tile++) {
      const left = moment?.ore.get(tile) ?? position.ore[tile]!;
      const owner = control ? control[tile]! : NOBODY;
      const free = owner !== NOBODY ? tints[owner]! : shades[ore === "off" || control ? 0 : sand(left)]!;
      pixels[turned ? last - tile : tile] = position.ore[tile] === BLOCKED ? dark : free;
    }
    ground.putImageData(image, 0, 0);
    this.ctx.imageSmoothingEnabled = false;
    this.ctx.drawImage(this.ground, this.left, this.top, width * this.side, height * this.side);
    if (!this.legible) return;
    this.paintBlocked();
    if (control && this.picture.hatched) this.paintControl(control);
  }

  /** Crossed lines: no seat has both. */
  private paintBlocked(): void {
    const path = new Path2D();
    const gap = this.side / DETAIL;
    this.eachInSight((tile, left, top) => {
      if (this.picture.position.ore[tile] !== BLOCKED) return;
      for (let k = 1; k < 2 * DETAIL; k++) {
        const a = Math.max(0, k - DETAIL) * gap;
        const b = Math.min(k, DETAIL) * gap;
        path.moveTo(left + a, top + b);
        path.lineTo(left + b, top + a);
        path.moveTo(left + a, top + this.side - b);
        path.lineTo(left + b, top + this.side - a);
      }
    });
    this.stroke(path, this.colours.lineStrong, this.line(0.03));
  }

  private paintControl(control: Int8Array): void {
    const paths = this.picture.position.setting.seats.map(() => new Path2D());
    this.eachInSight((tile, left, top) => {
      const owner = control[tile]!;
      if (owner === NOBODY) return;
      const seat = this.picture.position.setting.seats[owner]!;
      this.hatch(paths[owner]!, seat, { left, top, right: left + this.side, bottom: top + this.side });
    });
    paths.forEach((path, owner) => this.strokeHatch(path, this.picture.position.setting.seats[owner]!));
  }

  private eachInSight(act: (tile: number, left: number, top: number) => void): void {
    const { position } = this.picture;
    for (let row = this.sight.top; row < this.sight.bottom; row++)
      for (let column = this.sight.left; column < this.sight.right; column++)
        act(tileAt(position, this.column(column), this.row(row)), this.x(column), this.y(row));
  }

  /** Hatching with one phase for the whole board: counted from its corner. */
  private hatch(path: Path2D, seat: string, { left, top, right, bottom }: Box): void {
    const part = new Path2D();
    const [dx, dy] = [this.left, this.top];
    hatching(part, hatchOf(seat), { left: left - dx, top: top - dy, right: right - dx, bottom: bottom - dy }, this.side / DETAIL);
    path.addPath(part, new DOMMatrix([1, 0, 0, 1, dx, dy]));
  }

  private strokeHatch(path: Path2D, seat: string): void {
    const dots = hatchOf(seat) === "points";
    this.ctx.lineCap = dots ? "round" : "butt";
    this.stroke(path, this.colours.seats[seat]!.hatch, this.line(dots ? 0.06 : 0.03));
    this.ctx.lineCap = "butt";
  }

  private paintGrid(): void {
    const { left, top, right, bottom } = this.sight;
    const path = new Path2D();
    for (let column = left; column <= right; column++) {
      const x = Math.round(this.x(column));
      path.moveTo(x, this.y(top));
      path.lineTo(x, this.y(bottom));
    }
    for (let row = top; row <= bottom; row++) {
      const y = Math.round(this.y(row));
      path.moveTo(this.x(left), y);
      path.lineTo(this.x(right), y);
    }
    this.stroke(path, this.colours.page, Math.max(0.5 * this.px, 0.03 * this.side));
  }

  private stroke(path: Path2D, colour: string, width: number): void {
    this.ctx.strokeStyle = colour;
    this.ctx.lineWidth = width;
    this.ctx.stroke(path);
  }

  // ---- buildings

  /** The block in the owner's tint and hatching, its core bare. */
  private paintBuilding({ x, y, owner, direction }: Building): void {
    const { ctx, side: s } = this;
    const tones = this.colours.seats[owner]!;
    const [dx, dy] = ACROSS[direction]!;
    const column = this.column(Math.min(x, x + dx), 2);
    const row = this.row(Math.min(y, y + dy), 2);
    const gap = 0.06 * s;
    const edge = this.line(0.075);
    const box: Box = { left: this.x(column) + gap, top: this.y(row) + gap, right: this.x(column + 2) - gap, bottom: this.y(row + 2) - gap };
    const block = rounded(box, 0.12 * s);
    ctx.fillStyle = tones.tint;
    ctx.fill(block);
    if (this.legible && this.picture.hatched) {
      const path = new Path2D();
      this.hatch(path, owner, box);
      this.strokeHatch(path, owner);
    }
    this.stroke(block, tones.line, edge);
    const inner = gap + edge / 2; // the core begins where the border ends
    const [cx, cy] = [this.column(x), this.row(y)];
    const core = {
      left: this.x(cx) + (cx === column ? inner : 0),
      top: this.y(cy) + (cy === row ? inner : 0),
      right: this.x(cx + 1) - (cx === column ? 0 : inner),
      bottom: this.y(cy + 1) - (cy === row ? 0 : inner),
    };
    const heart = rounded(core, 0.07 * s);
    ctx.fillStyle = this.colours.surface;
    ctx.fill(heart);
    this.stroke(heart, tones.line, this.line(0.03));
    if (!this.legible) this.paintSeal(x + dx, y + dy, owner);
  }

  /** Where nothing is hatched: the owner's shape, hollow. */
  private paintSeal(x: number, y: number, owner: string): void {
    const tones = this.colours.seats[owner]!;
    const seal = outline(owner, ...this.middle(x, y), 0.2 * this.side);
    this.ctx.fillStyle = tones.tint;
    this.ctx.fill(seal);
    this.stroke(seal, tones.line, this.line(0.07));
  }

  /** A hammer on the tile across from the core, if nobody stands there. */
  private paintSigns(buildings: readonly Building[], pieces: readonly Piece[]): void {
    const { ctx, side } = this;
    const { position } = this.picture;
    const stood = new Set(pieces.map((piece) => tileAt(position, Math.round(piece.x), Math.round(piece.y))));
    const size = 0.52 * side;
    for (const { x, y, owner, direction } of buildings) {
      const [dx, dy] = ACROSS[direction]!;
      if (stood.has(tileAt(position, x + dx, y + dy))) continue;
      const [mx, my] = this.middle(x + dx, y + dy);
      ctx.save();
      ctx.translate(mx - size / 2, my - size / 2);
      ctx.scale(size / 24, size / 24);
      ctx.lineCap = "round";
      ctx.fillStyle = this.colours.seats[owner]!.text;
      this.stroke(HAMMER.handle, this.colours.seats[owner]!.text, 2.8);
      ctx.fill(HAMMER.head);
      ctx.restore();
    }
  }

  /** Five pips on the core's lower edge, filled by the points towards the next unit. */
  private paintPips({ x, y, points }: Building): void {
    const filled = pips(points, this.picture.position.setting.unit_cost);
    if (!filled) return;
    const { ctx, side: s } = this;
    const [mx, my] = this.middle(x, y);
    for (let i = 0; i < 5; i++) {
      const pip = new Path2D();
      pip.arc(mx + (i - 2) * 0.15 * s, my + 0.39 * s, 0.052 * s, 0, 2 * Math.PI);
      ctx.fillStyle = i < filled ? this.colours.ink : this.colours.surface;
      ctx.fill(pip);
      this.stroke(pip, this.colours.ink, this.line(0.016));
    }
  }

  // ---- pieces

  private paintStarts(): void {
    for (const [seat, [x, y]] of Object.entries(this.picture.position.setting.starts))
      if (this.seen(x, y))
        this.stroke(outline(seat, ...this.middle(x, y), 0.4 * this.side), this.colours.seats[seat]!.line, this.line(0.028));
  }

  private paintPieces(pieces: readonly Piece[]): void {
    const { position, spent } = this.picture;
    for (const { x, y, owner, units, small } of pieces) {
      if (!this.seen(x, y)) continue;
      const hollow = spent.size > 0 && spent.has(tileAt(position, x, y));
      const sprite = this.sprite(owner, units, hollow, small === true);
      const [mx, my] = this.middle(x, y);
      this.ctx.drawImage(sprite, Math.round(mx - sprite.width / 2), Math.round(my - sprite.height / 2));
    }
  }

  /** A piece is drawn once for each seat, size and number, and copied from then on. */
  private sprite(seat: string, units: number, hollow: boolean, small: boolean): HTMLCanvasElement {
    const text = this.legible ? short(units) : "";
    const r = radius(units, this.legible) * this.side * (small ? 0.72 : 1);
    const key = `${seat} ${text} ${Math.round(4 * r)} ${hollow ? 1 : 0}`;
    const known = this.sprites.get(key);
    if (known) return known;
    const made = this.makeSprite(seat, text, r, hollow, small);
    this.sprites.set(key, made);
    return made;
  }

  private makeSprite(seat: string, text: string, r: number, hollow: boolean, small: boolean): HTMLCanvasElement {
    const tones = this.colours.seats[seat]!;
    const rim = this.line(0.03);
    const halo = 0.038 * this.side;
    const half = Math.ceil(1.3 * r + rim + halo) + 1;
    const sprite = Object.assign(document.createElement("canvas"), { width: 2 * half, height: 2 * half });
    const ctx = sprite.getContext("2d")!;
    const form = outline(seat, half, half, r);
    Object.assign(ctx, { lineJoin: "round", strokeStyle: this.colours.halo, lineWidth: rim + 2 * halo });
    ctx.stroke(form);
    ctx.fillStyle = hollow ? this.colours.surface : tones.piece;
    ctx.fill(form);
    Object.assign(ctx, { strokeStyle: hollow ? tones.line : tones.rim, lineWidth: hollow ? 2 * rim : rim });
    ctx.stroke(form);
    if (text) {
      const { size, low } = figures(seat, r, text, this.side * (small ? 0.72 : 1));
      Object.assign(ctx, { font: `700 ${size}px ${this.colours.face}`, textAlign: "center", fillStyle: hollow ? this.colours.ink : tones.on });
      ctx.fillText(text, half, half + low + 0.36 * size);
    }
    return sprite;
  }

  /** Ore in figures, none for 0: in the middle of a free tile, else in the corner on a plate. */
  private paintOre(pieces: readonly Piece[]): void {
    const { ctx, side: s } = this;
    const { position, moment } = this.picture;
    const stood = new Set(pieces.map((piece) => tileAt(position, Math.round(piece.x), Math.round(piece.y))));
    ctx.textAlign = "center";
    this.eachInSight((tile, left, top) => {
      const ore = moment?.ore.get(tile) ?? position.ore[tile]!;
      if (ore <= 0) return;
      const corner = stood.has(tile) || position.cover[tile] !== undefined;
      const size = (corner ? 0.22 : 0.3) * s;
      const text = short(ore);
      ctx.font = `400 ${size}px ${this.colours.face}`;
      const wide = ctx.measureText(text).width;
      const x = corner ? left + 0.07 * s + wide / 2 : left + s / 2;
      const y = corner ? top + 0.07 * s + 0.72 * size : top + s / 2 + 0.36 * size;
      if (corner) {
        ctx.fillStyle = this.colours.surface;
        ctx.fillRect(x - wide / 2 - 0.02 * s, y - 0.76 * size, wide + 0.04 * s, 0.84 * size);
      }
      ctx.fillStyle = this.colours.ink2;
      ctx.fillText(text, x, y);
    });
  }

  private paintClashes(clashes: Moment["clashes"]): void {
    for (const { x, y } of clashes) {
      if (!this.seen(x, y)) continue;
      const [mx, my] = this.middle(x, y);
      const burst = new Path2D();
      for (let i = 0; i < 16; i++) {
        const r = (i % 2 ? 0.13 : 0.28) * this.side;
        const turn = (i * Math.PI) / 8;
        const [px, py] = [mx + r * Math.sin(turn), my - r * Math.cos(turn)];
        if (i) burst.lineTo(px, py);
        else burst.moveTo(px, py);
      }
      burst.closePath();
      this.stroke(burst, this.colours.halo, this.line(0.08));
      this.ctx.fillStyle = this.colours.ink;
      this.ctx.fill(burst);
    }
  }

  // ---- orders

  /** A small arrow on the border that is crossed, to the right of the way so that two that meet stand side by side. */
  private paintDart({ tile, direction }: Flow): void {
    const { position } = this.picture;
    const [x, y] = placeOf(position, tile);
    if (!direction || !this.seen(x, y, 2)) return;
    const dart = this.arrow(x, y, direction, [[0.2, 0], [-0.12, 0.2], [-0.04, 0], [-0.12, -0.2]], 0.16); // prettier-ignore
    this.ctx.fillStyle = this.colours.ink;
    this.ctx.fill(dart);
    this.stroke(dart, this.colours.halo, this.line(0.035));
  }

  /** A figure laid on the border of a tile: points along the way and aside of it, in tiles. */
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

  /** An order of the own sheet: an arrow with its number, the letter of what is done, or the block to be built. */
  private paintPlan({ tile, word, direction, number, refused }: Flow): void {
    const { position } = this.picture;
    const [x, y] = placeOf(position, tile);
    if (!this.seen(x, y, 2)) return;
    const tone = refused ? this.colours.signal : this.colours.ink;
    if (word === "move" && direction) this.paintMarch(x, y, direction, number, tone);
    else if (word === "build" && position.cover[tile] === undefined) this.paintSite(x, y, direction ?? "right", tone);
    if (word !== "move") this.plate(x, y, -0.3, -0.3, word[0]!.toUpperCase(), tone);
  }

  private paintMarch(x: number, y: number, direction: string, number: number, tone: string): void {
    const shape = [[0.3, 0], [0.04, 0.19], [0.04, 0.06], [-0.2, 0.06], [-0.2, -0.06], [0.04, -0.06], [0.04, -0.19]] as const; // prettier-ignore
    const march = this.arrow(x, y, direction, shape, 0);
    this.stroke(march, this.colours.halo, this.line(0.07));
    this.ctx.fillStyle = tone;
    this.ctx.fill(march);
    const [dx, dy] = STEPS[direction]!;
    const all = this.picture.position.stacks[tileAt(this.picture.position, x, y)]?.units === number;
    if (this.legible && !all) this.plate(x, y, 0.28 * dx - 0.26 * dy, 0.28 * dy + 0.26 * dx, short(number), tone);
  }

  /** The block of a building that is planned. */
  private paintSite(x: number, y: number, direction: string, tone: string): void {
    const [dx, dy] = ACROSS[direction]!;
    const column = this.column(Math.min(x, x + dx), 2);
    const row = this.row(Math.min(y, y + dy), 2);
    const gap = 0.06 * this.side;
    const box = { left: this.x(column) + gap, top: this.y(row) + gap, right: this.x(column + 2) - gap, bottom: this.y(row + 2) - gap };
    const block = rounded(box, 0.12 * this.side);
    this.stroke(block, this.colours.halo, this.line(0.15));
    this.ctx.setLineDash([0.2 * this.side, 0.12 * this.side]);
    this.stroke(block, tone, this.line(0.075));
    this.ctx.setLineDash([]);
  }

  /** A few signs on a plate, beside the middle of a tile. */
  private plate(x: number, y: number, dx: number, dy: number, text: string, tone: string): void {
    if (!this.legible) return;
    const { ctx, side: s } = this;
    const flip = this.picture.turned ? -1 : 1;
    const [mx, my] = this.middle(x, y);
    const [px, py] = [mx + flip * dx * s, my + flip * dy * s];
    const size = Math.max(0.25 * s, 9 * this.px);
    ctx.font = `700 ${size}px ${this.colours.face}`;
    ctx.textAlign = "center";
    const wide = ctx.measureText(text).width + 0.14 * s;
    const box = rounded({ left: px - wide / 2, top: py - 0.55 * size, right: px + wide / 2, bottom: py + 0.55 * size }, 0.06 * s);
    ctx.fillStyle = this.colours.raised;
    ctx.fill(box);
    this.stroke(box, tone, this.line(0.025));
    ctx.fillStyle = tone;
    ctx.fillText(text, px, py + 0.36 * size);
  }

  // ---- coordinates

  /** Columns above and rows at the left; they stay in sight when the board is enlarged. */
  private paintRulers(): void {
    const { ctx, sight, canvas } = this;
    const size = 11 * this.px;
    const [wide, high] = [RULER[0] * this.px, RULER[1] * this.px];
    const every = [1, 2, 5, 10, 20].find((step) => step * this.side >= 2 * size) ?? 50;
    const left = Math.max(0, this.left - wide);
    const top = Math.max(0, this.top - high);
    ctx.globalAlpha = 0.86;
    ctx.fillStyle = this.colours.page;
    if (this.left < wide) ctx.fillRect(0, 0, wide, canvas.height);
    if (this.top < high) ctx.fillRect(0, 0, canvas.width, high);
    ctx.globalAlpha = 1;
    ctx.font = `400 ${size}px ${this.colours.face}`;
    ctx.fillStyle = this.colours.ink3;
    ctx.textAlign = "center";
    for (let column = sight.left; column < sight.right; column++) {
      const x = this.column(column);
      if (x % every === 0 && this.x(column + 0.5) > left + wide) ctx.fillText(String(x), this.x(column + 0.5), top + high - 0.45 * size);
    }
    ctx.textAlign = "right";
    for (let row = sight.top; row < sight.bottom; row++) {
      const y = this.row(row);
      if (y % every === 0 && this.y(row + 0.5) > top + high) ctx.fillText(String(y), left + wide - 0.4 * size, this.y(row + 0.5) + 0.36 * size);
    }
  }
}

const HAMMER = { handle: new Path2D(HANDLE), head: new Path2D(HEAD) };

function rounded({ left, top, right, bottom }: Box, r: number): Path2D {
  const path = new Path2D();
  path.roundRect(left, top, right - left, bottom - top, r);
  return path;
}

