// Minions in five steps, for those who never saw it.

import type { Lesson } from "../contract";

export const intro: readonly Lesson[] = [
  {
    title: "Two sides, several boards",
    text: "Yellow and Blue play on all boards at once, with one purse. Win a board by destroying the enemy necromancer, the token with two rims, or by holding 8 graveyards. The points needed stand above the board.",
    rule: "12",
  },
  {
    title: "Move and attack",
    text: "Choose one of your units. Dots show where it can go, brackets whom it can attack. A unit moves once in a turn, before it attacks. Point at any unit to read what it does.",
    rule: "5",
  },
  {
    title: "Hold graveyards for income",
    text: "Every board pays 2 at the end of your turn, and 1 more for each graveyard that a unit of yours stands on. The hex of a held graveyard has a line in the holder's colour.",
    rule: "11.2",
  },
  {
    title: "Buy and spawn",
    text: "Below the board are your reserve and the shop. Take a unit up and choose a marked hex next to your necromancer or an Initiate. The first purchase on a board ends moves and attacks there, so fight first.",
    rule: "9",
  },
  {
    title: "One spell a turn",
    text: "On the techline a first spell marches to a card, a second one techs it: from your next turn on you can buy that unit, and the enemy never can. One spell a turn is free. Then end the turn.",
    rule: "8",
  },
];
