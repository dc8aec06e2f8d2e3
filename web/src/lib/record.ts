// A match embedded in the page, as JSON or as gzipped JSON in base 64.

import type { Record as Match, SeatCard } from "../wire";

export async function embedded(): Promise<Match> {
  const element = document.getElementById("polemos-record");
  const text = element?.textContent?.trim();
  if (!text) throw new Error("it is empty");
  if (element!.getAttribute("type") === "application/json") return JSON.parse(text) as Match;
  const bytes = Uint8Array.from(atob(text), (sign) => sign.charCodeAt(0));
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
  return (await new Response(stream).json()) as Match;
}

/** The seats of a record as tables show them. */
export function seatsOf(record: Match): SeatCard[] {
  const rest = { you: false, to_act: null, filed: null, here: null, why: "", crew: [] };
  return Object.entries(record.seats).map(([seat, player]) => ({ seat, player, kind: "person", ...rest }));
}
