// The picture of a position, as the umpire draws it for this audience, and the places marked in it.
//
// A place is a shape with the attribute data-place. Only harmless, visible parts of the picture are used.

import type { Frame } from "../../wire";

export type Point = readonly [number, number];

export interface Place {
  readonly name: string;
  /** Its name for screen readers. */
  readonly label: string;
  readonly tag: string;
  /** The attributes of its outline. */
  readonly outline: Readonly<Record<string, string>>;
  readonly at: Point;
  /** Half of its smaller side. */
  readonly r: number;
}

export interface Picture {
  readonly viewBox: string;
  readonly label: string;
  readonly nodes: readonly Element[];
  readonly places: readonly Place[];
}

const SVG = "http://www.w3.org/2000/svg";
const DRAWN = new Set(["g", "path", "circle", "ellipse", "rect", "line", "polyline", "polygon", "text", "tspan"]);
const OUTLINE = ["d", "cx", "cy", "r", "rx", "ry", "x", "y", "width", "height", "points", "transform"];
const LOOK =
  /^(d|c[xy]|r[xy]?|[xy][12]?|d[xy]|width|height|points|transform|opacity|fill.*|stroke.*|font-.*|text-anchor|dominant-baseline|data-place|aria-label)$/;

const known = new WeakMap<Frame, Picture | null>();
let last: { svg: string; picture: Picture | null } = { svg: "", picture: null };

/** The picture that came with a frame; null if there is none that can be read. */
export function pictureOf(frame: Frame): Picture | null {
  let found = known.get(frame);
  if (found === undefined) {
    if (last.svg !== frame.picture) last = { svg: frame.picture, picture: read(frame.picture) };
    found = last.picture;
    known.set(frame, found);
  }
  return found;
}

function read(svg: string): Picture | null {
  const root = svg ? new DOMParser().parseFromString(svg, "image/svg+xml").documentElement : null;
  if (root?.localName !== "svg") return null;
  tidy(root);
  const family = root.getAttribute("font-family");
  const nodes = [...root.children].map((node) => document.importNode(node, true));
  if (family) for (const node of nodes) if (!node.hasAttribute("font-family")) node.setAttribute("font-family", family);
  const viewBox = root.getAttribute("viewBox") ?? `0 0 ${root.getAttribute("width")} ${root.getAttribute("height")}`;
  return { viewBox, label: root.getAttribute("aria-label") ?? "", nodes, places: placesIn(root) };
}

/** Removes everything but visible shapes. */
function tidy(parent: Element): void {
  for (const child of [...parent.children]) {
    if (!DRAWN.has(child.localName)) {
      child.remove();
      continue;
    }
    for (const { name, value } of [...child.attributes]) if (!LOOK.test(name) || /url\s*\(/i.test(value)) child.removeAttribute(name);
    tidy(child);
  }
}

function placesIn(root: Element): Place[] {
  const marked = [...root.querySelectorAll("[data-place]")].filter((shape) => shape.localName !== "g");
  return measured(
    marked.map((shape) => {
      const name = shape.getAttribute("data-place")!;
      const outline = OUTLINE.map((key): [string, string] => [key, shape.getAttribute(key) ?? ""]);
      const moved = transforms(shape, root);
      return {
        name,
        label: shape.getAttribute("aria-label") || name,
        tag: shape.localName,
        outline: Object.fromEntries([...outline.filter(([, value]) => value), ...(moved ? [["transform", moved]] : [])]),
      };
    }),
  );
}

/** All transforms that apply to a shape within the picture. */
function transforms(shape: Element, root: Element): string {
  const found: string[] = [];
  for (let at: Element | null = shape; at && at !== root; at = at.parentElement) found.unshift(at.getAttribute("transform") ?? "");
  return found.join(" ").trim();
}

/** Shapes can be measured only in the page. */
function measured(places: readonly Omit<Place, "at" | "r">[]): Place[] {
  const room = document.createElementNS(SVG, "svg");
  room.setAttribute("style", "position: absolute; width: 0; height: 0; visibility: hidden");
  document.body.append(room);
  const found = places.map((place): Place => {
    const shape = document.createElementNS(SVG, place.tag) as SVGGraphicsElement;
    for (const [key, value] of Object.entries(place.outline)) shape.setAttribute(key, value);
    room.append(shape);
    const { x, y, width, height } = shape.getBBox();
    const moved = new DOMPoint(x + width / 2, y + height / 2).matrixTransform(shape.transform.baseVal.consolidate()?.matrix);
    return { ...place, at: [moved.x, moved.y], r: Math.min(width, height) / 2 };
  });
  room.remove();
  return found;
}

/** The place that an arrow key leads to: the nearest one roughly in this direction. */
export function stepTo(places: readonly Place[], from: Place, heading: "left" | "right" | "up" | "down"): Place | null {
  const [hx, hy] = { left: [-1, 0], right: [1, 0], up: [0, -1], down: [0, 1] }[heading] as [number, number];
  let best: Place | null = null;
  let least = Infinity;
  for (const place of places) {
    const [x, y] = [place.at[0] - from.at[0], place.at[1] - from.at[1]];
    const along = x * hx + y * hy;
    const aside = Math.abs(x * hy) + Math.abs(y * hx);
    if (place === from || along <= 0 || aside > 2 * along) continue;
    const far = (x * x + y * y) / along; // a place straight ahead may be farther away
    if (far < least) [best, least] = [place, far];
  }
  return best;
}
