// The evening as one role knows it: names, clocks, maps in its hands, and the acts it may try.

import * as api from "../../../lib/api";
import { PartyRefusal, type PartyLine } from "../../../lib/party.svelte";
import { clock } from "../../../lib/time";
import { name as capital } from "../../../lib/words";
import type { Chart, Person, Sight, Until } from "./wire";

export interface Door {
  at: number;
  text: string;
}

export class Evening {
  /** Why the last act was refused. */
  refusal = $state<PartyRefusal | null>(null);
  busy = $state(false);
  chart = $state.raw<Chart | null>(null);
  /** Who came and went while this person was in the room. */
  doors = $state.raw<readonly Door[]>([]);
  private before: { room: string | undefined; here: readonly string[] } | null = null;
  private asked = -1;

  constructor(
    readonly id: string,
    readonly line: PartyLine<Sight>,
    readonly token: string,
  ) {}

  get sight(): Sight {
    return this.line.sight!;
  }

  get role(): string {
    return this.sight.role;
  }

  get court(): string | null {
    return this.person(this.role)?.court ?? null;
  }

  person(role: string): Person | undefined {
    return this.sight.people?.find((person) => person.role === role);
  }

  name(role: string): string {
    return this.person(role)?.name ?? capital(role);
  }

  courtiers(court: string): Person[] {
    return (this.sight.people ?? []).filter((person) => person.court === court && person.role !== court);
  }

  /** Seconds until a deadline. */
  seconds(until: Until | undefined): number | null {
    if (!until) return null;
    const left = until.at === undefined ? (until.left ?? 0) : until.at - this.line.now;
    return Math.max(0, Math.ceil(left / 1000));
  }

  shown(until: Until | undefined): string {
    const seconds = this.seconds(until);
    return seconds === null ? "" : clock(seconds);
  }

  /** Asks for an act; a refusal is shown until the next one. */
  async act(act: object): Promise<boolean> {
    this.busy = true;
    this.refusal = null;
    try {
      await this.line.do(act);
      return true;
    } catch (error) {
      this.refusal = error instanceof PartyRefusal ? error : new PartyRefusal(String(error));
      return false;
    } finally {
      this.busy = false;
    }
  }

  /** Gets the newest map in this role's hands, if it is another than the one shown. */
  look(): void {
    const newest = this.sight.maps?.at(-1);
    if (newest === undefined) {
      this.chart = null;
      this.asked = -1;
    } else if (newest !== this.asked) {
      this.asked = newest;
      api.party.map<Chart>(this.id, this.token, newest).then(
        (chart) => (this.chart = chart),
        () => (this.asked = -1),
      );
    }
  }

  /** Notes who has come and gone. Where they came from, or went, nobody sees. */
  watchDoors(): void {
    const { room, here = [] } = this.sight;
    const before = this.before;
    this.before = { room, here };
    if (!before || before.room !== room) return;
    const at = this.line.now;
    const came = here.filter((role) => !before.here.includes(role)).map((role) => ({ at, text: `${this.name(role)} came in` }));
    const went = before.here.filter((role) => !here.includes(role)).map((role) => ({ at, text: `${this.name(role)} left` }));
    if (came.length || went.length) this.doors = [...this.doors, ...came, ...went].slice(-100);
  }
}

/** A moment of the evening as a clock shows it. */
export const moment = (at: number, seconds = false): string =>
  new Date(at).toLocaleTimeString("en-GB", { hour: "2-digit", minute: "2-digit", ...(seconds && { second: "2-digit" }) });

export const roomName = (room: string | undefined): string =>
  room === undefined ? "" : ["red", "green", "blue"].includes(room) ? `${capital(room)} court` : `The ${room}`;
