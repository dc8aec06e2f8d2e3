// A first game of Monad with six units: a building, workers, a scout that mines.

import { filing, line, offers } from "../../lib/lesson";
import type { Introduction, LessonMove, LessonScene, LessonStep } from "../contract";
import type { Order, Setting, View } from "./wire";

type Scene = LessonScene<Setting, View, Order>;
type Step = LessonStep<Setting, View, Order>;

const HOME = "1,1";
const NEXT = "2,1";
const BLOCKS = [
  '[aria-label="Which way should the building extend?"] button',
  '[aria-label*="which way should it extend?"] [aria-pressed="true"]',
];
const tool = (title: string): string => `[aria-label="Orders for selected tiles"] button[title^="${title}"]`;

const at = (order: Order): string => `${order.x},${order.y}`;
const given = (scene: Scene, kind: Order["order"], place: string) => line(scene, (order) => order.order === kind && at(order) === place);
const offered = (scene: Scene, kind: Order["order"], place: string): boolean =>
  offers(scene, (order) => order.order === kind && at(order) === place);
const mine = (scene: Scene, place: string): number => {
  const [x, y] = place.split(",").map(Number);
  return scene.view.stacks.find((stack) => stack.owner === scene.you && stack.x === x && stack.y === y)?.units ?? 0;
};
const total = (scene: Scene): number => scene.view.units[scene.you] ?? 0;

const selecting = (scene: Scene, place: string, done: boolean): LessonMove => ({
  say: `Click your stack on ${place}.`,
  keys: `${place}, then Enter`,
  mark: place,
  done: done || scene.selected === place,
});

const stack: Step = {
  title: "Your stack",
  plan: (scene) => ({
    text: [
      "You are Red. The piece on 1,1 is a stack of 6 units. Blue, a bot, has the same in the other corner.",
      "All players give orders at the same time, and everyone sees the whole board. Darker ground holds more ore.",
    ],
    moves: [selecting(scene, HOME, scene.lines.length > 0)],
    done: scene.selected === HOME || scene.lines.length > 0,
    rule: "1.5",
  }),
};

const build: Step = {
  title: "Build",
  plan: (scene) => {
    const done = given(scene, "build", HOME) !== undefined;
    if (!done && !offered(scene, "build", HOME)) return null;
    return {
      text: ["Your stock of 100 pays for one building of 2 by 2 tiles. The tile of your stack is its core, where new units appear."],
      moves: [
        selecting(scene, HOME, done),
        { say: "Press Build, then choose a block.", keys: "b, then Enter", mark: [...BLOCKS, tool("Build")], done },
      ],
      done,
      help: { lines: [{ order: "build", x: 1, y: 1, number: 1, direction: "right" }] },
      came: "The order is on your sheet. The other units stay where they are.",
      rule: "5",
    };
  },
};

const file: Step = {
  title: "Play the turn",
  plan: (scene) => ({
    text: ["Your orders stay secret until both have filed. Then they are carried out at once."],
    moves: [filing(scene, "Press File.")],
    done: scene.since > 0,
    help: { file: true },
    came: scene.view.buildings.some((one) => one.owner === scene.you)
      ? "Your building stands: the striped block, with its core on 1,1."
      : "The turn has been played.",
    rule: "3",
  }),
};

const work: Step = {
  title: "Put units to work",
  plan: (scene) => {
    const done = given(scene, "work", HOME) !== undefined;
    if (!done && !offered(scene, "work", HOME)) return null;
    return {
      text: [
        "Units that work on the core make new ones: 5 points make a unit, and up to 5 workers count. Work has to be ordered every turn.",
      ],
      moves: [selecting(scene, HOME, done), { say: "Press Work.", keys: "w", mark: tool("Work"), done }],
      done,
      help: { lines: [{ order: "work", x: 1, y: 1, number: 5 }] },
      came: "Five units work. One is left over.",
      rule: "6",
    };
  },
};

const scout: Step = {
  title: "Send the sixth unit out",
  plan: (scene) => {
    const moved = given(scene, "move", HOME) !== undefined;
    if (scene.since === 0 && !moved && !offered(scene, "move", HOME)) return null;
    return {
      text: ["One unit is idle. Click the stack and then the tile to its right: a move takes the units that have no other order."],
      moves: [
        selecting(scene, HOME, moved || scene.since > 0),
        { say: "Click 2,1.", keys: "r", mark: NEXT, done: moved || scene.since > 0 },
        filing(scene, "Press File."),
      ],
      done: scene.since > 0,
      help: moved ? { file: true } : { lines: [{ order: "move", x: 1, y: 1, number: 1, direction: "right" }] },
      came: `The workers made a unit: you have ${total(scene)} now.${mine(scene, NEXT) ? " Your scout stands on 2,1." : ""}`,
      rule: "4",
    };
  },
};

const dig: Step = {
  title: "Mine",
  plan: (scene) => {
    const place = scene.since > 0 || offered(scene, "mine", NEXT) || given(scene, "mine", NEXT) ? NEXT : HOME;
    const done = given(scene, "mine", place) !== undefined || scene.since > 0;
    if (!done && !offered(scene, "mine", place)) return null;
    const [x, y] = place.split(",").map(Number);
    return {
      text: ["Each unit that mines takes 1 ore out of the ground and puts it into your stock. 100 pay for the next building."],
      moves: [selecting(scene, place, done), { say: "Press Mine.", keys: "m", mark: tool("Mine"), done }, filing(scene, "Press File.")],
      done: scene.since > 0,
      help: given(scene, "mine", place) ? { file: true } : { lines: [{ order: "mine", x, y, number: 1 }] },
      came: `Your stock is ${scene.view.stock[scene.you] ?? 0}.`,
      rule: "7",
    };
  },
};

const score: Step = {
  title: "How a game is won",
  plan: (scene) => ({
    text: [
      `The score is the number of units: ${total(scene)} to ${scene.view.units["blue"] ?? 0}. Whoever has more after the last turn wins, or whoever destroys all other buildings.`,
      "Where armies meet, the stronger one wins, and a building helps those on its core: attack where you are clearly stronger. Box and Brush select many stacks at once; Keep working and Keep mining give an order again every turn. Play on, or start a real game.",
    ],
    moves: [],
    done: true,
    rule: "9.3",
  }),
};

/** The board is a canvas: it says where its first tile is, and how large they are. */
function spot(place: string): DOMRect | null {
  const [x, y] = place.split(",").map(Number);
  const stage = document.querySelector<HTMLElement>("[data-fit]");
  if (!stage || x === undefined || y === undefined || Number.isNaN(x + y)) return null;
  const [side = 0, left = 0, top = 0, wide = 0, high = 0, turned = 0] = stage.dataset["fit"]!.split(" ").map(Number);
  const box = stage.getBoundingClientRect();
  const zoom = box.width / (stage.offsetWidth || 1);
  const [column, row] = turned ? [wide - 1 - x, high - 1 - y] : [x, y];
  return new DOMRect(box.left + (left + column * side) * zoom, box.top + (top + row * side) * zoom, side * zoom, side * zoom);
}

export const intro: Introduction<Setting, View, Order> = {
  options: { map: "duel", units: 6, turns: 60 },
  bots: ["streamer"],
  steps: [stack, build, file, work, scout, dig, score],
  spot,
};
