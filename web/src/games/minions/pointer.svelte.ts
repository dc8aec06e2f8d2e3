// Mouse and touch on the board in focus: a click, a drag from unit to target, a loop over friendly units, a long press.

import { Grip, inDrawing, placeUnder, type Deeds } from "../../lib/grip";
import { desk } from "./desk.svelte";
import { HEXES, S, type Point } from "./geometry";
import type { Hand } from "./hand.svelte";
import { factsOf } from "./words";

interface Drag {
  readonly from: string;
  readonly to: Point;
  /** The hex under the pointer. */
  readonly on: string | null;
  /** The friendly units passed on the way, from the first on. */
  readonly ring: readonly string[];
}

export class Pointer {
  private readonly grip = new Grip<string>(
    () => this.hand,
    () => this.deeds,
  );
  private drag = $state.raw<Drag | null>(null);

  constructor(
    private readonly hand: Hand,
    private readonly middleOf: (hex: string) => Point,
    /** The pointer has moved to another hex. */
    private readonly pointed: () => void,
    private readonly chose: (hex: string) => void,
  ) {}

  /** The way over friendly units has come back to its start. */
  readonly closing = $derived.by(() => this.drag !== null && this.drag.ring.length > 1 && this.drag.on === this.drag.from);
  /** Units that will rotate, in order. */
  readonly ring = $derived.by((): readonly string[] => (this.drag && this.drag.ring.length > 1 ? this.drag.ring : this.hand.loop));
  /** Whether the ring is shown closed: one drawn by the pointer is open until it comes back. */
  readonly whole = $derived.by(() => this.closing || this.drag === null);

  /** Where a unit is drawn while it is dragged. */
  carried(hex: string): Point | null {
    const { drag } = this;
    return drag?.from === hex && !this.closing && drag.ring.length === 1 ? drag.to : null;
  }

  /** Handlers for the element of the board. */
  get on(): Grip<string>["on"] {
    return this.grip.on;
  }

  /** A finger that draws an order must not scroll the page. */
  readonly holdPage = (node: SVGSVGElement): (() => void) => {
    const hold = (event: TouchEvent): void => {
      if (this.grip.drawing && event.touches.length === 1) event.preventDefault();
    };
    node.addEventListener("touchmove", hold, { passive: false });
    return () => node.removeEventListener("touchmove", hold);
  };

  private get deeds(): Deeds<string> {
    return {
      at: (event) => this.under(event),
      click: (hex, event) => this.click(hex, event),
      long: (hex) => this.longPress(hex),
      back: this.hand.open ? (hex) => this.hand.takeBack(hex) : undefined,
      draws: (hex) => this.draws(hex),
      draw: (event, from) => this.draw(event, from),
      drop: () => this.drop(),
      let: () => (this.drag = null),
    };
  }

  private under(event: MouseEvent): string | null {
    const hex = placeUnder(event, "hex");
    if (!this.hand.finger && !this.drag && hex !== this.hand.hover) this.pointed();
    return hex;
  }

  private drop(): void {
    const done = this.drag;
    if (done && done.on === done.from && done.ring.length > 1) this.hand.turnRound(done.ring);
    else if (done?.on && done.on !== done.from) this.hand.drop(done.from, done.on);
  }

  private click(hex: string | null, event: MouseEvent): void {
    if (hex && event.shiftKey) this.hand.join(hex);
    else if (hex) {
      if (desk.pinned) desk.unpin();
      this.chose(hex);
    }
  }

  private draws(hex: string): boolean {
    return this.hand.commands(hex) && !desk.armed;
  }

  private draw(event: PointerEvent, from: string): void {
    const to: Point = inDrawing(event.currentTarget as SVGSVGElement, event);
    const on = this.nearest(to);
    const ring = this.drag?.ring ?? [from];
    // Friendly units on the way can rotate, if it comes back to its start.
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
    const { scene } = this.hand;
    const unit = this.hand.unit(hex);
    const facts = unit && factsOf(scene.setting, unit);
    if (facts) desk.pin({ facts, side: unit.side, unit, board: scene.board.number });
  }
}
