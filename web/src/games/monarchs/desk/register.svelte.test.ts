// @vitest-environment happy-dom
import { flushSync, mount, unmount } from "svelte";
import { expect, test } from "vitest";
import type { DeskRoom } from "./desk.svelte";
import Register from "./Register.svelte";

/** A room with one courtier, whose answers a test gives. */
function made(): { room: DeskRoom; answer: (told: object) => Promise<void> } {
  const evening = {
    setup: { options: { party: "2022-04", common: ["hall"] } },
    names: { red: "Ines", "red-1": "Kit" },
    rooms: { red: "red", "red-1": "hall" },
    clock: { lost: 0 },
    round: 1,
    orders: {},
    dismissed: {},
    summons: {},
    last_carrier: {},
    last_fetcher: {},
    deliveries: [],
    departures: [],
    rulings: [],
  };
  const carriers = { red: [{ role: "red-1", name: "Kit" }], green: [], blue: [] };
  const card = { sight: { everything: evening, people: [], clocks: {} }, carriers, visits: [], history: [] };
  let give: (told: object) => void = () => undefined;
  const room = { told: { card }, now: 0, refused: null, last: null, ask: () => new Promise((done) => (give = done)) };
  return {
    room: room as unknown as DeskRoom,
    answer: async (told) => {
      give(told);
      await Promise.resolve();
      await Promise.resolve();
      flushSync();
    },
  };
}

test("loyalties are in the page for as long as the key is held, however late they come", async () => {
  const { room, answer } = made();
  const given = $state({ room, find: "", loyal: true });
  const target = document.createElement("main");
  const page = mount(Register, { target, props: given });
  flushSync();
  await answer({ "red-1": "blue" });
  expect(target.textContent).toContain("serves Blue");
  given.loyal = false;
  flushSync();
  expect(target.textContent).not.toContain("serves");
  given.loyal = true;
  flushSync();
  given.loyal = false; // let go before the answer comes
  flushSync();
  await answer({ "red-1": "blue" });
  expect(target.textContent).not.toContain("serves");
  void unmount(page);
});
