// How wide the window is, in the three steps of the layout.

const narrow = matchMedia("(max-width: 759px)");
const middle = matchMedia("(max-width: 1179px)");
const small = matchMedia("(max-height: 619px), (max-width: 759px)");

class Screen {
  narrow = $state(narrow.matches);
  /** The left column is a drawer. */
  middle = $state(middle.matches);
  /** A phone, or 200 % zoom: boards may be larger than their frame. */
  small = $state(small.matches);

  constructor() {
    narrow.addEventListener("change", () => (this.narrow = narrow.matches));
    middle.addEventListener("change", () => (this.middle = middle.matches));
    small.addEventListener("change", () => (this.small = small.matches));
  }
}

export const screen = new Screen();
