// Nothing that has just appeared takes a click: a second click was meant for what stood there before.

export const CALM = 500; // ms
const CLICK = 50; // ms from letting go to the click that this makes

/** A finger or the first button of the mouse is down. */
let held = false;
const waiting = new Set<() => void>();

/** Follows the pointers of a window. */
export function followPointers(window: EventTarget): void {
  const up = (): void => {
    held = false;
    for (const go of waiting) go();
    waiting.clear();
  };
  window.addEventListener("pointerdown", (event) => (held = (event as PointerEvent).button === 0), { capture: true });
  window.addEventListener("pointerup", up, { capture: true });
  window.addEventListener("pointercancel", up, { capture: true });
}

export class Calm {
  /** It takes clicks. */
  ready = $state(true);
  private timer: ReturnType<typeof setTimeout> | undefined;

  /** Something new stands there. */
  begin(): void {
    this.ready = false;
    this.stop();
    this.timer = setTimeout(this.end, CALM);
  }

  stop(): void {
    clearTimeout(this.timer);
    waiting.delete(this.later);
  }

  // A press that began before is meant for what stood there before, however late it is let go.
  private readonly end = (): void => {
    if (held) waiting.add(this.later);
    else this.ready = true;
  };
  private readonly later = (): void => {
    this.timer = setTimeout(this.end, CLICK);
  };
}
