// Five steps for people who are new to the game.

export const intro: readonly { title: string; text: string; rule?: string }[] = [
  {
    title: "Your stack",
    text: "The piece with your shape is a stack of units; the number says how many. All players give orders at the same time, in secret, and everyone sees the whole board.",
    rule: "1.5",
  },
  {
    title: "Build",
    text: "Select your stack and press Build. The stock you start with pays for one building of 2 by 2 tiles; the tile of your stack is its core.",
    rule: "5",
  },
  {
    title: "Work",
    text: "Units that work on the core make new units: when the marks on the core are full, a new unit appears there. You have to order work every turn.",
    rule: "6",
  },
  {
    title: "Mine and spread",
    text: "Dark ground holds ore. Select a stack, then a tile next to it to move there. Mine adds ore to your stock, which pays for more buildings.",
    rule: "7",
  },
  {
    title: "Many at once",
    text: "Box and Brush select whole areas, so that one press gives orders to all of them. The stronger army on a tile wins. Destroy all other buildings to win the game.",
    rule: "8",
  },
];
