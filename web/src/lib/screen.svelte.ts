// How wide the window is, in the three steps of the layout.

const narrow = matchMedia("(max-width: 759px)");
const middle = matchMedia("(max-width: 1179px)");
const short = matchMedia("(max-height: 619px)");

class Screen {
  narrow = $state(narrow.matches);
  /** The left column is a drawer. */
  middle = $state(middle.matches);
  /** As at 200 % zoom: boards are larger than their frame. */
  short = $state(short.matches);

  constructor() {
    narrow.addEventListener("change", () => (this.narrow = narrow.matches));
    middle.addEventListener("change", () => (this.middle = middle.matches));
    short.addEventListener("change", () => (this.short = short.matches));
  }
}

export const screen = new Screen();
