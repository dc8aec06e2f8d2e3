// @vitest-environment happy-dom
import { afterEach, describe, expect, test } from "vitest";
import type { Record as Match } from "../wire";
import { embedded, seatsOf } from "./record";

const MATCH = { game: "monad", title: "Änderung <b>", seats: { red: "Ada", blue: "steady" } } as unknown as Match;

/** A page with a record in it. */
function page(type: string, text: string): void {
  const script = document.createElement("script");
  script.id = "polemos-record";
  script.type = type;
  script.textContent = text;
  document.body.append(script);
}

async function zipped(text: string): Promise<string> {
  const stream = new Blob([text]).stream().pipeThrough(new CompressionStream("gzip"));
  return btoa(String.fromCharCode(...new Uint8Array(await new Response(stream).arrayBuffer())));
}

afterEach(() => document.body.replaceChildren());

describe("a record in the page", () => {
  test("is read as JSON", async () => {
    page("application/json", `\n ${JSON.stringify(MATCH)} \n`);
    expect(await embedded()).toEqual(MATCH);
  });

  test("is read as gzipped JSON in base 64, with all its letters", async () => {
    page("application/gzip", await zipped(JSON.stringify(MATCH)));
    expect(await embedded()).toEqual(MATCH);
  });

  test("that is missing, empty or damaged is an error", async () => {
    await expect(embedded()).rejects.toThrow();
    page("application/json", "  ");
    await expect(embedded()).rejects.toThrow();
    document.body.replaceChildren();
    page("application/gzip", btoa("not gzip"));
    await expect(embedded()).rejects.toThrow();
  });
});

test("seats of a record are those of a table where nobody sits", () => {
  const seats = seatsOf(MATCH);
  expect(seats.map(({ seat, player }) => [seat, player])).toEqual([
    ["red", "Ada"],
    ["blue", "steady"],
  ]);
  expect(seats.some(({ you }) => you)).toBe(false);
});
