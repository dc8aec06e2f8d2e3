// Your own tables, as the lobby shows them: whether orders are due, and how much time is left.

import type { Says, TableCard } from "../wire";
import { Clocks } from "./clock.svelte";
import { Live } from "./live";
import { tokenOf } from "./session.svelte";

const MAX = 4; // tables to follow

/** One table, followed from the lobby. */
export class Seat {
  card = $state.raw<TableCard | null>(null);
  readonly clocks = new Clocks();
  private readonly live: Live;

  constructor(readonly id: string) {
    this.live = new Live(
      id,
      () => tokenOf(id),
      (says) => this.hear(says),
      () => undefined,
    );
    this.live.start();
  }

  /** Your seat. */
  get seat(): string | null {
    return this.card?.seats.find((seat) => seat.you)?.seat ?? null;
  }

  get due(): boolean {
    return this.card?.status === "playing" && this.card.seats.some((seat) => seat.you && seat.to_act === true && !seat.filed);
  }

  /** Seconds left for your seat, if it has a clock. */
  get left(): number | null {
    return this.seat ? this.clocks.left(this.seat) : null;
  }

  stop(): void {
    this.live.stop();
    this.clocks.stop();
  }

  private hear(says: Says): void {
    if (says.type === "table") this.card = says.card;
    else if (says.type === "clock") this.clocks.take(says.clock);
  }
}

export class Seats {
  all = $state.raw<readonly Seat[]>([]);

  /** Follows these tables, and no others. */
  listen(ids: readonly string[]): void {
    const wanted = ids.slice(0, MAX);
    if (wanted.join() === this.all.map((seat) => seat.id).join()) return;
    for (const seat of this.all) if (!wanted.includes(seat.id)) seat.stop();
    this.all = wanted.map((id) => this.all.find((seat) => seat.id === id) ?? new Seat(id));
  }

  stop(): void {
    for (const seat of this.all) seat.stop();
  }
}
