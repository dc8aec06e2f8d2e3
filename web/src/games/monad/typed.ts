// Completing a typed order: `move 5,5 right 8`, `5,5 mine 4`. The completions come from the options.

import type { Option } from "../../wire";
import { orderOf } from "./sheet";

const MAX = 8;

/** Legal orders that begin as typed, each with the largest number; the tile may come first. */
export function complete(typed: string, options: readonly Option[]): string[] {
  const wanted = typed.trimStart().toLowerCase();
  const placed = /^[0-9]/.test(wanted);
  const found: string[] = [];
  for (const option of options) {
    const order = orderOf(option);
    const number = order.order === "build" ? 1 : Math.min(option.most ?? 1, (option.figures as { useful?: number })?.useful ?? Infinity);
    if (number < 1) continue; // legal, but pointless
    const here = `${order.x},${order.y}`;
    const direction = "direction" in order && order.direction ? ` ${order.direction}` : "";
    const line = placed ? `${here} ${order.order} ${number}${direction}` : `${order.order} ${here}${direction} ${number}`;
    if (line.startsWith(wanted) && line !== wanted) found.push(line);
    if (found.length >= MAX) break;
  }
  return found;
}
