// Small charts of the last hour: a scale that begins at zero, and lines with gaps where nothing was measured.

export interface Dot {
  /** Seconds since 1970. */
  at: number;
  value: number | null;
}

export const WIDTH = 368;
export const TOP = 10;
export const BOTTOM = 72;
const GAP = 150; // seconds without a figure that break a line

/** The end of a scale: the next number of 1, 2 or 5 times a power of ten, and at least `least`. */
export function ceiling(value: number, least = 1): number {
  const power = 10 ** Math.floor(Math.log10(Math.max(value, least)));
  return Math.max(least, ([1, 2, 5, 10].find((step) => step * power >= value) ?? 10) * power);
}

/** The height of a figure in the chart. */
export const height = (value: number, top: number): number => BOTTOM - (Math.min(value, top) / top) * (BOTTOM - TOP);

/** A line through all figures between two moments, as an SVG path. A figure that stands alone is a dot. */
export function line(dots: readonly Dot[], from: number, to: number, top: number): string {
  let last = -Infinity;
  let path = "";
  for (const { at, value } of dots) {
    if (value === null || at < from) continue;
    const place = `${(((at - from) / (to - from)) * WIDTH).toFixed(1)} ${height(value, top).toFixed(1)}`;
    path += at - last > GAP ? `M${place}h.01` : `L${place}`;
    last = at;
  }
  return path;
}
