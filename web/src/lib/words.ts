// Small helpers for words and numbers.

/** "red" as a name: "Red". */
export function name(seat: string): string {
  return seat.charAt(0).toUpperCase() + seat.slice(1);
}

/** 1 order, 2 orders. */
export function count(n: number, one: string, many = `${one}s`): string {
  return `${n} ${n === 1 ? one : many}`;
}

/** An option's or figure's name in words: "spell_price" is "Spell price". */
export function title(id: string): string {
  return name(id.replaceAll("_", " ").replaceAll("-", " "));
}

/** a, b and c; or a, b or c. */
export function list(words: readonly string[], last: "and" | "or" = "and"): string {
  return words.length < 2 ? words.join("") : `${words.slice(0, -1).join(", ")} ${last} ${words.at(-1)}`;
}

/** A number for people: 1234.5 is 1,234.5. */
export function number(value: number): string {
  return (Math.round(value * 100) / 100).toLocaleString("en-GB");
}

/** A player as people read it: the bot "level-2" is "Level 2", "champion" is "Champion", and the second of them "Level 2 (2)". */
export function called(player: string): string {
  const [, bot, which] = /^(level-\d|champion)(?: (\d+))?$/.exec(player) ?? [];
  return bot ? title(bot) + (which ? ` (${which})` : "") : player;
}
