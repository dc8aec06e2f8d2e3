// A first game of Demons: a cannon at the lane, a house, and a demon that walks past them.

import { filing, line, offers } from "../../lib/lesson";
import type { Introduction, LessonMove, LessonScene, LessonStep } from "../contract";
import type { Order, Setting, View } from "./wire";

type Scene = LessonScene<Setting, View, Order>;
type Step = LessonStep<Setting, View, Order>;

const tile = (place: string): string => `[data-tile="${place}"]`;
const shop = (kind: string): string => `[aria-label="Build and hire"] button[title^="${kind}"]`;

const CANNON = { order: "build", tower: "cannon", x: 5, y: 3 } as const;
const HOUSE = { order: "build", tower: "house", x: 1, y: 4 } as const;
const KEYS = { cannon: "c", house: "h" };

const is = (wanted: typeof CANNON | typeof HOUSE) => (order: Order) =>
  order.order === "build" && order.tower === wanted.tower && order.x === wanted.x && order.y === wanted.y;
/** Any place will do. */
const isBuilt = (scene: Scene, tower: string): boolean =>
  line(scene, (order) => order.order === "build" && order.tower === tower) !== undefined;

function building(scene: Scene, wanted: typeof CANNON | typeof HOUSE): LessonMove[] {
  const done = isBuilt(scene, wanted.tower) || scene.since > 0;
  const place = `${wanted.x},${wanted.y}`;
  const name = wanted.tower === "cannon" ? "Cannon" : "House";
  return [
    { say: `Pick the ${wanted.tower}.`, keys: KEYS[wanted.tower], mark: shop(name), done: done || scene.selected === wanted.tower },
    { say: `Click ${place}.`, keys: `arrow keys to ${place}, Enter`, mark: tile(place), done },
  ];
}

const demon = (scene: Scene) => scene.view.units.find((unit) => unit.kind === "demon" && unit.side === scene.you);

const base: Step = {
  title: "Your base",
  plan: (scene) => {
    const at = scene.view.bases[scene.you]!;
    const place = `${at.x},${at.y}`;
    return {
      text: [
        `You are Red. Your base on ${place} has ${at.health} health. Whoever destroys the other's base wins.`,
        "A lane runs from base to base. In its middle is a portal, and demons come out of it every ten turns.",
      ],
      moves: [{ say: `Click your base on ${place}.`, keys: `Tab to the board, Enter`, mark: tile(place), done: scene.selected === place }],
      done: scene.selected === place || scene.lines.length > 0,
      rule: "9.2",
    };
  },
};

const cannon: Step = {
  title: "Build a cannon at the lane",
  plan: (scene) =>
    offers(scene, is(CANNON)) || isBuilt(scene, "cannon")
      ? {
          text: [
            "The first demon comes for you. Towers shoot at enemies in range on their own. A cannon costs 10 of your 20 gold and deals 3 damage every 5 turns.",
            "Striped tiles are your land. 5,3 lies between two bends of the lane, so the demon stays in range for a long time.",
          ],
          moves: building(scene, CANNON),
          done: isBuilt(scene, "cannon"),
          help: { lines: [CANNON] },
          came: "The cannon is on your sheet. It is built when the turn is played.",
          rule: "8.1",
        }
      : null,
};

const file: Step = {
  title: "Play the turn",
  plan: (scene) => ({
    text: ["Each turn you can build one tower and send one mercenary. Blue, a bot, gives its orders at the same time."],
    moves: [filing(scene, "Press File.")],
    done: scene.since > 0,
    help: { file: true },
    came: demon(scene) ? "The cannon stands, and a demon has come out of the portal." : "The turn has been played.",
    rule: "2.4",
  }),
};

const house: Step = {
  title: "Build a house for gold",
  plan: (scene) =>
    scene.since > 0 || offers(scene, is(HOUSE)) || isBuilt(scene, "house")
      ? {
          text: [
            "You have 10 gold left. A house pays 12 gold every 10 turns, and a mercenary costs 20. Build one far from the lane, where nobody reaches it.",
          ],
          moves: [...building(scene, HOUSE), filing(scene, "Press File.")],
          done: scene.since > 0,
          help: isBuilt(scene, "house") ? { file: true } : { lines: [HOUSE] },
          came: "The house stands. The bars below a tower fill up until it acts.",
          rule: "8.7",
        }
      : null,
};

const wait: Step = {
  title: "Let the demon come",
  plan: (scene) => {
    const one = demon(scene);
    const hurt = !one || one.health < 10;
    return {
      text: [
        "You have no gold, so pass. The demon walks one tile a turn along the lane; when its bars are full, the cannon shoots.",
        one ? `The demon is on ${one.x},${one.y} and has ${one.health} health.` : "",
      ].filter(Boolean),
      moves: [{ ...filing(scene, "Press Pass, turn by turn, until the cannon hits it."), done: hurt && scene.since > 0 }],
      done: (hurt && scene.since > 0) || scene.since > 8,
      help: { file: true },
      came: one && hurt ? `Your cannon hit the demon for 3. It has ${one.health} health left.` : "The demon is gone.",
      rule: "8.2",
    };
  },
};

const score: Step = {
  title: "How a game is won",
  plan: (scene) => {
    const { bases } = scene.view;
    const [you, foe] = [bases[scene.you]!, bases["blue"]!];
    return {
      text: [
        `The numbers on the bases are the score: ${you.health} to ${foe.health}. A demon at your base takes 7 a turn. Whoever has none left loses.`,
        "If both stand after the last turn, the one with more gold wins. Demons get stronger over time: build houses for gold, and towers where they pass.",
      ],
      moves: [],
      done: true,
      rule: "9.2",
    };
  },
};

const end: Step = {
  title: "Mercenaries, and that's all",
  plan: () => ({
    text: [
      "For 20 gold you can send a mercenary out of your base: it has 20 health, beats the demon that stands there, and then walks on to Blue's base. Towers alone rarely hold a lane, so send one as soon as a demon sets out for you.",
      "Play this game on, or start a real one.",
    ],
    moves: [],
    done: true,
    rule: "5.1",
  }),
};

export const intro: Introduction<Setting, View, Order> = {
  options: { map: "skirmish", first: "red", turns: 100 },
  bots: ["economist"],
  steps: [base, cannon, file, house, wait, score, end],
};
