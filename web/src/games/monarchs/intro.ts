// The game in five steps, for somebody who never saw it. Each names the paragraph that says it exactly.

import type { Lesson } from "../contract";

export const intro: readonly Lesson[] = [
  {
    title: "Three nations, all at once",
    text: "Red, green and blue write their orders at the same time and unseen, then the turn is played. Each turn you score 1 for every hex you own, 2 for every regiment you beat, and lose 2 for every one you lose. The last turn counts twice.",
    rule: "10.1",
  },
  {
    title: "Send regiments to a neighbour",
    text: "Choose a hex with an army of yours, then one of the marked neighbours, then how many go. Whoever has no order stays. An empty hex that you enter is yours.",
    rule: "3.2",
  },
  {
    title: "The stronger army wins",
    text: "Where armies meet on a hex, each regiment counts 1, the owner of the hex gets a quarter more, and a die adds less than 1. The odds stand beside your order. Armies that march at each other fight on the border first.",
    rule: "6.2",
  },
  {
    title: "Bless one hex a turn",
    text: "Your army in a battle on the hex that you blessed fights with half a regiment more. A losing army loses one regiment, which comes back to your home base; the rest retreats.",
    rule: "6.4",
  },
  {
    title: "You see only your surroundings",
    text: "You see your own hexes and their neighbours; the rest lies in the fog. Home bases cannot be conquered. When your orders stand in the list, file them.",
    rule: "9.1",
  },
];
