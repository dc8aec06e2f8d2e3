// Five steps for somebody who never saw the game.

export const intro: readonly { title: string; text: string; rule?: string }[] = [
  {
    title: "Your stack",
    text: "The piece with your shape is a stack of units; the number says how many. Everybody orders at once, in secret, and everybody sees the whole board.",
    rule: "1.5",
  },
  {
    title: "Build",
    text: "Choose your stack and press Build. The stock you begin with pays for one building of 2 by 2 tiles; the tile of your stack is its core.",
    rule: "5",
  },
  {
    title: "Work",
    text: "Units on the core that work make new units: the marks on the core fill, and a new unit stands there. Work has to be ordered every turn.",
    rule: "6",
  },
  {
    title: "Mine and spread",
    text: "Dark ground holds ore. Choose a stack, then a neighbour to move to; Mine takes ore into your stock, which pays for more buildings.",
    rule: "7",
  },
  {
    title: "Many at once",
    text: "Box and Brush choose whole areas; one press orders all of them. The stronger army on a tile wins; destroy all other buildings and the game is yours.",
    rule: "8",
  },
];
