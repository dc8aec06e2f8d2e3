// The state of one table as far as this browser may know it: messages from the socket, stored where the pages read them.

import type { GameTable } from "../games/contract";
import { load } from "../games";
import type { ChatLine, Crew, Frame, Refused, Says, SeatCard, TableCard, TableState } from "../wire";
import * as api from "./api";
import { Clocks } from "./clock.svelte";
import { Frames } from "./frames.svelte";
import { Live, type Line } from "./live";
import { route } from "./route.svelte";
import { seated, tokenFrom, tokenOf } from "./session.svelte";
import { Draft } from "./sheet.svelte";
import { keep } from "./store";
import { frameOf, Viewer } from "./viewer.svelte";

const LOOKS = 500; // ms between two messages about what this person is looking at

export class Table {
  state = $state.raw<TableState | null>(null);
  game = $state.raw<GameTable | null>(null);
  line = $state.raw<Line>({ up: false, next: null, closed: null });
  chat = $state.raw<readonly ChatLine[]>([]);
  unread = $state(0);
  /** Chat messages from others that arrived while this page was open. */
  heard = $state(0);
  /** The last refusal that isn't about a line. */
  refused = $state.raw<Refused | null>(null);
  /** The seat that this person got after the bids. */
  moved = $state<string | null>(null);
  readonly frames: Frames;
  readonly viewer: Viewer;
  readonly clocks = new Clocks();
  readonly draft: Draft;
  private readonly live: Live;
  private begun = false;
  /** When the page was opened, in server time; older messages are not new. */
  private readonly since = Date.now() / 1000 - 2;

  constructor(
    readonly id: string,
    hash: string,
    private readonly moment: string | null,
  ) {
    tokenFrom(id, hash);
    this.frames = new Frames((from, to) => api.frames(id, tokenOf(id), from, to));
    this.viewer = new Viewer(
      this.frames,
      () => this.game,
      () => this.state?.shows ?? {},
    );
    this.live = new Live(
      id,
      () => tokenOf(id),
      (says) => this.hear(says),
      (line) => (this.line = line),
    );
    this.draft = new Draft(
      id,
      (wish) => this.live.send(wish),
      () => this.held.forEach((role) => this.tellDone(role, false)),
    );
    this.live.start();
  }

  get card(): TableCard | null {
    return this.state?.card ?? null;
  }

  get you(): string | null {
    return this.state?.you ?? null;
  }

  get seat(): SeatCard | null {
    return this.card?.seats.find((seat) => seat.you) ?? null;
  }

  /** The people who share your seat; empty if nobody does. */
  get crew(): readonly Crew[] {
    return this.seat?.crew ?? [];
  }

  /** The roles that this person has taken. */
  get held(): readonly string[] {
    return this.crew.find((one) => one.you)?.roles ?? [];
  }

  /** When the table was last heard of: waiting times count from then. */
  private at = 0;
  private now = $state(0);
  private readonly watch = setInterval(() => {
    if (this.crew.some((one) => one.wait)) this.now = performance.now();
  }, 1000);

  /** Seconds until this person may take over the roles of another; null if that one is here. */
  wait(one: Crew): number | null {
    return one.wait === null ? null : Math.max(0, one.wait - (this.now - this.at) / 1000);
  }

  /** The people whose roles can be taken over now, and who aren't done. */
  get away(): readonly Crew[] {
    return this.over ? [] : this.crew.filter((one) => this.wait(one) === 0 && one.roles.some((role) => !one.done.includes(role)));
  }

  may(what: string): boolean {
    return this.state?.may.includes(what) ?? false;
  }

  stop(): void {
    clearTimeout(this.glance);
    clearInterval(this.watch);
    this.live.stop();
    this.clocks.stop();
    this.viewer.stop();
  }

  retry(): void {
    this.live.now();
  }

  /** The sheet can be edited now: this seat's orders are due, for the newest position. */
  get ordering(): boolean {
    return this.you !== null && this.draft.step >= 0 && this.draft.step === this.frames.last && this.draft.open && !this.over;
  }

  get over(): boolean {
    return this.card?.status === "over";
  }

  // ---- what a person does

  act(what: string): void {
    this.refused = null;
    if (what === "rematch") void this.rematch();
    else this.live.send({ type: "act", what });
    if (what === "leave") keep(`seat.${this.id}`, null);
  }

  /** The answer holds the secret of the new seat, so it is requested in private, not over the shared socket. */
  private async rematch(): Promise<void> {
    try {
      route.go(seated(await api.rematch(this.id, tokenOf(this.id))));
    } catch (error) {
      const refused = error instanceof api.Trouble && error.status === 409;
      if (refused && this.card?.next) return route.go(`/table/${this.card.next}`); // where this person already has a seat, or can watch
      this.refused = { type: "refused", re: null, word: "", why: api.whyOf(error), rule: null, key: null, seconds: null };
    }
  }

  answer(what: "draw" | "take back", yes: boolean): void {
    this.live.send({ type: "answer", what, yes });
  }

  say(text: string, to: "table" | "side"): void {
    this.live.send({ type: "say", text, to });
  }

  // ---- in a shared seat

  role(role: string, take: boolean): void {
    this.refused = null;
    this.live.send({ type: "role", role, take });
  }

  done(role: string, done: boolean): void {
    // A second click must neither take it back nor count for the next turn or another board.
    if (!this.draft.calm.ready) return;
    this.draft.calm.begin();
    this.tellDone(role, done);
  }

  private tellDone(role: string, done: boolean): void {
    this.live.send({ type: "done", role, done, step: this.draft.step });
  }

  private glance = 0;
  private looked = "";

  /** Says what this person is looking at, at most twice a second; the last place always arrives. */
  look(place: string): void {
    if (!this.crew.length || place === this.looked) return;
    this.looked = place;
    if (this.glance) return;
    this.live.send({ type: "looking", at: place });
    const sent = place;
    this.glance = window.setTimeout(() => {
      this.glance = 0;
      const last = this.looked;
      if (last === sent) return;
      this.looked = "";
      this.look(last);
    }, LOOKS);
  }

  bid(number: number): void {
    this.refused = null;
    this.live.send({ type: "bid", bid: number });
  }

  note(place: string, text: string): void {
    if (this.state) {
      const notes = { ...this.state.notes };
      if (text) notes[place] = text;
      else delete notes[place];
      this.state = { ...this.state, notes };
    }
    this.live.send({ type: "note", place, text });
  }

  // ---- what the server says

  private hear(says: Says): void {
    switch (says.type) {
      case "table":
        return this.took(says);
      case "frame":
        this.frames.put([says.frame]);
        this.draft.passed = says.frame.number > this.draft.step;
        // An old frame again: turns were taken back, and later frames are gone.
        if (says.frame.number < this.frames.last && this.state) this.frames.resize(says.frame.number + 1);
        if (this.begun) this.viewer.grown();
        return;
      case "sheet":
        this.draft.take(says);
        return this.draft.answered(says.re);
      case "clock":
        return this.clocks.take(says.clock);
      case "chat":
        return this.heardChat(says);
      case "ack":
        return this.draft.answered(says.re);
      case "refused":
        this.draft.answered(says.re);
        this.refused = says;
    }
  }

  private took(state: TableState): void {
    const before = this.state;
    this.state = state;
    this.at = this.now = performance.now();
    // After the bids you may have another seat: nothing written for the old one counts.
    if (before && before.you !== state.you) {
      this.draft.close();
      if (before.you && state.you) this.moved = state.you;
    }
    this.draft.mine = this.crew.length ? state.roles : null;
    this.draft.finished = this.held.length > 0 && this.held.every((role) => this.crew.some((one) => one.you && one.done.includes(role)));
    if (state.frames !== this.frames.count) this.frames.resize(state.frames);
    if (this.begun) this.viewer.shrunk();
    if (state.card.status === "over") this.draft.close();
    if (!before) void this.begin(state);
    // After the end everyone may see everything: frames fetched in the fog are out of date.
    else if (before.card.status !== "over" && state.card.status === "over") void this.revealed();
  }

  private async begin(state: TableState): Promise<void> {
    this.game = await load(state.card.game);
    const running = state.card.status !== "over";
    const number = this.moment === null ? (running ? this.frames.last : 0) : await frameOf(this.frames, this.moment);
    this.viewer.following = running && number >= this.frames.last;
    await this.frames.need(number);
    if (this.viewer.following)
      this.viewer.last(); // a turn may have been played in the meantime
    else this.viewer.seek(number);
    this.begun = true; // from here on every turn that is played is followed
    await this.frames.need(number - 1);
    this.viewer.arrived();
    void this.frames.fill().then(() => this.viewer.arrived());
  }

  private async revealed(): Promise<void> {
    const number = this.viewer.at;
    const count = this.frames.count;
    const fetched: Frame[] = [];
    while (fetched.length < count) {
      const some = await api.frames(this.id, tokenOf(this.id), fetched.length, Math.min(fetched.length + 50, count));
      if (!some.length) break;
      fetched.push(...some);
    }
    if (this.frames.count === count) this.frames.put(fetched);
    this.viewer.following = false;
    if (number === this.viewer.at) this.viewer.arrived();
  }

  private heardChat(line: ChatLine): void {
    if (this.chat.some((old) => old.number === line.number)) return;
    this.chat = [...this.chat, line].sort((a, b) => a.number - b.number);
    if (line.seat === this.you && this.you !== null) return;
    this.unread++;
    if (line.at >= this.since) this.heard++;
  }
}
