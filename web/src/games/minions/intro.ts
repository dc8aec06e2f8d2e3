// Minions in five steps, for people who are new to it.

import type { Lesson } from "../contract";

export const intro: readonly Lesson[] = [
  {
    title: "Two sides, several boards",
    text: "Yellow and Blue play on all boards at once, and each side has one pool of money. Win a board by destroying the enemy necromancer (the token with two rims) or by holding 8 graveyards. The points you need are shown above the board.",
    rule: "12",
  },
  {
    title: "Move and attack",
    text: "Select one of your units. Dots show where it can go, brackets what it can attack. A unit moves once per turn, before it attacks. Point at any unit to see what it does.",
    rule: "5",
  },
  {
    title: "Hold graveyards for income",
    text: "At the end of your turn every board pays you 2, plus 1 for each graveyard that one of your units stands on. A held graveyard is outlined in its holder's colour.",
    rule: "11.2",
  },
  {
    title: "Buy and spawn",
    text: "Your reserve and the shop are below the board. Pick a unit and choose a marked hex next to your necromancer or an Initiate. Once you buy on a board you can't move or attack there any more this turn, so fight first.",
    rule: "9",
  },
  {
    title: "One free spell per turn",
    text: "On the techline, your first spell marches to a card and a second one unlocks it: from your next turn on you can buy that unit, and your enemy never can. One spell per turn is free. When you're done, end your turn.",
    rule: "8",
  },
];
