// Which part of the board is visible and how much it is enlarged. The frame around the board pans and zooms it by a
// transform; a canvas has to know, so that it can draw the visible part as sharply as the screen can show it.

import type { Lens } from "./paint";

const CALM = 250; // ms
const STEP = 96; // pixels
const LITTLE = 0.15; // of the height

/** The space for the board. Lines of text around it come and go; meanwhile the board keeps its size. */
export class Steady {
  width = $state(0);
  height = $state(0);
  private timer = 0;

  /** The space has this size now. */
  offer(width: number, height: number): void {
    clearTimeout(this.timer);
    const little = width === this.width && Math.abs(height - this.height) < LITTLE * this.height;
    if (little) this.timer = window.setTimeout(() => this.take(width, height), CALM);
    else this.take(width, height);
  }

  private take(width: number, height: number): void {
    this.width = width;
    this.height = height;
  }
}

export class Sight {
  lens = $state.raw<Lens>({ left: 0, top: 0, width: 0, height: 0, zoom: 1 });

  /** Watches the containers of an element until the returned function is called. */
  watch(element: HTMLElement): () => void {
    const again = () => this.measure(element);
    const moved = new MutationObserver(again);
    const sized = new ResizeObserver(again);
    for (let room: HTMLElement | null = element; room; room = room.parentElement) {
      moved.observe(room, { attributes: true, attributeFilter: ["style"] });
      sized.observe(room);
      if (isWindow(room)) break;
    }
    again();
    return () => {
      moved.disconnect();
      sized.disconnect();
    };
  }

  private measure(element: HTMLElement): void {
    const box = element.getBoundingClientRect();
    const zoom = element.offsetWidth ? box.width / element.offsetWidth : 1;
    let window: DOMRect | null = null; // all of it, unless it is enlarged
    for (let room = zoom > 1.001 ? element.parentElement : null; room && !window; room = room.parentElement)
      if (isWindow(room)) window = room.getBoundingClientRect();
    const left = Math.max(0, (window?.left ?? box.left) - box.left) / zoom;
    const top = Math.max(0, (window?.top ?? box.top) - box.top) / zoom;
    const right = (Math.min(box.right, window?.right ?? box.right) - box.left) / zoom;
    // In steps, so that one line of text more or less below the board makes no difference.
    const low = Math.ceil(((window?.bottom ?? box.bottom) - box.top) / STEP) * STEP;
    const bottom = Math.min(box.height, low) / zoom;
    const next = { left, top, width: Math.max(0, right - left), height: Math.max(0, bottom - top), zoom };
    const before = this.lens;
    if ((Object.keys(next) as (keyof Lens)[]).some((key) => next[key] !== before[key])) this.lens = next;
  }
}

const isWindow = (room: HTMLElement): boolean => getComputedStyle(room).overflowX !== "visible";
