// @vitest-environment happy-dom
import { expect, test, vi } from "vitest";
import { seatCard, tableCard } from "../testing/make";
import { chosen, Moving } from "./moving.svelte";

const bots = [seatCard({ seat: "red", kind: "bot" }), seatCard({ seat: "blue", kind: "bot" })];
const fog = (game: string): boolean => game === "monarchs";

test("a live game that strangers can see comes first, then one that is over", () => {
  const hidden = tableCard({ id: "1", game: "monarchs", status: "playing", created: 9, seats: bots });
  const seen = tableCard({ id: "2", game: "demons", status: "playing", created: 1, seats: bots });
  const past = tableCard({ id: "3", game: "monarchs", status: "over", created: 5, turn: 8, seats: bots });
  expect(chosen([hidden, past, seen], fog)?.id).toBe("2");
  expect(chosen([hidden, past], fog)?.id).toBe("3"); // the map of a live one would be empty
  expect(chosen([hidden], fog)).toBeNull();
});

test("one person against bots may have gone: bots come first", () => {
  const people = (...kinds: ("person" | "bot")[]) => kinds.map((kind, i) => seatCard({ seat: ["red", "blue"][i]!, kind }));
  const alone = tableCard({ id: "1", game: "demons", status: "playing", created: 9, turn: 4, seats: people("person", "bot") });
  const never = tableCard({ id: "2", game: "demons", status: "playing", created: 1, turn: 4, seats: people("bot", "bot") });
  const both = tableCard({ id: "3", game: "demons", status: "playing", created: 0, turn: 4, seats: people("person", "person") });
  expect(chosen([alone, never], fog)?.id).toBe("2");
  expect(chosen([alone, never, both], fog)?.id).toBe("3");
});

test("a live game that stands still gives way, and comes back once it has moved", () => {
  vi.stubGlobal("fetch", () => new Promise(() => undefined));
  const [one, two] = ["1", "2"].map((id, i) =>
    tableCard({ id, game: "demons", status: "playing", created: 9 - i, turn: 3, seats: bots }),
  ) as [ReturnType<typeof tableCard>, ReturnType<typeof tableCard>];
  const moving = new Moving();
  const shown = (...offered: Parameters<Moving["offer"]>): string | undefined => {
    Object.assign(moving, { asking: false });
    moving.offer(...offered);
    return moving.card?.id;
  };
  const now = Date.now();
  expect(shown([one, two], fog, now)).toBe("1");
  expect(shown([one, two], fog, now + 10_000)).toBe("1");
  expect(shown([one, two], fog, now + 40_000)).toBe("2");
  expect(shown([{ ...one, turn: 4 }, two], fog, now + 90_000)).toBe("1");
  vi.unstubAllGlobals();
});

test("a table that is gone gives way", async () => {
  const one = tableCard({ id: "1", game: "demons", status: "playing", created: 9, turn: 3, seats: bots });
  const gone = JSON.stringify({ word: "table/unknown", why: "There is no table '1'." });
  vi.stubGlobal("fetch", () => Promise.resolve(new Response(gone, { status: 404 })));
  const moving = new Moving();
  moving.offer([one], fog);
  expect(moving.card?.id).toBe("1");
  await vi.waitFor(() => expect(moving.card).toBeNull());
  vi.unstubAllGlobals();
});
