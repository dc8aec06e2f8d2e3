import { describe, expect, test, vi } from "vitest";
import type { Table } from "../lib/table.svelte";
import { seatCard, tableCard } from "../testing/make";
import { offersAt } from "./offers";

const SEATS = ["red", "green", "blue"];

/** What somebody at a table of so many is told of a draw that Red has offered, and what their buttons answer. */
function told(you: string | null, unanswered: readonly string[], { seats = SEATS, out = "", narrow = false } = {}) {
  const answer = vi.fn();
  const card = tableCard({ seats: seats.map((seat) => seatCard({ seat, you: seat === you, why: seat === out ? "resigned" : "" })) });
  const state = { card, you, offers: { draw: "red" }, unanswered: { draw: unanswered } };
  const seat = card.seats.find((one) => one.you) ?? null;
  const [note] = offersAt({ state, card, you, seat, answer } as unknown as Table, narrow);
  for (const act of note!.acts ?? []) act.does?.();
  const said = [note!.cause, note!.text].filter(Boolean).join(" ");
  return [said, (note!.acts ?? []).map((act, i) => `${act.word}: ${answer.mock.calls[i]![1]}`).join(", ")];
}

describe("an offer", () => {
  test("asks whoever hasn't answered", () => {
    expect(told("green", ["green", "blue"])).toEqual(["Red offers a draw.", "Accept: true, Decline: false"]);
  });

  test("says who is waited for, to whoever has made it or has accepted", () => {
    expect(told("red", ["blue"], { seats: ["red", "blue"] })).toEqual(["You offered a draw. Waiting for an answer.", "Withdraw: false"]);
    expect(told("red", ["green", "blue"])).toEqual(["You offered a draw. Waiting for Green and Blue.", "Withdraw: false"]);
    expect(told("green", ["blue"])).toEqual(["You accepted a draw. Waiting for Blue.", "Withdraw: false"]);
    expect(told("green", ["blue"], { narrow: true })).toEqual(["You accepted a draw. Waiting for Blue.", "Withdraw: false"]);
  });

  test("asks nobody who watches or is out", () => {
    expect(told(null, ["green", "blue"])).toEqual(["Red offers a draw. Waiting for Green and Blue.", ""]);
    expect(told("green", ["blue"], { out: "green" })).toEqual(["Red offers a draw. Waiting for Blue.", ""]);
  });
});
