// @vitest-environment happy-dom
import { flushSync } from "svelte";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { frame, seatCard, sheet, tableCard } from "../testing/make";
import type { Asks, ChatLine, Crew, Frame, Says, TableCard, TableState } from "../wire";
import * as api from "./api";
import { Seats } from "./due.svelte";
import { hearing } from "./hearing.svelte";
import type { Line } from "./live";
import { route } from "./route.svelte";
import { tokenOf } from "./session.svelte";
import * as sound from "./sound";
import { Table } from "./table.svelte";

/** The lines to the server that were opened: what was sent, and how it speaks. */
const lines = vi.hoisted(() => [] as { table: string; sent: Asks[]; stopped: boolean; says: (said: Says) => void }[]);
vi.mock("./live", () => ({
  Live: class {
    private readonly one;
    constructor(table: string, _token: () => string | null, said: (says: Says) => void, changed: (line: Line) => void) {
      this.one = { table, sent: [] as Asks[], stopped: false, says: said };
      lines.push(this.one);
      changed({ up: true, next: null, closed: null });
    }
    start(): void {}
    now(): void {}
    stop(): void {
      this.one.stopped = true;
    }
    send(wish: Asks): number {
      return this.one.sent.push(wish);
    }
  },
}));
vi.mock("../games", () => ({ boards: "", load: () => Promise.resolve({}) }));
vi.mock("./api", async (original) => ({ ...(await original<typeof api>()), frames: vi.fn(), rematch: vi.fn() }));
vi.mock("./sound", () => ({ play: vi.fn() }));

const state = (of: Partial<TableState> = {}, card: Partial<TableCard> = {}): TableState => ({
  type: "table",
  card: tableCard({ seats: [seatCard({ seat: "red", you: true }), seatCard({ seat: "blue" })], ...card }),
  setting: {},
  you: "red",
  frames: 3,
  offers: {},
  unanswered: {},
  may: [],
  notes: {},
  replay: false,
  roles: [],
  all_roles: [],
  crew_link: null,
  bidding: null,
  shows: {},
  ...of,
});

const numbered = (from: number, to: number): Frame[] =>
  Array.from({ length: to - from }, (_, i) => frame({ number: from + i, turn: from + i }));

/** A table that has heard its state, with all frames here. */
async function opened(first = state(), moment: string | null = null) {
  const table = new Table("t1", "#seat=secret", moment);
  const line = lines.at(-1)!;
  line.says(first);
  await vi.waitFor(() => expect(table.frames.loaded).toBe(table.frames.count));
  await vi.waitFor(() => expect(table.viewer.frame).not.toBeNull());
  return { table, line, says: line.says };
}

beforeEach(() => {
  localStorage.clear();
  vi.stubGlobal("requestAnimationFrame", () => 1);
  vi.stubGlobal("cancelAnimationFrame", () => undefined);
  vi.mocked(api.frames).mockImplementation((_id, _token, from, to) => Promise.resolve(numbered(from, to)));
});
afterEach(() => {
  lines.length = 0;
  vi.useRealTimers();
});

describe("a table", () => {
  test("keeps the secret of the address, and begins at the present of a running game", async () => {
    const { table } = await opened();
    expect(tokenOf("t1")).toBe("secret");
    expect([table.viewer.at, table.viewer.following, table.you, table.seat?.seat]).toEqual([2, true, "red", "red"]);
  });

  test("begins at the start of a game that is over, or at the turn of the link", async () => {
    expect((await opened(state({}, { status: "over" }))).table.viewer.at).toBe(0);
    const linked = (await opened(state(), "1")).table;
    expect([linked.viewer.at, linked.viewer.following]).toEqual([1, false]);
  });

  test("follows a turn that is played while the frame before the present is still on its way", async () => {
    let come = (): void => undefined;
    const held = new Promise<void>((done) => (come = done));
    vi.mocked(api.frames).mockImplementation(async (_id, _token, from, to) => {
      if (from < 50) await held;
      return numbered(from, to);
    });
    const table = new Table("t1", "", null);
    const { says } = lines.at(-1)!;
    says(state({ frames: 51 })); // the last frame and the one before it come in different chunks
    await vi.waitFor(() => expect(table.viewer.frame?.number).toBe(50));
    says({ type: "frame", frame: frame({ number: 51, turn: 51 }) });
    expect(table.viewer.at).toBe(51);
    come();
    await vi.waitFor(() => expect(table.frames.loaded).toBe(52));
    expect([table.viewer.at, table.viewer.following]).toEqual([51, true]);
  });

  test("can be ordered at while the sheet of the newest position is open", async () => {
    const { table, says } = await opened();
    expect(table.ordering).toBe(false);
    says(sheet({ step: 2, state: "empty" }));
    expect(table.ordering).toBe(true);
    says({ type: "frame", frame: frame({ number: 3, turn: 3 }) });
    expect([table.ordering, table.frames.last]).toEqual([false, 3]);
    says(sheet({ step: 3, state: "empty" }));
    expect(table.ordering).toBe(true);
    says(state({ frames: 4 }, { status: "over" }));
    expect([table.ordering, table.over]).toEqual([false, true]);
  });

  test("loses what came after a turn that was taken back", async () => {
    const { table, says } = await opened();
    says({ type: "frame", frame: frame({ number: 1, turn: 1 }) });
    expect(table.frames.last).toBe(1);
  });

  test("goes back to the turn that is played again, whether the last one was followed or not", async () => {
    const { table, says } = await opened();
    says(state({ frames: 2 })); // all that the server says then
    says(sheet({ step: 1, state: "empty" }));
    expect([table.viewer.at, table.viewer.following, table.viewer.frame?.number, table.ordering]).toEqual([1, true, 1, true]);
    table.viewer.seek(0);
    says(state({ frames: 1 }));
    expect(table.viewer.at).toBe(0);
  });

  test("asks for everything again when the game is over and the fog is gone", async () => {
    const { says } = await opened();
    vi.mocked(api.frames).mockClear();
    says(state({}, { status: "over" }));
    await vi.waitFor(() => expect(api.frames).toHaveBeenCalledWith("t1", "secret", 0, 3));
  });

  test("takes nothing from another seat to the one that the bids gave", async () => {
    const { table, says } = await opened();
    says(sheet({ step: 2, state: "empty" }));
    table.draft.add("a");
    says(state({ you: "blue" }));
    expect([table.moved, table.draft.lines]).toEqual(["blue", []]);
  });

  test("stops with its page", async () => {
    const { table, line } = await opened();
    table.stop();
    expect(line.stopped).toBe(true);
  });
});

describe("talk", () => {
  const said = (number: number, of: Partial<ChatLine> = {}): ChatLine => ({
    type: "chat",
    number,
    at: Date.now() / 1000,
    who: "Bo",
    seat: "blue",
    to: "table",
    text: "",
    ...of,
  });

  test("stands in its order, each line once", async () => {
    const { table, says } = await opened();
    for (const number of [2, 1, 2]) says(said(number));
    expect(table.chat.map(({ number }) => number)).toEqual([1, 2]);
    expect(table.unread).toBe(2);
  });

  test("of oneself is not unread, and what is old is not heard", async () => {
    const { table, says } = await opened();
    says(said(1, { seat: "red" }));
    says(said(2, { at: Date.now() / 1000 - 3600 }));
    says(said(3));
    expect([table.unread, table.heard]).toEqual([2, 1]);
  });
});

describe("what a person does", () => {
  test("is sent", async () => {
    const { table, line } = await opened();
    table.act("pause");
    table.answer("draw", true);
    table.say("hello", "side");
    table.bid(7);
    expect(line.sent).toEqual([
      { type: "act", what: "pause" },
      { type: "answer", what: "draw", yes: true },
      { type: "say", text: "hello", to: "side" },
      { type: "bid", bid: 7 },
    ]);
  });

  test("leaving gives up the secret of the seat", async () => {
    (await opened()).table.act("leave");
    expect(tokenOf("t1")).toBeNull();
  });

  test("notes stand at once, and an empty one is rubbed out", async () => {
    const { table } = await opened();
    table.note("G5", "trap");
    expect(table.state?.notes).toEqual({ G5: "trap" });
    table.note("G5", "");
    expect(table.state?.notes).toEqual({});
  });

  test("a rematch leads to the new table, or to the one that others have opened", async () => {
    const { table, says } = await opened();
    vi.mocked(api.rematch).mockResolvedValueOnce({ table: "t2", seat: "red", token: "s2" });
    table.act("rematch");
    await vi.waitFor(() => expect(route.path).toBe("/table/t2"));
    expect(tokenOf("t2")).toBe("s2");
    says(state({}, { status: "over", next: "t3" }));
    vi.mocked(api.rematch).mockRejectedValueOnce(new api.Trouble("", "taken", null, 409));
    table.act("rematch");
    await vi.waitFor(() => expect(route.path).toBe("/table/t3"));
    vi.mocked(api.rematch).mockRejectedValueOnce(new api.Trouble("", "The server is full.", null, 503));
    table.act("rematch");
    await vi.waitFor(() => expect(table.refused?.why).toBe("The server is full."));
  });

  test("a refusal stands until the next deed", async () => {
    const { table, says } = await opened();
    says({ type: "refused", re: 1, word: "", why: "no", rule: null, key: null, seconds: null });
    expect(table.refused?.why).toBe("no");
    table.act("pause");
    expect(table.refused).toBeNull();
  });
});

describe("a seat of several", () => {
  const one = (of: Partial<Crew>): Crew => ({ player: "", roles: [], you: false, here: true, looks: null, done: [], wait: null, ...of });
  const crewed = (crew: Crew[]) => state({ roles: ["general"] }, { seats: [seatCard({ seat: "red", you: true, crew })] });
  const looks = (sent: Asks[]) => sent.flatMap((wish) => (wish.type === "looking" ? [wish.at] : []));

  test("tells where one looks twice a second at most, and the last place always", async () => {
    const { table, line } = await opened(crewed([one({ you: true, roles: ["general"] })]));
    vi.useFakeTimers();
    for (const place of ["a", "b", "b", "c"]) table.look(place);
    expect(looks(line.sent)).toEqual(["a"]);
    vi.advanceTimersByTime(500);
    expect(looks(line.sent)).toEqual(["a", "c"]);
    vi.advanceTimersByTime(5000);
    expect(looks(line.sent)).toEqual(["a", "c"]);
  });

  test("tells nothing where one is alone", async () => {
    const { table, line } = await opened();
    table.look("a");
    expect(line.sent).toEqual([]);
  });

  test("is done when all roles of this person are, and a change takes that back", async () => {
    const { table, line, says } = await opened(crewed([one({ you: true, roles: ["general"], done: ["general"] })]));
    expect([table.draft.mine, table.draft.finished]).toEqual([["general"], true]);
    says(sheet({ step: 2, state: "empty" }));
    table.draft.finished = true;
    table.draft.add("a");
    expect(line.sent.map(({ type }) => type)).toEqual(["done", "draft"]);
  });
});

describe("sounds", () => {
  test("tell what changes, and nothing of what was so when the page was opened", async () => {
    const { table, says } = await opened();
    says(sheet({ step: 2, state: "empty" }));
    const stop = $effect.root(() => hearing(table));
    flushSync();
    expect(sound.play).not.toHaveBeenCalled();
    says({ type: "frame", frame: frame({ number: 3 }) });
    flushSync();
    says(sheet({ step: 3, state: "empty" }));
    flushSync();
    expect(vi.mocked(sound.play).mock.calls).toEqual([["turn"]]);
    says({ type: "refused", re: null, word: "", why: "no", rule: null, key: null, seconds: null });
    flushSync();
    expect(sound.play).toHaveBeenLastCalledWith("refused");
    says(state({ frames: 4 }, { status: "over" }));
    flushSync();
    expect(sound.play).toHaveBeenLastCalledWith("end");
    stop();
  });

  test("count the last ten seconds of orders that are due, and not those of others", async () => {
    const { table, says } = await opened();
    says(sheet({ step: 2, state: "empty" }));
    const left = (red: number, running = ["red"]): void => {
      says({ type: "clock", clock: { left: { red, blue: 5 }, running } });
      flushSync();
    };
    left(12);
    const stop = $effect.root(() => hearing(table));
    flushSync();
    vi.mocked(sound.play).mockClear();
    left(11);
    expect(sound.play).not.toHaveBeenCalled();
    left(10);
    left(9);
    expect(vi.mocked(sound.play).mock.calls).toEqual([["time"], ["time"]]);
    left(9, ["blue"]);
    left(8, ["blue"]);
    expect(sound.play).toHaveBeenCalledTimes(2);
    stop();
    table.stop();
  });
});

describe("your tables in the lobby", () => {
  test("are listened to, four at most, and no longer than they are listed", () => {
    const seats = new Seats();
    seats.listen(["a", "b", "c", "d", "e"]);
    expect(lines.map(({ table }) => table)).toEqual(["a", "b", "c", "d"]);
    seats.listen(["b", "f"]);
    expect(lines.map(({ table, stopped }) => [table, stopped])).toEqual([["a", true], ["b", false], ["c", true], ["d", true], ["f", false]]); // prettier-ignore
    seats.listen(["b", "f"]);
    expect(lines).toHaveLength(5);
    seats.stop();
    expect(lines.every(({ stopped }) => stopped)).toBe(true);
  });

  test("are due when orders are, with the time that is left", () => {
    const seats = new Seats();
    seats.listen(["a"]);
    const [seat] = seats.all;
    const card = (of: object, status: TableCard["status"] = "playing") =>
      lines[0]!.says(state({}, { status, seats: [seatCard({ seat: "red", you: true, ...of }), seatCard({ seat: "blue", to_act: true })] }));
    expect([seat!.due, seat!.seat, seat!.left]).toEqual([false, null, null]);
    card({ to_act: true });
    expect([seat!.due, seat!.seat]).toEqual([true, "red"]);
    card({ to_act: true, filed: true });
    expect(seat!.due).toBe(false);
    card({ to_act: true }, "paused");
    expect(seat!.due).toBe(false);
    lines[0]!.says({ type: "clock", clock: { left: { red: 42 }, running: [] } });
    expect(seat!.left).toBe(42);
  });
});
