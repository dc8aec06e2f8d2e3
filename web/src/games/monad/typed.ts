// Completing a typed line: `move 5,5 right 8`, `5,5 mine 4`. What it is completed with comes from the options.

import type { Option } from "../../wire";
import { orderOf } from "./sheet";

const MAX = 8;

/** Lawful lines that begin as typed, each with the largest number; the tile may stand in front. */
export function complete(typed: string, options: readonly Option[]): string[] {
  const wanted = typed.trimStart().toLowerCase();
  const placed = /^[0-9]/.test(wanted);
  const found: string[] = [];
  for (const option of options) {
    const order = orderOf(option);
    const number = order.order === "build" ? 1 : Math.min(option.most ?? 1, (option.figures as { useful?: number })?.useful ?? Infinity);
    if (number < 1) continue; // lawful, but for nothing
    const here = `${order.x},${order.y}`;
    const direction = "direction" in order && order.direction ? ` ${order.direction}` : "";
    const line = placed ? `${here} ${order.order} ${number}${direction}` : `${order.order} ${here}${direction} ${number}`;
    if (line.startsWith(wanted) && line !== wanted) found.push(line);
    if (found.length >= MAX) break;
  }
  return found;
}
