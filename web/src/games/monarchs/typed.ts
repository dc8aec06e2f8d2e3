// Completing a typed order: `g5 h4 2`, `bless i7`. The completions come from the options.

import type { Option } from "../../wire";
import { orderOf } from "./sheet";

const MAX = 8;
const MARCH = /^\s*([a-q][1-9]?)(?:(\s*(?:->|[-,>])\s*|\s+)(?:([a-q][1-9]?)(?:(\s*,\s*|\s+)(\d*))?)?)?$/i;
const BLESSING = /^\s*(b(?:l(?:e(?:ss?)?)?|o(?:o(?:st?)?)?)?)(?:(\s*[:,]?\s+)([a-q]?[1-9]?))?$/i;

/** Legal orders that begin as typed, in the writer's own letters and signs; the largest number first. */
export function complete(typed: string, options: readonly Option[]): string[] {
  const found = [...marchesLike(typed, options), ...blessingsLike(typed, options)];
  return found.filter((line) => line !== typed).slice(0, MAX);
}

const starts = (name: string, typed: string | undefined): boolean => name.startsWith((typed ?? "").toUpperCase());

function marchesLike(typed: string, options: readonly Option[]): string[] {
  const said = MARCH.exec(typed);
  if (!said) return [];
  const [, from = "", sign = " ", to = "", gap = " ", number = ""] = said;
  const small = from === from.toLowerCase();
  const found: string[] = [];
  for (const option of options) {
    const order = orderOf(option);
    if (order.order !== "march" || !starts(order.from, from) || !starts(order.to, to)) continue;
    const most = option.most ?? 1;
    // Once both hexes are typed, every number is worth offering; until then, only the largest.
    const numbers = to.length === 2 ? countdown(most) : [most];
    for (const n of numbers.filter((n) => String(n).startsWith(number))) {
      const rest = `${order.from.slice(from.length)}${sign}${to}${order.to.slice(to.length)}${gap}${n}`;
      found.push(typed.slice(0, typed.length - tail(said).length) + (small ? lower(rest) : rest));
    }
  }
  return found;
}

/** The part of a typed march after the name of its first hex. */
function tail(said: RegExpExecArray): string {
  const from = said[1] ?? "";
  return said[0].slice(said[0].indexOf(from) + from.length);
}

const lower = (text: string): string => text.toLowerCase();

const countdown = (most: number): number[] => Array.from({ length: most }, (_, i) => most - i);

function blessingsLike(typed: string, options: readonly Option[]): string[] {
  const said = BLESSING.exec(typed);
  if (!said) return [];
  const [, word = "", sign, hex = ""] = said;
  const whole = /^bo/i.test(word) ? "boost" : "bless";
  const small = word === word.toLowerCase();
  return options.flatMap((option) => {
    const order = orderOf(option);
    if (order.order !== "bless" || !starts(order.hex, hex)) return [];
    const name = hex + (small ? lower(order.hex) : order.hex).slice(hex.length);
    return [typed.slice(0, typed.indexOf(word)) + word + whole.slice(word.length) + (sign ?? " ") + name];
  });
}
