import { expect, test } from "vitest";
import { awaited, DeskRoom, left, type Deed, type Told } from "./desk.svelte";

test("a deadline is a moment while clocks run, and what was left while they are paused", () => {
  expect(left({ at: 60_000 }, 15_000)).toBe(45_000);
  expect(left({ at: 60_000 }, 75_000)).toBe(0);
  expect(left({ left: 9_000 }, 1e12)).toBe(9_000);
  expect(left(undefined, 0)).toBe(0);
});

test("stepping back means the last entry that stands", () => {
  const room = new DeskRoom();
  expect(room.last).toBeNull();
  const deed = (number: number, kind: string, is_struck = false): Deed => ({ number, at: number, text: kind, kind, is_struck });
  const history = [deed(1, "deal"), deed(2, "release"), deed(3, "arrive", true), deed(4, "strike")];
  room.told = { card: { history } } as Told;
  expect(room.last?.number).toBe(2);
});

test("a digit alone checks in the carrier of the only court that is still awaited", () => {
  const card = (orders: object, fetching = {}) =>
    ({ sight: { everything: { orders, fetching } }, has_map: { red: false, green: false, blue: false } }) as unknown as Told["card"];
  const came = { arrived: 1, delivered: null };
  expect(awaited(card({ blue: came, red: came }))).toBe("green");
  expect(awaited(card({ blue: came }))).toBeNull();
  expect(awaited(card({ blue: came, red: came, green: { ...came, delivered: [] } }))).toBeNull();
  expect(awaited(card({ blue: came }, { red: { role: "red-1" } }))).toBe("green");
});
