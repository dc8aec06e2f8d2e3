// A pointer on a board: whether it pointed, clicked, pressed long or dragged. What that means is the board's.

const LONG = 500; // ms of a long press
const FAR = 6; // pixels that make a drag of a press

/** What a board's hand is told of the pointer. */
export interface Pointing<P> {
  /** The place under the pointer. */
  hover: P | null;
  /** The cursor of the keys shows; a pointer hides it. */
  keyed: boolean;
  /** The last to touch the board was a finger. */
  finger: boolean;
}

export interface Deeds<P> {
  /** The place under the pointer. */
  at(event: MouseEvent): P | null;
  click(place: P | null, event: MouseEvent): void;
  /** A finger rested here. False: nothing was done, and the click that follows counts. */
  long(place: P): boolean | void;
  /** Right click: takes back what is ordered here. Undefined while nothing can be taken back. */
  back: ((place: P) => void) | undefined;
  /** Whether a drag that begins here is the board's own, and moves no map. */
  draws?(place: P, event: PointerEvent): boolean;
  /** The drag goes on; `first` once at its beginning. */
  draw?(event: PointerEvent, from: P, first: boolean): void;
  /** The drag ended where it was last drawn. */
  drop?(event: PointerEvent): void;
  /** Nothing is dragged any more. */
  let?(): void;
}

export class Grip<P> {
  private press: { id: number; x: number; y: number; place: P; draws: boolean; timer: number } | null = null;
  private dragged = false;
  private swallow = false; // the click that ends a drag or a long press

  constructor(
    private readonly hand: () => Pointing<P>,
    private readonly deeds: () => Deeds<P>,
  ) {}

  /** The pointer is down where a drag would be the board's own. */
  get drawing(): boolean {
    return this.press?.draws ?? false;
  }

  /** Handlers for the element of the board. */
  readonly on = {
    onpointerdown: (event: PointerEvent) => this.down(event),
    onpointermove: (event: PointerEvent) => this.move(event),
    onpointerup: (event: PointerEvent) => this.up(event),
    onpointercancel: () => this.release(),
    onpointerleave: () => (this.hand().hover = null),
    onclick: (event: MouseEvent) => this.click(event),
    oncontextmenu: (event: MouseEvent) => this.menu(event),
  };

  private down(event: PointerEvent): void {
    this.release();
    const hand = this.hand();
    const deeds = this.deeds();
    this.swallow = false;
    hand.keyed = false;
    hand.finger = event.pointerType === "touch";
    const place = deeds.at(event);
    if (!event.isPrimary || event.button !== 0 || place === null) return;
    const draws = deeds.draws?.(place, event) ?? false;
    const timer = hand.finger ? window.setTimeout(() => (this.swallow = deeds.long(place) !== false), LONG) : 0;
    this.press = { id: event.pointerId, x: event.clientX, y: event.clientY, place, draws, timer };
    if (draws) event.stopPropagation(); // the frame around the board would move the map
  }

  private move(event: PointerEvent): void {
    const { press, dragged } = this;
    const deeds = this.deeds();
    if (!this.hand().finger && !dragged) this.hand().hover = deeds.at(event);
    if (press?.id !== event.pointerId) return;
    if (!dragged && Math.hypot(event.clientX - press.x, event.clientY - press.y) < FAR) return;
    clearTimeout(press.timer);
    if (!press.draws || !(event.buttons & 1)) return;
    if (!dragged) (event.currentTarget as Element).setPointerCapture(event.pointerId);
    this.dragged = true;
    deeds.draw?.(event, press.place, !dragged);
  }

  private up(event: PointerEvent): void {
    if (this.dragged) {
      this.swallow = true;
      this.deeds().drop?.(event);
    }
    this.release();
  }

  private release(): void {
    if (this.press) clearTimeout(this.press.timer);
    this.press = null;
    this.dragged = false;
    this.deeds().let?.();
  }

  private click(event: MouseEvent): void {
    const deeds = this.deeds();
    if (this.swallow) this.swallow = false;
    else deeds.click(deeds.at(event), event);
  }

  /** Right click takes back; on touch screens the same event is the long press. */
  private menu(event: MouseEvent): void {
    const { at, back } = this.deeds();
    const place = at(event);
    if (place === null || !back) return;
    event.preventDefault();
    if (!this.hand().finger) back(place);
  }
}

/** Where the pointer is in the units of a drawing. */
export function inDrawing(svg: SVGSVGElement, { clientX, clientY }: MouseEvent): [number, number] {
  const { x, y } = new DOMPoint(clientX, clientY).matrixTransform(svg.getScreenCTM()!.inverse());
  return [x, y];
}

/** What an attribute of the drawn thing under the pointer says: placeUnder(event, "hex") reads data-hex. */
export function placeUnder(event: Event, kind: string): string | null {
  return (event.target as Element).closest<SVGElement>(`[data-${kind}]`)?.dataset[kind] ?? null;
}
