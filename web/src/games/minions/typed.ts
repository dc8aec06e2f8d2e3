// A typed order: without a board it is for the one in focus, and "c1 c0" is a move, an attack or a swap.

import type { Option } from "../../wire";
import { desk } from "./desk.svelte";

const plain = (text: string): string =>
  text
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, " ")
    .trim();

export function complete(typed: string, options: readonly Option[]): string[] {
  const start = plain(typed);
  const whole = options.filter((option) => plain(option.text).startsWith(start));
  const here = options.filter((option) => {
    const text = plain(option.text);
    const mine = `${desk.focus} `;
    if (!text.startsWith(mine)) return false;
    const rest = text.slice(mine.length);
    return rest.startsWith(start) || rest.replace(/^(move|attack|tick) /, "").startsWith(start);
  });
  return [...new Set([...here, ...whole].map((option) => option.text))].slice(0, 8);
}
