// Seats are told three ways: colour, shape, hatching. Shapes are equal in area to the eye, for a radius around (0, 0).

export const SEATS = ["red", "blue", "green", "yellow", "demons"];

const round = (n: number): number => Math.round(n * 100) / 100;

/** Outline of a seat's piece as an SVG path. A seat that has no colour of its own gets the demons' hexagon. */
export function outline(seat: string, r: number): string {
  const at = (x: number, y: number): string => `${round(x * r)} ${round(y * r)}`;
  const c = round(0.16 * r);
  const s = round(0.86 * r);
  const q = round(0.96 * r);
  switch (seat) {
    case "red":
      return `M${-s + c} ${-s}H${s - c}Q${s} ${-s} ${s} ${-s + c}V${s - c}Q${s} ${s} ${s - c} ${s}H${-s + c}Q${-s} ${s} ${-s} ${s - c}V${-s + c}Q${-s} ${-s} ${-s + c} ${-s}z`;
    case "blue":
      return `M${-q} 0a${q} ${q} 0 1 0 ${2 * q} 0a${q} ${q} 0 1 0 ${-2 * q} 0z`;
    case "green":
      return `M${at(0, -1.16)}L${at(1.2, 0.84)}L${at(-1.2, 0.84)}z`;
    case "yellow":
      return `M${at(0, -1.2)}L${at(1.2, 0)}L${at(0, 1.2)}L${at(-1.2, 0)}z`;
    default:
      return `M${[30, 90, 150, 210, 270, 330].map((d) => at(1.05 * Math.cos((d * Math.PI) / 180), 1.05 * Math.sin((d * Math.PI) / 180))).join("L")}z`;
  }
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
