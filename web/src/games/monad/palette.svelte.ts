// The colours of the style sheet for use on a canvas, read again when the theme changes.

import { SEATS } from "../../ui/look";

export interface SeatColours {
  readonly piece: string;
  readonly on: string;
  readonly rim: string;
  readonly text: string;
  readonly line: string;
  readonly tint: string;
  readonly hatch: string;
}

export interface Palette {
  readonly page: string;
  readonly surface: string;
  readonly raised: string;
  readonly sunken: string;
  readonly lineStrong: string;
  readonly ink: string;
  readonly ink2: string;
  readonly ink3: string;
  readonly signal: string;
  readonly halo: string;
  readonly ore: readonly string[];
  readonly seats: Readonly<Record<string, SeatColours>>;
  /** The interface's typeface. */
  readonly face: string;
}

function read(): Palette {
  const style = getComputedStyle(document.documentElement);
  const token = (name: string): string => style.getPropertyValue(`--${name}`).trim() || "gray";
  const seat = (name: string): SeatColours => ({
    piece: token(`${name}-piece`),
    on: token(`on-${name}`),
    rim: token(SEATS[name]!.rim),
    text: token(`${name}-text`),
    line: token(`${name}-line`),
    tint: token(`${name}-tint`),
    hatch: token(`${name}-hatch`),
  });
  return {
    page: token("page"),
    surface: token("surface"),
    raised: token("raised"),
    sunken: token("sunken"),
    lineStrong: token("line-strong"),
    ink: token("ink"),
    ink2: token("ink-2"),
    ink3: token("ink-3"),
    signal: token("signal"),
    halo: token("halo"),
    ore: [1, 2, 3, 4, 5].map((step) => token(`ore-${step}`)),
    seats: Object.fromEntries(Object.keys(SEATS).map((name) => [name, seat(name)])),
    face: token("ui"),
  };
}

/** The palette of the page; `watch` keeps it up to date until the returned function is called. */
export class Colours {
  now = $state.raw<Palette>(read());

  watch(): () => void {
    const again = () => (this.now = read());
    const media = ["(prefers-color-scheme: dark)", "print"].map((query) => matchMedia(query));
    const root = new MutationObserver(again);
    root.observe(document.documentElement, { attributes: true });
    media.forEach((one) => one.addEventListener("change", again));
    again();
    return () => {
      root.disconnect();
      media.forEach((one) => one.removeEventListener("change", again));
    };
  }
}
