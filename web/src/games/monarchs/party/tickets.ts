// The numbers on the tickets of a draw, as the book counts them (12.24).

export interface Numbers {
  role: string;
  first: number;
  last: number;
}

/** Who holds which numbers: tickets are counted from 1 in the order given; whoever has none is left out. */
export function numbered(held: readonly (readonly [string, number])[]): Numbers[] {
  const found: Numbers[] = [];
  let last = 0;
  for (const [role, count] of held) {
    if (count) found.push({ role, first: last + 1, last: last + count });
    last += count;
  }
  return found;
}
