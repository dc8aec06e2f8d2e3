// The game in five steps, for people who are new to it. Each names the rule with the details.

import type { Lesson } from "../contract";

export const intro: readonly Lesson[] = [
  {
    title: "Three nations, one turn",
    text: "Red, green and blue write their orders in secret, then all orders are carried out at once. Each turn you score 1 point for every hex you own and 2 for every regiment you beat, and you lose 2 for every regiment of yours that is beaten. The last turn counts double.",
    rule: "10.1",
  },
  {
    title: "Send your regiments",
    text: "Select a hex with one of your armies, then a marked neighbouring hex, then how many regiments to send. Regiments without orders stay put. An empty hex that you enter becomes yours.",
    rule: "3.2",
  },
  {
    title: "The stronger army wins",
    text: "When armies meet on a hex, each regiment counts 1, the owner of the hex gets a bonus of a quarter, and a die roll adds less than 1. The odds are shown with your order. Armies that march at each other fight at the border first.",
    rule: "6.2",
  },
  {
    title: "Bless one hex each turn",
    text: "In a battle on the hex you bless, your army counts half a regiment more. A beaten army loses one regiment, which returns to its home base; the rest retreats.",
    rule: "6.4",
  },
  {
    title: "Fog of war",
    text: "You see your own hexes and the hexes next to them; the rest is hidden in fog. Home bases can't be conquered. When your orders are in the list, file them.",
    rule: "9.1",
  },
];
