// Mouse and finger on the board in focus: a click, a drag from unit to target, a loop over friends, a long press.

import { desk } from "./desk.svelte";
import { HEXES, S, type Point } from "./geometry";
import type { Hand } from "./hand.svelte";
import { factsOf } from "./words";

const LONG = 500; // ms of a long press
const FAR = 6; // pixels that make a drag of a press

interface Press {
  readonly id: number;
  readonly x: number;
  readonly y: number;
  readonly hex: string;
  readonly timer: number;
}

interface Drag {
  readonly from: string;
  readonly to: Point;
  /** The hex under the pointer. */
  readonly on: string | null;
  /** The friends that the way led over, from the first on. */
  readonly ring: readonly string[];
}

export class Pointer {
  private press: Press | null = null;
  private swallow = false; // the click that ends a drag or a long press
  private drag = $state.raw<Drag | null>(null);

  constructor(
    private readonly hand: Hand,
    private readonly middleOf: (hex: string) => Point,
    /** The pointer came to another hex. */
    private readonly pointed: () => void,
    private readonly chose: (hex: string) => void,
  ) {}

  /** The way over friends has come back to where it began. */
  readonly closing = $derived.by(() => this.drag !== null && this.drag.ring.length > 1 && this.drag.on === this.drag.from);
  /** Units that shall go round, in order. */
  readonly ring = $derived.by((): readonly string[] => (this.drag && this.drag.ring.length > 1 ? this.drag.ring : this.hand.loop));
  /** Whether the ring is shown closed: the one drawn by the pointer is not before it comes back. */
  readonly whole = $derived.by(() => this.closing || this.drag === null);

  /** Where a unit is drawn while it is dragged. */
  carried(hex: string): Point | null {
    const { drag } = this;
    return drag?.from === hex && !this.closing && drag.ring.length === 1 ? drag.to : null;
  }

  /** A finger that draws an order does not scroll the page. */
  readonly holdPage = (node: SVGSVGElement): (() => void) => {
    const hold = (event: TouchEvent): void => {
      if (this.press && this.draws(this.press.hex) && event.touches.length === 1) event.preventDefault();
    };
    node.addEventListener("touchmove", hold, { passive: false });
    return () => node.removeEventListener("touchmove", hold);
  };

  down(event: PointerEvent): void {
    this.release();
    this.swallow = false;
    this.hand.keyed = false;
    this.hand.finger = event.pointerType === "touch";
    const hex = hexOf(event);
    if (!event.isPrimary || event.button !== 0 || !hex) return;
    const timer = this.hand.finger ? window.setTimeout(() => this.longPress(hex), LONG) : 0;
    this.press = { id: event.pointerId, x: event.clientX, y: event.clientY, hex, timer };
    if (this.draws(hex)) event.stopPropagation(); // this drag is an order, not a move of the map
  }

  move(event: PointerEvent & { currentTarget: SVGSVGElement }): void {
    if (!this.hand.finger && !this.drag) this.point(hexOf(event));
    const { press } = this;
    if (press?.id !== event.pointerId) return;
    if (!this.drag && Math.hypot(event.clientX - press.x, event.clientY - press.y) < FAR) return;
    clearTimeout(press.timer);
    if (event.buttons & 1 && this.draws(press.hex)) this.draw(event, press.hex);
  }

  up(): void {
    const done = this.drag;
    this.release();
    if (!done) return;
    this.swallow = true;
    if (done.on === done.from && done.ring.length > 1) this.hand.turnRound(done.ring);
    else if (done.on && done.on !== done.from) this.hand.drop(done.from, done.on);
  }

  release(): void {
    if (this.press) clearTimeout(this.press.timer);
    this.press = null;
    this.drag = null;
  }

  leave(): void {
    this.point(null);
  }

  click(event: MouseEvent): void {
    const hex = hexOf(event);
    if (this.swallow) this.swallow = false;
    else if (hex && event.shiftKey) this.hand.join(hex);
    else if (hex) {
      if (desk.pinned) desk.unpin();
      this.chose(hex);
    }
  }

  /** Right click takes back; on touch screens the same event is the long press. */
  menu(event: MouseEvent): void {
    const hex = hexOf(event);
    if (!hex || !this.hand.open) return;
    event.preventDefault();
    if (!this.hand.finger) this.hand.takeBack(hex);
  }

  private draws(hex: string): boolean {
    return this.hand.commands(hex) && !desk.armed;
  }

  private point(hex: string | null): void {
    if (hex !== this.hand.hover) this.pointed();
    this.hand.hover = hex;
  }

  private draw(event: PointerEvent & { currentTarget: SVGSVGElement }, from: string): void {
    const svg = event.currentTarget;
    if (!this.drag) svg.setPointerCapture(event.pointerId);
    const place = new DOMPoint(event.clientX, event.clientY).matrixTransform(svg.getScreenCTM()!.inverse());
    const to: Point = [place.x, place.y];
    const on = this.nearest(to);
    const ring = this.drag?.ring ?? [from];
    // Friends that the way leads over may go round, if it comes back to where it began.
    const joins = on !== null && !ring.includes(on) && this.hand.isOwn(on);
    this.drag = { from, to, on, ring: joins ? [...ring, on] : ring };
    this.hand.hover = on;
  }

  private nearest([x, y]: Point): string | null {
    let best: string | null = null;
    let least = S;
    for (const hex of HEXES) {
      const [hx, hy] = this.middleOf(hex);
      const far = Math.hypot(hx - x, hy - y);
      if (far < least) [best, least] = [hex, far];
    }
    return best;
  }

  /** Shows the card of the unit. */
  private longPress(hex: string): void {
    this.swallow = true;
    const { scene } = this.hand;
    const unit = this.hand.unit(hex);
    const facts = unit && factsOf(scene.setting, unit);
    if (facts) desk.pin({ facts, side: unit.side, unit, board: scene.board.number });
  }
}

const hexOf = (event: Event): string | null => (event.target as Element).closest<SVGElement>("[data-hex]")?.dataset["hex"] ?? null;
