// A phone at a party: what its role may know, what was said in the room, and the acts it asks for. It knows no game.

import { keep, kept } from "./store";

const WAITS = [0.5, 1, 2, 4, 8, 15];
const FINAL = [4400, 4403, 4404, 4409];
const TICK = 250; // ms between two looks at the clock

export interface Heard {
  at: number;
  role: string;
  name: string;
  text: string;
}

/** Why the party refused something. */
export class PartyRefusal extends Error {
  constructor(
    readonly why: string,
    readonly rule: string | null = null,
  ) {
    super(why);
  }
}

interface Waiting {
  done(): void;
  failed(error: Error): void;
}

export const tokenOf = (id: string): string | null => kept<string>(`party.${id}`);
export const keepToken = (id: string, token: string | null): void => keep(`party.${id}`, token);

export class PartyLine<Sight = unknown> {
  role = $state("");
  game = $state("");
  title = $state("");
  sight = $state.raw<Sight | null>(null);
  talk = $state.raw<readonly Heard[]>([]);
  up = $state(false);
  /** Why this phone is not at the party, or not any more. */
  closed = $state<string | null>(null);
  /** The time on the server's clock, in ms. */
  now = $state(Date.now());

  private offset = 0;
  private socket: WebSocket | null = null;
  private tries = 0;
  private id = 0;
  private ended = false;
  private timer = 0;
  private ticking = 0;
  private back: number | null = null;
  private waiting = new Map<number, Waiting>();

  constructor(
    private readonly party: string,
    private readonly token: string,
  ) {}

  start(): void {
    const scheme = location.protocol === "https:" ? "wss" : "ws";
    const socket = new WebSocket(`${scheme}://${location.host}/api/parties/${encodeURIComponent(this.party)}/live`);
    this.socket = socket;
    socket.onopen = () => socket.send(JSON.stringify({ type: "join", token: this.token }));
    socket.onmessage = (event) => this.hear(JSON.parse(event.data as string));
    socket.onclose = (event) => this.lost(socket, event);
    this.ticking ||= window.setInterval(() => (this.now = Date.now() + this.offset), TICK);
  }

  stop(): void {
    this.ended = true;
    clearTimeout(this.timer);
    clearInterval(this.ticking);
    this.socket?.close();
  }

  /** Asks for an act; resolves when it is on the server's disk. */
  do(act: object): Promise<void> {
    return this.ask({ type: "do", act });
  }

  say(text: string): Promise<void> {
    return this.ask({ type: "say", text });
  }

  private ask(message: object): Promise<void> {
    const socket = this.socket;
    if (socket?.readyState !== WebSocket.OPEN) return Promise.reject(new PartyRefusal("The connection is lost. It comes back by itself."));
    const id = ++this.id;
    socket.send(JSON.stringify({ ...message, id }));
    return new Promise((done, failed) => this.waiting.set(id, { done, failed }));
  }

  // eslint-disable-next-line @typescript-eslint/no-explicit-any -- one of the messages of `polemos.wire.party`
  private hear(said: any): void {
    const asked = typeof said.re === "number" ? this.waiting.get(said.re) : undefined;
    if (asked) this.waiting.delete(said.re);
    if (said.type === "here") {
      this.tries = 0;
      this.up = true;
      this.talk = [];
      this.offset = said.now - Date.now();
      [this.role, this.game, this.title, this.now] = [said.role, said.game, said.title, said.now];
    } else if (said.type === "sight") this.sight = said.sight as Sight;
    else if (said.type === "heard") this.talk = [...this.talk, said as Heard];
    else if (said.type === "done") asked?.done();
    else if (said.type === "moved") this.closed = said.why;
    else if (said.type === "restarting") this.back = said.seconds;
    else if (said.type === "refused") {
      if (asked) asked.failed(new PartyRefusal(said.why, said.rule ?? null));
      else if (said.re === 0) this.closed = said.why;
    }
  }

  private lost(socket: WebSocket, event: CloseEvent): void {
    if (this.socket !== socket || this.ended) return;
    this.socket = null;
    this.up = false;
    for (const { failed } of this.waiting.values()) failed(new PartyRefusal("The connection was lost. Check whether it was done."));
    this.waiting.clear();
    if (FINAL.includes(event.code)) {
      this.closed ??= event.reason || "You are no longer at this party.";
      return;
    }
    const seconds = this.back ?? WAITS[Math.min(this.tries++, WAITS.length - 1)]!;
    this.back = null;
    this.timer = window.setTimeout(() => this.start(), seconds * 1000);
  }
}
