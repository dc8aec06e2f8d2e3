// The lines of a sheet on paper: read for drawing, never judged. What a line can't be read as is still a line.

import type { Option } from "../../../wire";
import type { DraftLine, LineIn, Orders } from "../../contract";
import type { Order } from "../wire";

const HEX = /[a-q][1-9]/gi;

/** What a line means; null if it can't be drawn. */
export function read(text: string): Order | null {
  const hexes = (text.match(HEX) ?? []).map((hex) => hex.toUpperCase());
  if (/^\s*(bless|boost)\b/i.test(text)) return hexes.length === 1 ? { order: "bless", hex: hexes[0]! } : null;
  const number = /(?:^|[^a-q\d])(\d{1,3})\s*$/i.exec(text)?.[1];
  return hexes.length === 2 && number ? { order: "march", from: hexes[0]!, to: hexes[1]!, number: Number(number) } : null;
}

/** A line of a list as people write it, such as "* 2 units from D2 to E3", as it is typed; others stay as they are. */
const listed = (line: string): string =>
  line.replace(/^[*•-]?\s*(\d+)\s+(?:unit|regiment)s?\s+from\s+(\S+)\s+to\s+(\S+?)\.?$/i, "$2 $3 $1");

/** Several lines from one text: separated by new lines or semicolons, or the call of the original program or its dictionary. */
export function split(text: string): string[] {
  if (!/^[\s\w.]*(\([^{]*)?\{/.test(text))
    return text
      .split(/[\n;]/)
      .map((line) => listed(line.trim()))
      .filter(Boolean);
  const entries = text.matchAll(
    /["'](bless|boost)["']\s*:\s*["']([^"']*)["']|\(\s*["']([^"']*)["']\s*,\s*["']([^"']*)["']\s*\)\s*:\s*(\d+)/gi,
  );
  return [...entries].map(([, bless, hex, from, to, number]) => (bless ? `bless ${hex}` : `${from} ${to} ${number}`));
}

export const write = (order: Order): string =>
  order.order === "march" ? `${order.from}-${order.to} ${order.number}` : `bless ${order.hex}`;

const textOf = (line: LineIn): string => (typeof line === "string" ? line : write(line as Order));

/** How many lines, and the blessing: "7 lines and Bless I7". */
export function summary(lines: readonly string[]): string {
  const orders = lines.map(read);
  const bless = orders.find((order) => order?.order === "bless");
  const marches = lines.length - (bless ? 1 : 0);
  const counted = marches === 1 ? "1 line" : `${marches} lines`;
  return bless?.order === "bless" ? `${counted} and Bless ${bless.hex}` : counted;
}

/** A sheet as a board wants it. `set` is given all lines after each change; without it the sheet can only be read. */
export function ordersOf(lines: readonly string[], options: readonly Option[], set: ((lines: string[]) => void) | null): Orders<Order> {
  const figuresOf = (order: Order | null) => {
    const found = options.find((option) => {
      const offered = option.order as unknown as Order;
      return order?.order === "march" && offered.order === "march" && offered.from === order.from && offered.to === order.to;
    });
    return (found?.figures ?? {}) as DraftLine["figures"];
  };
  const drawn = lines.map((text, key): DraftLine<Order> => {
    const order = read(text);
    return { key, text, order, fault: null, pending: false, figures: figuresOf(order), role: null };
  });
  const change = (changed: string[]) => set?.(changed);
  return {
    lines: drawn,
    options,
    alerts: [],
    state: lines.length ? "draft" : "empty",
    open: set !== null,
    ready: true,
    pending: true, // the options are for an empty sheet: what is left on a hex is counted from the lines
    view: null,
    add: (line) => change([...lines, textOf(line)]),
    change: (key, line) => change(lines.map((text, i) => (i === key ? textOf(line) : text))),
    strike: (key) => change(lines.filter((_, i) => i !== key)),
    set: (all) => change(all.map(textOf)),
    settle: (keep) => change(lines.filter((_, i) => keep.includes(i))),
    owns: () => true,
    undo: () => undefined,
    redo: () => undefined,
    file: () => undefined, // a courier carries it
    table: "",
  };
}
