// A first game of Minions on one board: a graveyard, a spell, a new unit.

import { filing, line, offers } from "../../lib/lesson";
import { screen } from "../../lib/screen.svelte";
import type { Introduction, LessonMove, LessonStep } from "../contract";
import { desk } from "./desk.svelte";
import { incomeOf, yardsHeld } from "./words";
import type { Order, Setting, View } from "./wire";

type Step = LessonStep<Setting, View, Order>;

const hex = (name: string): string => `[data-hex="${name}"]`;
const card = (number: number): string => `[aria-label="Techline"] button:nth-of-type(${number})`;
const good = (letter: string): string => `[data-good="${letter}"]`;
const LINE_TAB = '[data-lesson="line"]';
const BOARD_TAB = '[data-lesson="board"]';

const moves = (from: string, to: string) => (order: Order) => order.order === "move" && order.start === from && order.target === to;
const spawns = (order: Order): boolean => order.order === "spawn" && order.unit === "I";
const spells = (order: Order): boolean => order.order === "spells";

/** On a phone the techline takes the place of the board. */
const turnTo = (techline: boolean, done: boolean): LessonMove[] =>
  screen.narrow
    ? [
        {
          say: techline ? "Open the techline." : "Go back to the board.",
          keys: techline ? "0" : "1",
          mark: techline ? LINE_TAB : BOARD_TAB,
          done: done || desk.line === techline,
        },
      ]
    : [];

const unit: Step = {
  title: "Your units",
  plan: (scene) => ({
    text: [
      "You are Yellow. The token with two rims on c2 is your necromancer; keep it alive. The others are zombies, slow and cheap.",
      "Blue is a bot. You take turns: first you give all your orders, then Blue does.",
    ],
    moves: [
      {
        say: "Click the zombie on c1.",
        keys: "Tab to the board, arrow keys to c1, Enter",
        mark: hex("c1"),
        done: scene.selected === "1 c1" || scene.lines.length > 0,
      },
    ],
    done: scene.selected === "1 c1" || scene.lines.length > 0,
    rule: "5",
  }),
};

const yard: Step = {
  title: "Hold a graveyard",
  plan: (scene) => {
    const done = line(scene, moves("c1", "c0")) !== undefined;
    if (!done && !offers(scene, moves("c1", "c0"))) return null;
    return {
      text: ["Dots show where it can go. c0 is a graveyard: a unit that stands there earns you 1 money every turn."],
      moves: [
        { say: "Click the zombie on c1.", keys: "arrow keys to c1, Enter", mark: hex("c1"), done: done || scene.selected === "1 c1" },
        { say: "Click the graveyard on c0.", keys: "arrow keys to c0, Enter", mark: hex("c0"), done },
      ],
      done,
      help: { lines: [{ order: "move", board: 1, start: "c1", target: "c0" }] },
      came: `The graveyard is yours. Your income is ${incomeOf(scene.view, scene.you)} now.`,
      rule: "11.2",
    };
  },
};

const spell: Step = {
  title: "One free spell",
  plan: (scene) => {
    const done = line(scene, spells) !== undefined;
    if (!done && !offers(scene, spells)) return null;
    return {
      text: [
        "The techline lists the units that can be unlocked. One spell per turn is free: the first one on a card marches there, a second one unlocks it, for you alone.",
      ],
      moves: [
        ...turnTo(true, done),
        { say: `Click the first card, ${scene.setting.line[0]}.`, keys: "0, then Enter", mark: card(1), done },
      ],
      done,
      help: { lines: [{ order: "spells", spells: ["march"] }] },
      came: `Your spell is on ${scene.setting.line[0]}.`,
      rule: "8",
    };
  },
};

const turn: Step = {
  title: "End your turn",
  plan: (scene) => ({
    text: ["Until you end the turn, you can take back every order. Then Blue plays."],
    moves: [filing(scene, "Press End turn.")],
    done: scene.since > 0,
    help: { file: true },
    came: `Blue has played. You have ${scene.view.money[scene.you] ?? 0} money.`,
    rule: "4",
  }),
};

const spawn: Step = {
  title: "Bring a new unit",
  plan: (scene) => {
    const done = line(scene, spawns) !== undefined;
    const room = scene.options.find((option) => spawns(option.order as Order))?.order as { target: string } | undefined;
    if (!done && !room) return null;
    return {
      text: [
        "Reserve and shop are below the board. An Initiate waits in your reserve: it costs nothing more, and other units can be spawned next to it.",
        "Buying and spawning come after moving and attacking. Once you have begun, no unit moves on this board until your next turn.",
      ],
      moves: [
        ...turnTo(false, done),
        { say: "Pick the Initiate, I.", keys: "i", mark: good("I"), done: done || desk.armed === "I" },
        {
          say: `Click ${room?.target ?? "the marked hex"}.`,
          keys: `arrow keys to ${room?.target ?? "it"}, Enter`,
          mark: hex(room?.target ?? ""),
          done,
        },
      ],
      done,
      help: room ? { lines: [{ order: "spawn", board: 1, unit: "I", target: room.target }] } : {},
      came: "The Initiate stands beside your necromancer. It can move from your next turn on.",
      rule: "9",
    };
  },
};

const again: Step = {
  title: "End your turn again",
  plan: (scene) => ({
    text: ["A unit attacks by selecting it and clicking an enemy in brackets. Nobody is close enough yet, so end the turn."],
    moves: [filing(scene, "Press End turn.")],
    done: scene.since > 0,
    help: { file: true },
    came: "Blue has played again, and comes nearer.",
    rule: "6",
  }),
};

const score: Step = {
  title: "How a board is won",
  plan: (scene) => {
    const board = scene.view.boards[0]!;
    const held = (side: string): number => yardsHeld(scene.setting, board, side);
    return {
      text: [
        `Destroy the enemy necromancer, or hold ${scene.setting.graveyards} graveyards until the enemy's next turn is over. You hold ${held("yellow")}, Blue holds ${held("blue")}. A board is worth 1 point.`,
        "Games for several people have more boards with one purse, one techline, and a captain for each board. Play on, or start a real game.",
      ],
      moves: [],
      done: true,
      rule: "12",
    };
  },
};

export const intro: Introduction<Setting, View, Order> = {
  options: { boards: 1, maps: "Blackened Shores", line: "sorted", turns: 40 },
  bots: ["greedy"],
  steps: [unit, yard, spell, turn, spawn, again, score],
};
