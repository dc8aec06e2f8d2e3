// Texts with places for the fields of an event, filled in by the same rules as in the umpire (kernel/phrases.py).

const PLACE = /\{(\w+)(?:\|([^|}]*)\|([^|}]*))?\}/g;

type Fields = Readonly<Record<string, any>>;

/** The sentence: `{Seat}` begins with a capital, a place is written with commas, `{number|one|many}` chooses. */
export function filled(phrase: string, of: Fields): string {
  return phrase.replace(PLACE, (_, field: string, one?: string, many?: string) => {
    const value = of[field.toLowerCase()] ?? 0; // what is left out is 0
    if (one !== undefined) return value === 1 ? one : many!;
    const text = String(value); // of a list: with commas
    return /^[A-Z]/.test(field) ? text.charAt(0).toUpperCase() + text.slice(1) : text;
  });
}

/** The text, or null where the event does not say what it speaks of. */
export function told(template: string, of: Fields): string | null {
  let known = true;
  const text = template.replace(PLACE, (_, field: string) => {
    known &&= of[field] !== undefined && of[field] !== null;
    return String(of[field]);
  });
  return known ? text : null;
}

/** A value that may name a field: the field as it is, a text with fields, or anything else. */
export function valueOf(value: unknown, of: Fields): unknown {
  if (typeof value !== "string") return value;
  const field = /^\{(\w+)\}$/.exec(value)?.[1];
  return field ? (of[field] ?? 0) : told(value, of);
}
