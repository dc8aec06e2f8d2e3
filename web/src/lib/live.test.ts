// @vitest-environment happy-dom
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import type { Says } from "../wire";
import { Live, type Line } from "./live";

vi.mock("../games", () => ({ boards: "demons,monad" }));

class Socket {
  static readonly OPEN = 1;
  static all: Socket[] = [];
  static get last(): Socket {
    return Socket.all.at(-1)!;
  }

  readyState = 0;
  sent: Record<string, unknown>[] = [];
  closed = false;
  onopen?: () => void;
  onmessage?: (event: { data: string }) => void;
  onclose?: (event: { code: number; reason: string }) => void;

  constructor(readonly url: string) {
    Socket.all.push(this);
  }

  send(text: string): void {
    this.sent.push(JSON.parse(text));
  }

  close(): void {
    this.closed = true;
  }

  opens(): void {
    this.readyState = Socket.OPEN;
    this.onopen?.();
  }

  drops(code = 1006, reason = ""): void {
    this.readyState = 3;
    this.onclose?.({ code, reason });
  }

  says(said: object): void {
    this.onmessage?.({ data: JSON.stringify(said) });
  }
}

function line() {
  const heard: Says[] = [];
  const lines: Line[] = [];
  const live = new Live(
    "a/b",
    () => "secret",
    (says) => heard.push(says),
    (line) => lines.push(line),
  );
  live.start();
  return { live, heard, lines };
}

beforeEach(() => {
  Socket.all = [];
  vi.useFakeTimers({ now: 0 });
  vi.stubGlobal("WebSocket", Socket);
});
afterEach(() => void vi.useRealTimers());

test("a line says who it is as soon as it is up", () => {
  const { lines } = line();
  expect(Socket.last.url).toMatch(/^ws:\/\/.*\/api\/tables\/a%2Fb\/live$/);
  Socket.last.opens();
  expect(Socket.last.sent).toEqual([{ type: "join", token: "secret", packed: true, boards: "demons,monad", id: 1 }]);
  expect(lines.at(-1)).toEqual({ up: true, next: null, closed: null });
});

test("requests made while offline are sent when the connection is back, and again after it breaks", () => {
  const { live } = line();
  const id = live.send({ type: "say", text: "hello" });
  Socket.last.opens();
  expect(Socket.last.sent[1]).toEqual({ type: "say", text: "hello", id });
  Socket.last.drops();
  vi.advanceTimersByTime(500);
  Socket.last.opens();
  expect(Socket.last.sent[1]).toEqual({ type: "say", text: "hello", id });
});

test("what was answered is not asked again", () => {
  const { live, heard } = line();
  Socket.last.opens();
  const id = live.send({ type: "say", text: "hello" });
  Socket.last.says({ type: "ack", re: id });
  expect(heard).toEqual([{ type: "ack", re: id }]);
  Socket.last.drops();
  vi.advanceTimersByTime(500);
  Socket.last.opens();
  expect(Socket.last.sent).toHaveLength(1);
});

test("of drafts only the last is asked again, and everything else in its order", () => {
  const { live } = line();
  live.send({ type: "draft", lines: ["a"] });
  live.send({ type: "say", text: "hello" });
  live.send({ type: "looking", at: "G5" });
  live.send({ type: "draft", lines: ["b"] });
  live.send({ type: "looking", at: "H4" });
  Socket.last.opens();
  expect(Socket.last.sent.slice(1).map(({ type, lines, at }) => [type, lines ?? at])).toEqual([
    ["say", undefined],
    ["draft", ["b"]],
    ["looking", "H4"],
  ]);
});

describe("a line that breaks", () => {
  test("is tried again, each time later, and at once when the table has answered", () => {
    const { lines } = line();
    for (const seconds of [0.5, 1, 2, 4, 8, 15, 15]) {
      const tried = Socket.all.length;
      Socket.last.drops();
      expect(lines.at(-1)).toEqual({ up: false, next: Date.now() + seconds * 1000, closed: null });
      vi.advanceTimersByTime(seconds * 1000 - 1);
      expect(Socket.all).toHaveLength(tried);
      vi.advanceTimersByTime(1);
      expect(Socket.all).toHaveLength(tried + 1);
    }
    Socket.last.opens();
    Socket.last.says({ type: "table" });
    Socket.last.drops();
    expect(lines.at(-1)!.next).toBe(Date.now() + 500);
  });

  test("is tried at once when somebody wants it, and once only", () => {
    const { live } = line();
    Socket.last.drops();
    live.now();
    expect(Socket.all).toHaveLength(2);
    vi.advanceTimersByTime(20_000);
    expect(Socket.all).toHaveLength(2);
    Socket.last.opens();
    live.now();
    expect(Socket.all).toHaveLength(2);
  });

  test("is not tried again where the server refuses for good", () => {
    const { lines } = line();
    Socket.last.drops(4404, "no such table");
    vi.advanceTimersByTime(60_000);
    expect(Socket.all).toHaveLength(1);
    expect(lines.at(-1)).toEqual({ up: false, next: null, closed: "no such table" });
  });

  test("is not tried again by someone who is banned, who is told the whole reason", () => {
    const { lines } = line();
    Socket.last.opens();
    Socket.last.says({ type: "refused", re: null, word: "account/banned", why: "This account is banned: cheats, at length" });
    Socket.last.drops(4403, "This account is banned: cheats");
    expect(lines.at(-1)).toEqual({ up: false, next: null, closed: "This account is banned: cheats, at length", banned: true });
    vi.advanceTimersByTime(60_000);
    expect(Socket.all).toHaveLength(1);
  });

  test("is tried again when a server that restarts has said, and says so until the table answers", () => {
    const { lines } = line();
    Socket.last.opens();
    Socket.last.says({ type: "table" });
    Socket.last.says({ type: "restarting", seconds: 3.4 });
    Socket.last.drops(1012);
    expect(lines.at(-1)).toEqual({ up: false, next: 3400, closed: null, restarting: true });
    vi.advanceTimersByTime(3399);
    expect(Socket.all).toHaveLength(1);
    vi.advanceTimersByTime(1);
    expect(Socket.all).toHaveLength(2);
    Socket.last.drops(); // it is not there yet: as always from now on
    expect(lines.at(-1)).toEqual({ up: false, next: Date.now() + 500, closed: null, restarting: true });
    vi.advanceTimersByTime(500);
    Socket.last.opens();
    Socket.last.says({ type: "table" });
    Socket.last.drops();
    expect(lines.at(-1)).toEqual({ up: false, next: Date.now() + 500, closed: null });
  });

  test("is not tried again after the page was left", () => {
    const { live } = line();
    live.stop();
    expect(Socket.last.closed).toBe(true);
    Socket.last.drops();
    vi.advanceTimersByTime(60_000);
    expect(Socket.all).toHaveLength(1);
  });

  test("does nothing more once another has taken its place", () => {
    const { live } = line();
    const first = Socket.last;
    live.now();
    first.drops();
    vi.advanceTimersByTime(60_000);
    expect(Socket.all).toHaveLength(2);
  });
});
