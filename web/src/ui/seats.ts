// Seats are told apart in three ways: colour, shape, hatching. Shapes look equal in area, for a radius around (0, 0).

import { HATCHES, SEATS, SHAPES, type Shape } from "./look";

export type Point = readonly [number, number];

/** The shape of a seat's piece; the hexagon for what belongs to no seat. */
export const shapeOf = (seat: string | null): Shape => SHAPES[SEATS[seat ?? ""]?.shape ?? "hexagon"]!;

/** The lines of a seat's ground, after the engravers' code of heraldry: their directions, each of length 1. */
export function hatchOf(seat: string | null): readonly Point[] {
  const lines = HATCHES[SEATS[seat ?? ""]?.hatch ?? "none"] ?? [];
  return lines.map(([x, y]): Point => [x / Math.hypot(x, y), y / Math.hypot(x, y)]);
}

/** Whether the ground of a seat has points instead of lines. */
export const isDotted = (seat: string | null): boolean => SEATS[seat ?? ""]?.hatch === "points";

/** The corners of a shape for radius 1, each with the ends of its rounding; none for a circle. */
export function bends({ corners, round, sink }: Shape): readonly { before: Point; corner: Point; after: Point }[] {
  const sunk = corners.map(([x, y]): Point => [x, y + sink]);
  return sunk.map((corner, i) => ({
    before: towards(corner, sunk[(i + sunk.length - 1) % sunk.length]!, round),
    corner,
    after: towards(corner, sunk[(i + 1) % sunk.length]!, round),
  }));
}

const round = (n: number): number => Math.round(n * 100) / 100;

function towards([x, y]: Point, [toX, toY]: Point, way: number): Point {
  const part = way / Math.hypot(toX - x, toY - y);
  return [x + part * (toX - x), y + part * (toY - y)];
}

/** Outline of a seat's piece as an SVG path. A seat without a colour of its own gets the demons' hexagon. */
export function outline(seat: string | null, r: number): string {
  const shape = shapeOf(seat);
  if (!shape.corners.length) {
    const q = round(shape.round * r);
    return `M${-q} 0a${q} ${q} 0 1 0 ${round(2 * q)} 0a${q} ${q} 0 1 0 ${round(-2 * q)} 0z`;
  }
  const at = ([x, y]: Point): string => `${round(x * r)} ${round(y * r)}`;
  return `M${bends(shape)
    .map(({ before, corner, after }) => `${at(before)}Q${at(corner)} ${at(after)}`)
    .join("L")}z`;
}

export interface Paint {
  piece: string;
  on: string;
  rim: string;
  text: string;
  line: string;
  tint: string;
  hatch: string;
  chart: string;
  /** Stroke of chart lines. */
  dash: string;
  /** Chart lines of light seats have a casing in the light theme. */
  cased: boolean;
}

const NOBODY: Paint = {
  piece: "var(--demon)",
  on: "var(--on-demon)",
  rim: "var(--halo)",
  text: "var(--ink)",
  line: "var(--ink)",
  tint: "var(--sunken)",
  hatch: "var(--line-strong)",
  chart: "var(--ink)",
  dash: "",
  cased: false,
};

/** The colours of a seat. */
export function paint(seat: string | null): Paint {
  const look = seat === null ? undefined : SEATS[seat];
  if (!look) return NOBODY;
  return {
    piece: `var(--${seat}-piece)`,
    on: `var(--on-${seat})`,
    rim: `var(--${look.rim})`,
    text: `var(--${seat}-text)`,
    line: `var(--${seat}-line)`,
    tint: `var(--${seat}-tint)`,
    hatch: `var(--${seat}-hatch)`,
    chart: `var(--${seat}-chart)`,
    dash: look.dash,
    cased: look.rim === "rim-hi",
  };
}
