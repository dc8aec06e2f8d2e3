// Seats are told three ways: colour, shape, hatching. Shapes are equal in area to the eye, for a radius around (0, 0).

export const SEATS = ["red", "blue", "green", "yellow", "demons"];

export type Hatch = "upright" | "level" | "falling" | "points" | "none";

const HATCHES: Record<string, Hatch> = { red: "upright", blue: "level", green: "falling", yellow: "points" };

/** The lines of a seat's ground, after the engravers' code of heraldry. */
export const hatch = (seat: string | null): Hatch => HATCHES[seat ?? ""] ?? "none";

type Point = readonly [number, number];

const ROUND = 0.96; // radius of the circle
const SINK = 0.11; // the triangle's middle lies low, so it is set lower to look centred
const H = (1.05 * Math.sqrt(3)) / 2;

// Corners for radius 1, and how far from a corner its rounding begins. The pictures of the package have the same.
const HEXAGON: { points: readonly Point[]; round: number } = {
  points: [[0, -1.05], [H, -0.525], [H, 0.525], [0, 1.05], [-H, 0.525], [-H, -0.525]],
  round: 0.09,
};
const CORNERS: Record<string, { points: readonly Point[]; round: number }> = {
  red: { points: [[-0.86, -0.86], [0.86, -0.86], [0.86, 0.86], [-0.86, 0.86]], round: 0.16 },
  green: { points: [[0, -1.16 + SINK], [1.2, 0.84 + SINK], [-1.2, 0.84 + SINK]], round: 0.37 },
  yellow: { points: [[0, -1.2], [1.2, 0], [0, 1.2], [-1.2, 0]], round: 0.2 },
};

const round = (n: number): number => Math.round(n * 100) / 100;

function towards([x, y]: Point, [toX, toY]: Point, way: number): Point {
  const part = way / Math.hypot(toX - x, toY - y);
  return [x + part * (toX - x), y + part * (toY - y)];
}

/** Outline of a seat's piece as an SVG path. A seat that has no colour of its own gets the demons' hexagon. */
export function outline(seat: string, r: number): string {
  if (seat === "blue") {
    const q = round(ROUND * r);
    return `M${-q} 0a${q} ${q} 0 1 0 ${round(2 * q)} 0a${q} ${q} 0 1 0 ${round(-2 * q)} 0z`;
  }
  const { points, round: bend } = CORNERS[seat] ?? HEXAGON;
  const at = ([x, y]: Point): string => `${round(x * r)} ${round(y * r)}`;
  const parts = points.map((corner, i) => {
    const before = towards(corner, points[(i + points.length - 1) % points.length]!, bend);
    const after = towards(corner, points[(i + 1) % points.length]!, bend);
    return `${at(before)}Q${at(corner)} ${at(after)}`;
  });
  return `M${parts.join("L")}z`;
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

const DASH: Record<string, string> = { red: "", blue: "5 2.5", green: "", yellow: "7 4" };

/** The colours of a seat. */
export function paint(seat: string | null): Paint {
  if (seat === null || !(seat in DASH)) return NOBODY;
  const light = seat === "green" || seat === "yellow";
  return {
    piece: `var(--${seat}-piece)`,
    on: `var(--on-${seat})`,
    rim: light ? "var(--rim-hi)" : "var(--rim-lo)",
    text: `var(--${seat}-text)`,
    line: `var(--${seat}-line)`,
    tint: `var(--${seat}-tint)`,
    hatch: `var(--${seat}-hatch)`,
    chart: `var(--${seat}-chart)`,
    dash: DASH[seat] ?? "",
    cased: light,
  };
}
