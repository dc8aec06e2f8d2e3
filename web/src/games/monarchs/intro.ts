// A first game of Monarchs: an empty hex, an attack, a blessing, the score. Everything is ordered in one turn.

import { filing, line, offers } from "../../lib/lesson";
import type { Introduction, LessonMove, LessonScene, LessonStep } from "../contract";
import type { March, Order, Setting, View } from "./wire";

type Scene = LessonScene<Setting, View, Order>;
type Step = LessonStep<Setting, View, Order>;

const hex = (name: string): string => `[data-hex="${name}"]`;
const HOW_MANY = [".chooser .usual", '[aria-label$="how many?"] [aria-pressed="true"]'];
const BLESS = ["[data-bless]", 'button[aria-label^="+0.5 in a battle"]'];

const marches = (from: string, to: string) => (order: Order) => order.order === "march" && order.from === from && order.to === to;
const goes = (scene: Scene, from: string, to: string): March | undefined => line(scene, marches(from, to))?.order as March | undefined;

/** Selecting an army and sending it: two clicks, and how many if it has several regiments. */
function sending(scene: Scene, from: string, to: string): LessonMove[] {
  const done = goes(scene, from, to) !== undefined;
  return [
    { say: `Click your army on ${from}.`, keys: `arrow keys to ${from}, Enter`, mark: hex(from), done: done || scene.selected === from },
    { say: `Click ${to}, then how many.`, keys: `arrow keys to ${to}, Enter, Enter`, mark: [...HOW_MANY, hex(to)], done },
  ];
}

const select: Step = {
  title: "Your armies",
  plan: (scene) => ({
    text: [
      "You command Red. A number is an army of that many regiments; hexes without one are yours but empty.",
      "Green and Blue are bots that keep to themselves. Everyone writes orders in secret, then all of them are carried out at once.",
    ],
    moves: [
      { say: "Click your army on G5.", keys: "Tab to the board, arrow keys to G5, Enter", mark: hex("G5"), done: scene.selected === "G5" },
    ],
    done: scene.selected === "G5" || scene.lines.length > 0,
    rule: "3.2",
  }),
};

const claim: Step = {
  title: "Take an empty hex",
  plan: (scene) =>
    offers(scene, marches("G5", "I5")) || goes(scene, "G5", "I5")
      ? {
          text: [
            "I5 in the middle belongs to nobody. An empty hex that you enter becomes yours, and every hex you own scores 1 point a turn.",
            "You can send some of the regiments or all of them. The rest stays.",
          ],
          moves: sending(scene, "G5", "I5"),
          done: goes(scene, "G5", "I5") !== undefined,
          help: { lines: [{ order: "march", from: "G5", to: "I5", number: 2 }] },
          came: "The order is on your sheet, and an arrow shows it on the map. Nothing moves before you file.",
          rule: "3.2",
        }
      : null,
};

const attack: Step = {
  title: "Attack where the odds are good",
  plan: (scene) =>
    offers(scene, marches("H6", "I7")) || goes(scene, "H6", "I7")
      ? {
          text: [
            "Green holds I7 with 2 regiments, and the owner of a hex counts a quarter more. Send all 3 from H6.",
            "The odds beside each number count only what you can see: the first figure if Green stays, the second if Green blesses the hex.",
          ],
          moves: sending(scene, "H6", "I7"),
          done: (goes(scene, "H6", "I7")?.number ?? 0) > 0,
          help: { lines: [{ order: "march", from: "H6", to: "I7", number: 3 }] },
          came: "Below the order you see your chances.",
          rule: "6.2",
        }
      : null,
};

const bless: Step = {
  title: "Bless one hex",
  plan: (scene) => {
    const done = line(scene, (order) => order.order === "bless") !== undefined;
    return {
      text: ["Each turn you can bless one hex. In a battle there, your army counts half a regiment more. Bless I7, where you attack."],
      moves: [
        { say: "Click I7.", keys: "arrow keys to I7, Enter", mark: hex("I7"), done: done || scene.selected === "I7" },
        { say: "Click the sun, or Bless.", keys: "*", mark: BLESS, done },
      ],
      done,
      help: { lines: [{ order: "bless", hex: "I7" }] },
      came: "Three orders are on the sheet.",
      rule: "6.4",
    };
  },
};

const file: Step = {
  title: "File your orders",
  plan: (scene) => {
    const report = scene.view.reports[scene.you];
    const won = report?.victories.includes("I7");
    return {
      text: [
        "You can change everything until all three have filed. Then the turn is played: first battles at borders, then marches, then battles on hexes.",
      ],
      moves: [filing(scene, "Press File.")],
      done: scene.since > 0,
      help: { file: true },
      came: !report
        ? "The turn has been played."
        : won
          ? `You won the battle on I7. You scored ${report.score} points this turn.`
          : `You scored ${report.score} points this turn.`,
      rule: "4.1",
    };
  },
};

const score: Step = {
  title: "How the score is counted",
  plan: (scene) => {
    const own = Object.values(scene.view.hexes).filter((one) => one.owner === scene.you).length;
    const report = scene.view.reports[scene.you];
    return {
      text: [
        `You own ${own} hexes: ${own} points. Each regiment you beat adds 2 points, and each one you lose costs 2. So far you have ${report?.total ?? 0}.`,
        "The last turn counts double. You see your own hexes and those next to them; the rest is fog.",
      ],
      moves: [],
      done: true,
      rule: "10.1",
    };
  },
};

const end: Step = {
  title: "That is all you need",
  plan: () => ({
    text: [
      "A beaten army loses one regiment, which goes back to its home base; the rest retreats. Home bases can't be conquered.",
      "Play this game to its end, or start a real one.",
    ],
    moves: [],
    done: true,
    rule: "7",
  }),
};

export const intro: Introduction<Setting, View, Order> = {
  options: { turns: 4 },
  bots: ["holder", "holder"],
  steps: [select, claim, attack, bless, file, score, end],
};
