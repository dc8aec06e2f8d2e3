// A pointer on a board: whether it points, clicks, presses long or drags. The board decides what that means.

const LONG = 500; // ms until a press is long
const FAR = 6; // pixels until a press is a drag

/** What a board's hand knows about the pointer. */
export interface Pointing<P> {
  /** The place under the pointer. */
  hover: P | null;
  /** The keyboard cursor is shown; a pointer hides it. */
  keyed: boolean;
  /** The board was last touched by a finger. */
  finger: boolean;
}

export interface Deeds<P> {
  /** The place under the pointer. */
  at(event: MouseEvent): P | null;
  click(place: P | null, event: MouseEvent): void;
  /** A long press here. False: nothing was done, and the click that follows counts. */
  long(place: P): boolean | void;
  /** Right click: cancels the orders here. Undefined while orders can't be changed. */
  back: ((place: P) => void) | undefined;
  /** Whether the board handles a drag that begins here, instead of panning the map. */
  draws?(place: P, event: PointerEvent): boolean;
  /** The drag continues; `first` is true once at its beginning. */
  draw?(event: PointerEvent, from: P, first: boolean): void;
  /** The drag ended at its last position. */
  drop?(event: PointerEvent): void;
  /** The drag is over. */
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

  /** The pointer is down where the board would handle a drag. */
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
    if (draws) event.stopPropagation(); // the frame around the board would pan the map
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

  /** Right click cancels orders; on touch screens the same event is the long press. */
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

/** An attribute of the element under the pointer: placeUnder(event, "hex") reads data-hex. */
export function placeUnder(event: Event, kind: string): string | null {
  return (event.target as Element).closest<SVGElement>(`[data-${kind}]`)?.dataset[kind] ?? null;
}
