// The game in five steps, for somebody who never saw it. Each names the paragraph that says it exactly.

import type { Lesson } from "../contract";

export const intro: readonly Lesson[] = [
  {
    title: "Keep your base, break the other",
    text: "Red and blue each have a base with health. Lanes run from one base to the other. Whoever's base has no health left loses.",
    rule: "9.2",
  },
  {
    title: "Each turn: one builder, one mercenary",
    text: "Build or destroy one tower, and hire one mercenary. Both players write their orders at the same time and unseen, then the turn is played.",
    rule: "2.4",
  },
  {
    title: "Houses bring gold, other towers shoot",
    text: "Take up a tower, then choose one of your tiles with a dot. A house pays gold again and again. Crossbow, cannon and minigun shoot by themselves at enemies in range; the bars below a tower show when.",
    rule: "8.1",
  },
  {
    title: "Mercenaries walk to the other base",
    text: "Choose a way out of your base. A mercenary walks one tile a turn along that lane, fights whoever stands in its way, and strikes the other base at the end.",
    rule: "5.1",
  },
  {
    title: "Demons come for both",
    text: "Portals on the lanes send demons. The number tells the turns to the next one, the small shape whom it will attack. They grow stronger with time: have towers at the lanes before they do.",
    rule: "7.5",
  },
];
