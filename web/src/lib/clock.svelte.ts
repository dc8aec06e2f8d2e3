// Clocks that keep counting between two messages from the server.

import type { Clock } from "../wire";

export class Clocks {
  private said = $state.raw<Clock>({ left: {}, running: [] });
  private heard = 0;
  private now = $state(0);
  private timer: ReturnType<typeof setInterval> | undefined;

  take(clock: Clock): void {
    this.said = clock;
    this.heard = this.now = performance.now();
    clearInterval(this.timer);
    if (clock.running.length) this.timer = setInterval(() => (this.now = performance.now()), 200);
  }

  stop(): void {
    clearInterval(this.timer);
  }

  /** Seconds left for a seat, or null if it has no clock. */
  left(seat: string): number | null {
    const left = this.said.left[seat];
    if (left === undefined) return null;
    return this.runs(seat) ? Math.max(0, left - (this.now - this.heard) / 1000) : left;
  }

  runs(seat: string): boolean {
    return this.said.running.includes(seat);
  }

  get seats(): string[] {
    return Object.keys(this.said.left);
  }
}
