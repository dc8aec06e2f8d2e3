// Nothing that has just appeared takes a click: a second click was meant for what stood there before.

export const CALM = 500; // ms

export class Calm {
  /** It takes clicks. */
  ready = $state(true);
  private timer: ReturnType<typeof setTimeout> | undefined;

  /** Something new stands there. */
  begin(): void {
    this.ready = false;
    clearTimeout(this.timer);
    this.timer = setTimeout(() => (this.ready = true), CALM);
  }

  stop(): void {
    clearTimeout(this.timer);
  }
}
