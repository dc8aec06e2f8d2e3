// Going on until something can be built or hired that couldn't be before, or until the umpire warns of an enemy near
// the base. What is near, and what it costs, is the umpire's word: the alerts and options of the sheet.

import { Run } from "../../lib/run.svelte";
import { count, list } from "../../lib/words";
import type { Frame, Option } from "../../wire";
import type { SideProps } from "../contract";
import type { Event, Order, Setting, View } from "./wire";

type Props = SideProps<Setting, View, Order>;

const MOST = 4; // events of one turn in the log; the record has them all
/** Moves and blows are the rhythm of the game. Everything else is told. */
const USUAL: ReadonlySet<string> = new Set<Event["kind"]>(["moved", "shot"]);
const BLOW: Event["kind"] = "hit";

/** What can be ordered: kinds of towers, and "mercenary". */
export function able(options: readonly Option[]): ReadonlySet<string> {
  const found = new Set<string>();
  for (const option of options) {
    const order = option.order as unknown as Order;
    if (order.order === "build") found.add(order.tower);
    else if (order.order === "hire") found.add("mercenary");
  }
  return found;
}

export function passed({ events }: Pick<Frame, "events">): string[] {
  const told = events.filter(({ event: { kind } }) => !USUAL.has(kind) && kind !== BLOW).map(({ words }) => words);
  return told.length > MOST ? [...told.slice(0, MOST), `And ${count(told.length - MOST, "more event")}.`] : told;
}

/** Why to stop before the sheet of this turn is filed. */
export function news({ orders }: Pick<Props, "orders">, could: ReadonlySet<string>): string | null {
  if (!orders) return null;
  const near = orders.alerts.find((alert) => alert.urgent);
  if (near) return near.text;
  if (orders.lines.length) return "There is an order on your sheet.";
  const fresh = [...able(orders.options)].filter((kind) => !could.has(kind));
  const built = fresh.filter((kind) => kind !== "mercenary").map((kind) => `a ${kind}`);
  const can = [...(built.length ? [`build ${list(built, "or")}`] : []), ...(fresh.includes("mercenary") ? ["send a mercenary"] : [])];
  return can.length ? `You can now ${list(can, "or")}.` : null;
}

export const run = new Run<Props>({ passed, news, begin: ({ orders }) => able(orders?.options ?? []) });
