import { beforeEach, describe, expect, test, vi } from "vitest";
import type { Trouble } from "./api";

vi.mock("../games", () => ({ boards: "monad" }));

const ME = { name: null, csrf: "token-1", due: [], operator: false };

/** The server: answers by address, and what it was asked. Every test begins without a token. */
async function served(answers: Record<string, [status: number, text: string]>) {
  const asked: { path: string; method: string; token: string | null; body: unknown; headers: Headers }[] = [];
  vi.stubGlobal("fetch", (path: string, init: RequestInit) => {
    const headers = new Headers(init.headers);
    const body = typeof init.body === "string" ? JSON.parse(init.body) : init.body;
    asked.push({ path, method: init.method ?? "GET", token: headers.get("X-CSRF-Token"), body, headers });
    const [status, text] = answers[path] ?? [200, "null"];
    return Promise.resolve(new Response(text, { status }));
  });
  vi.resetModules();
  return { api: await import("./api"), asked };
}

const trouble = async (asked: Promise<unknown>): Promise<Trouble> =>
  asked.then(
    () => expect.fail("it was not refused"),
    (error: Trouble) => error,
  );

beforeEach(() => void vi.unstubAllGlobals());

describe("asking", () => {
  test("reads what the server says", async () => {
    const { api, asked } = await served({ "/api/games": [200, '[{"name":"monad"}]'] });
    expect(await api.games()).toEqual([{ name: "monad" }]);
    expect(asked).toMatchObject([{ path: "/api/games", method: "GET", token: null }]);
  });

  test("writes names so that they stay one part of the address", async () => {
    const { api, asked } = await served({});
    await api.table("a/b?c");
    expect(asked[0]!.path).toBe("/api/tables/a%2Fb%3Fc");
    expect(api.picture("x y", true)).toBe("/api/games/x%20y/picture.svg?theme=dark");
  });

  test("for frames says the secret of the seat, and which boards are here", async () => {
    const { api, asked } = await served({});
    await api.frames("t1", "secret", 50, 100);
    expect(asked[0]!.path).toBe("/api/tables/t1/frames?from=50&to=100&packed=true&boards=monad");
    expect(asked[0]!.headers.get("Authorization")).toBe("Bearer secret");
    await api.frames("t1", null, 0, 1);
    expect(asked[1]!.headers.has("Authorization")).toBe(false);
  });
});

describe("changing something", () => {
  test("needs a token, which is asked for once", async () => {
    const { api, asked } = await served({ "/api/me": [200, JSON.stringify(ME)] });
    await api.takeSeat("t1", { seat: "red" });
    await api.takeSeat("t1", { seat: "blue" });
    expect(asked.map(({ path, method, token }) => [path, method, token])).toEqual([
      ["/api/me", "GET", null],
      ["/api/tables/t1/seats", "POST", "token-1"],
      ["/api/tables/t1/seats", "POST", "token-1"],
    ]);
    expect(asked[1]!.body).toEqual({ seat: "red" });
  });

  test("uses the new token after signing in", async () => {
    const { api, asked } = await served({
      "/api/me": [200, JSON.stringify(ME)],
      "/api/session": [200, JSON.stringify({ ...ME, csrf: "token-2" })],
    });
    await api.signIn("ada", "secret");
    await api.signOut();
    expect(asked.map(({ token }) => token)).toEqual([null, "token-1", "token-2"]);
  });
});

describe("a refusal", () => {
  test("is told in the words of the server", async () => {
    const said = { word: "seat/taken", why: "Red is taken.", rule: "2.1", seconds: 7 };
    const { api } = await served({ "/api/tables": [409, JSON.stringify(said)] });
    const refused = await trouble(api.tables());
    expect(refused).toBeInstanceOf(api.Trouble);
    expect(refused).toMatchObject({ ...said, status: 409, message: "Red is taken." });
  });

  test("of a proxy, or of nobody, is told in ours", async () => {
    const { api } = await served({
      "/api/tables": [502, "<html>Bad gateway</html>"],
      "/api/games": [404, ""],
      "/api/me": [500, "{}"],
    });
    expect(await trouble(api.tables())).toMatchObject({ word: "net/failed", status: 502, why: expect.stringContaining("502") });
    expect(await trouble(api.games())).toMatchObject({ word: "net/failed", status: 404 });
    expect(await trouble(api.me())).toMatchObject({ word: "net/failed", status: 500 });
  });

  test("is the connection's where there is no answer", async () => {
    const { api } = await served({});
    vi.stubGlobal("fetch", () => Promise.reject(new TypeError("Failed to fetch")));
    expect(await trouble(api.tables())).toMatchObject({ word: "net/lost", status: 0 });
  });

  test("of a file names it as its owner does", async () => {
    const { api } = await served({});
    const file = new File(["?"], "our $& game.jsonl");
    expect(api.aboutFile(file, "replay.jsonl is cut off.")).toBe("our $& game.jsonl is cut off.");
    expect(api.aboutFile(file, "replay.jsonl.gz is cut off.")).toBe("our $& game.jsonl is cut off.");
    expect(api.aboutFile(file, "Turn 3 of the replay is damaged.")).toBe("Turn 3 of the replay is damaged.");
  });

  test("is words for people, whatever was thrown", async () => {
    const { api } = await served({});
    expect(api.whyOf(new api.Trouble("a", "Red is taken."))).toBe("Red is taken.");
    expect(api.whyOf(new Error("oh"))).toBe("oh");
    expect(api.whyOf("plain")).toBe("plain");
  });
});
