// The game in five steps, for people who are new to it. Each names the rule with the details.

import type { Lesson } from "../contract";

export const intro: readonly Lesson[] = [
  {
    title: "Defend your base, destroy theirs",
    text: "Red and blue each have a base with health. Lanes run from one base to the other. If your base runs out of health, you lose.",
    rule: "9.2",
  },
  {
    title: "Each turn: one builder, one mercenary",
    text: "Build or destroy one tower, and hire one mercenary. Both players write their orders in secret at the same time, then the turn is played.",
    rule: "2.4",
  },
  {
    title: "Houses pay gold, other towers shoot",
    text: "Pick a tower, then choose one of your tiles with a dot. A house pays gold every few turns. Crossbow, cannon and minigun shoot at enemies in range on their own; the bars below a tower show when.",
    rule: "8.1",
  },
  {
    title: "Mercenaries walk to the other base",
    text: "Choose a direction from your base. A mercenary walks one tile per turn along that lane, fights anything in its way, and strikes the enemy base when it arrives.",
    rule: "5.1",
  },
  {
    title: "Demons attack both sides",
    text: "Portals on the lanes release demons. The number shows how many turns are left until the next one, the small shape which side it will attack. Demons grow stronger over time, so build towers along the lanes early.",
    rule: "7.5",
  },
];
