// The socket of a table. It reconnects on its own, identifies itself again, and repeats unanswered requests.

import { boards } from "../games";
import type { Asks, Says } from "../wire";

const WAITS = [0.5, 1, 2, 4, 8, 15];
const BANNED = 4403;
const FINAL = [4400, BANNED, 4404]; // close codes after which trying again is pointless
const RESTART = 1012; // the server will be back

export interface Line {
  up: boolean;
  /** When the next attempt is due, in ms of Date.now(); null while trying or when connected. */
  next: number | null;
  /** Refused permanently: there is no such table, or it isn't open to this browser. */
  closed: string | null;
  /** Refused because this person is banned; `closed` says why. */
  banned?: boolean;
  /** The server said that it is restarting, and has not answered since. */
  restarting?: boolean;
}

type Wish = Exclude<Asks, { type: "join" }>;

export class Live {
  private socket: WebSocket | null = null;
  private tries = 0;
  private id = 0;
  private timer = 0;
  private ended = false;
  /** Seconds after which to come back, as the server said before it stopped. */
  private back: number | null = null;
  private restarting = false;
  /** Why this person is banned, in full; the reason of a closed connection is short. */
  private ban = "";
  /** Unanswered requests, in order. Only the last draft and the last look matter. */
  private open = new Map<number, Asks>();
  line: Line = { up: false, next: null, closed: null };

  constructor(
    private readonly table: string,
    private readonly token: () => string | null,
    private readonly said: (says: Says) => void,
    private readonly changed: (line: Line) => void,
  ) {}

  start(): void {
    const scheme = location.protocol === "https:" ? "wss" : "ws";
    const socket = new WebSocket(`${scheme}://${location.host}/api/tables/${encodeURIComponent(this.table)}/live`);
    this.socket = socket;
    this.tell({ up: false, next: null, closed: null });
    socket.onopen = () => {
      const id = ++this.id;
      socket.send(JSON.stringify({ type: "join", token: this.token(), packed: true, boards, id } satisfies Asks));
      this.tell({ up: true, next: null, closed: null });
      for (const wish of this.open.values()) socket.send(JSON.stringify(wish));
    };
    socket.onmessage = (event) => this.hear(event.data);
    socket.onclose = (event) => {
      if (this.socket !== socket || this.ended) return;
      this.socket = null;
      if (FINAL.includes(event.code))
        this.tell({ up: false, next: null, closed: this.ban || event.reason || "closed", ...(event.code === BANNED && { banned: true }) });
      else this.wait(event.code === RESTART);
    };
  }

  /** Sends a request, now or once connected; its number comes back in the answer. */
  send<W extends Wish>(wish: W): number {
    const id = ++this.id;
    const asked = { ...wish, id } as Asks;
    if (wish.type === "draft" || wish.type === "looking") {
      for (const [old, before] of this.open) if (before.type === wish.type) this.open.delete(old);
    }
    this.open.set(id, asked);
    if (this.socket?.readyState === WebSocket.OPEN) this.socket.send(JSON.stringify(asked));
    return id;
  }

  /** Tries at once instead of waiting. */
  now(): void {
    if (this.line.up || this.ended) return;
    clearTimeout(this.timer);
    this.socket?.close();
    this.start();
  }

  stop(): void {
    this.ended = true;
    clearTimeout(this.timer);
    this.socket?.close();
  }

  private hear(data: string): void {
    const says = JSON.parse(data) as Says;
    if (says.type === "table") {
      this.tries = 0;
      this.restarting = false;
    }
    if (says.type === "restarting") this.back = says.seconds;
    if (says.type === "refused" && says.word === "account/banned") this.ban = says.why;
    if ("re" in says && says.re !== null) this.open.delete(says.re);
    this.said(says);
  }

  private wait(restart: boolean): void {
    this.restarting ||= restart;
    const seconds = this.back ?? WAITS[Math.min(this.tries++, WAITS.length - 1)]!;
    this.back = null;
    this.timer = setTimeout(() => this.start(), seconds * 1000);
    this.tell({ up: false, next: Date.now() + seconds * 1000, closed: null });
  }

  private tell(line: Line): void {
    this.line = this.restarting && !line.up && !line.closed ? { ...line, restarting: true } : line;
    this.changed(this.line);
  }
}
