// How wide the window is, in the three steps of the layout.

const narrow = matchMedia("(max-width: 759px)");
const middle = matchMedia("(max-width: 1179px)");

class Screen {
  narrow = $state(narrow.matches);
  /** The left column is a drawer. */
  middle = $state(middle.matches);

  constructor() {
    narrow.addEventListener("change", () => (this.narrow = narrow.matches));
    middle.addEventListener("change", () => (this.middle = middle.matches));
  }
}

export const screen = new Screen();
