// Templates with placeholders for the fields of an event, filled in by the same rules as in the umpire (kernel/phrases.py).

const PLACE = /\{(\w+)(?:\|([^|}]*)\|([^|}]*))?\}/g;

type Fields = Readonly<Record<string, unknown>>;

/** The sentence: `{Seat}` begins with a capital, a place is written with commas, `{number|one|many}` chooses. */
export function filled(phrase: string, of: Fields): string {
  return phrase.replace(PLACE, (_, field: string, one?: string, many?: string) => {
    const value = of[field.toLowerCase()] ?? 0; // missing fields are 0
    if (one !== undefined) return value === 1 ? one : many!;
    const text = String(value); // lists are joined with commas
    return /^[A-Z]/.test(field) ? text.charAt(0).toUpperCase() + text.slice(1) : text;
  });
}

const parted = new Map<string, readonly string[]>();

/** A template split into alternating texts and field names. There are few, and a turn fills them thousands of times. */
export function partsOf(template: string): readonly string[] {
  let parts = parted.get(template);
  if (!parts) {
    parts = template.split(PLACE).filter((_, i) => i % 4 < 2);
    parted.set(template, parts);
  }
  return parts;
}

/** The text, or null if the event lacks one of its fields. */
export function told(template: string, of: Fields): string | null {
  const parts = partsOf(template);
  let text = parts[0]!;
  for (let i = 1; i < parts.length; i += 2) {
    const value = of[parts[i]!];
    if (value === undefined || value === null) return null;
    text += String(value) + parts[i + 1]!;
  }
  return text;
}

/** A value that may name a field: the field itself, a text with fields, or anything else as it is. */
export function valueOf(value: unknown, of: Fields): unknown {
  if (typeof value !== "string") return value;
  const field = /^\{(\w+)\}$/.exec(value)?.[1];
  return field ? (of[field] ?? 0) : told(value, of);
}
