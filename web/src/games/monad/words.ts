// Sentences: what a tile holds, what a click would do, what an order means.

import { count, list, name } from "../../lib/words";
import type { OrderWords, Status } from "../contract";
import { beside, nameOf, placeOf, type Grid } from "./geometry";
import { holdingOf, isCore, BLOCKED, type Position } from "./position";
import { figuresOf, type Deed, type Wish } from "./sheet";
import type { Share } from "./shows.svelte";
import type { Order, Setting, View } from "./wire";

const figures = new Intl.NumberFormat("en-GB"); // making one takes longer than using it

export const number = (value: number): string => figures.format(value);

export const unitsWords = (value: number): string => (value === 1 ? "1 unit" : `${number(value)} units`);

const mine = (you: string | null, owner: string): string => (owner === you ? "yours" : name(owner));

// ---- tiles

/** What stands on a tile: "Red, 118 units", "free", "blocked". */
export function holder({ stacks, ore }: Position, tile: number, you: string | null): string {
  const stack = stacks[tile];
  if (ore[tile] === BLOCKED) return "blocked";
  return stack ? `${mine(you, stack.owner)}, ${unitsWords(stack.units)}` : "nobody";
}

/** The building on a tile: "core of your building, 3 of 5 points"; empty if there is none. */
export function buildingWords(position: Position, tile: number, you: string | null): string {
  const building = position.cover[tile];
  if (!building) return "";
  const whose = building.owner === you ? "your building" : `a building of ${name(building.owner)}`;
  if (isCore(position, building, tile)) return `core of ${whose}, ${building.points} of ${position.setting.unit_cost} points`;
  return `part of ${whose} at ${building.x},${building.y}`;
}

export const oreWords = ({ ore }: Position, tile: number): string => (ore[tile] === BLOCKED ? "" : `${ore[tile]} ore`);

/** A tile in full, for screen readers and lists. */
export function tileName(position: Position, tile: number, you: string | null, planned = ""): string {
  const parts = [
    nameOf(position, tile),
    holder(position, tile, you),
    buildingWords(position, tile, you),
    oreWords(position, tile),
    planned,
  ];
  return parts.filter(Boolean).join(", ");
}

/** A tile with nothing chosen. */
export function looking(position: Position, tile: number, you: string | null, does: string): Status {
  const seat = position.stacks[tile]?.owner ?? position.cover[tile]?.owner ?? null;
  const rest = [buildingWords(position, tile, you), oreWords(position, tile)].filter(Boolean).map((said) => `${name(said)}.`);
  return {
    seat,
    subject: `${nameOf(position, tile)}, ${holder(position, tile, you)}.`,
    text: [...rest, does].filter(Boolean).join(" "),
  };
}

// ---- orders

const BLOCKS: Readonly<Record<string, string>> = {
  right: "right and down",
  down: "left and down",
  left: "left and up",
  up: "right and up",
};

/** Where the block of a building lies, seen from its core. */
export const blockWords = (direction: string | null): string => BLOCKS[direction ?? "right"] ?? "right and down";

const LABELS: Readonly<Record<string, string>> = { move: "Move", mine: "Mine", work: "Work", build: "Build" };

/** "Move right", "Mine". */
export function deedWords(deed: Deed): string {
  const [word = "", direction] = deed.split(" ");
  return `${LABELS[word] ?? name(word)}${direction && word === "move" ? ` ${direction}` : ""}`;
}

export function orderWords(order: Order): OrderWords {
  const here = `${order.x},${order.y}`;
  if (order.order === "move") {
    const to = destination(order.x, order.y, order.direction);
    return { text: `${here} → ${to}`, spoken: `${unitsWords(order.number)} move from ${here} to ${to}` };
  }
  if (order.order === "build") {
    const block = order.direction === null ? "" : blockWords(order.direction);
    const spoken = `${unitsWords(order.number)} build on ${here}${block && `, block ${block}`}`;
    return { text: `Build ${here}`, aside: block, spoken };
  }
  return { text: `${LABELS[order.order]} ${here}`, spoken: `${unitsWords(order.number)} ${order.order} on ${here}` };
}

function destination(x: number, y: number, direction: string): string {
  const grid: Grid = { width: 1 << 20, height: 1 << 20 };
  const there = beside(grid, y * grid.width + x, direction);
  return there === null ? direction : placeOf(grid, there).join(",");
}

export const shareWords = (share: Share): string => (typeof share === "number" ? `${share} of each` : share === "half" ? "half" : "all");

// ---- what a click would do

/** What a deed would order: "8 units move to 6,5. Blue has 12 there." */
export function wishWords(position: Position, wish: Wish, you: string | null): Status {
  const { order, tile, option, anew } = wish;
  const here = nameOf(position, tile);
  const change = anew ? " in place of what is ordered" : "";
  if (order.order !== "move") {
    const does = order.order === "mine" ? "mine" : order.order === "work" ? "work" : "build";
    return { seat: you, subject: `${here}.`, text: `${unitsWords(order.number)} ${does}${change}.` };
  }
  const there = beside(position, tile, order.direction)!;
  const met = [holder(position, there, you), buildingWords(position, there, you)].filter((said) => said && said !== "nobody");
  const needs = figuresOf(option).needs;
  const core = needs === undefined ? "" : ` ${needs} must arrive to destroy it.`;
  return {
    seat: you,
    subject: `${here} to ${nameOf(position, there)}.`,
    text: `${unitsWords(order.number)} move${order.number === 1 ? "s" : ""}${change}. ${met.length ? `There: ${met.join(", ")}.` : "Nobody is there."}${core}`,
  };
}

const DOES: Readonly<Record<string, readonly [string, string]>> = {
  move: ["moves", "move"],
  mine: ["mines", "mine"],
  work: ["works", "work"],
  build: ["builds", "build"],
};

/** What was just ordered: "12 tiles: 48 units move right. 3 tiles cannot." */
export function givenWords(position: Position, given: readonly Wish[], chosen: number, you: string | null): Status {
  const { order, tile } = given[0]!;
  const units = given.reduce((sum, wish) => sum + wish.order.number, 0);
  const where = given.length === 1 ? nameOf(position, tile) : count(given.length, "tile");
  const way = order.order === "move" ? ` ${order.direction}` : "";
  const cannot = chosen > given.length ? ` ${count(chosen - given.length, "tile")} cannot.` : "";
  const does = DOES[order.order]![units === 1 ? 0 : 1];
  return { seat: you, subject: "Ordered.", text: `${where}: ${unitsWords(units)} ${does}${way}.${cannot}` };
}

/** Why mining or working on some tiles would be for nothing. */
export function idleWords(position: Position, deed: Deed, tiles: readonly number[]): Status {
  const where = tiles.length === 1 ? nameOf(position, tiles[0]!) : count(tiles.length, "tile");
  if (deed === "work") return { refused: true, subject: `${where}.`, text: "More workers would do nothing there.", rule: "6.3" };
  const left = tiles.some((tile) => position.ore[tile]! > 0);
  const text = left ? "What ore is there is being mined already." : "There is no ore.";
  return { refused: true, subject: `${where}.`, text, rule: "7.1" };
}

export const ALL_ORDERED: Status = { text: "All units have an order. Choose a tile to order anew." };

export const backWords = (lines: number, you: string | null): Status => ({
  seat: you,
  subject: "Taken back.",
  text: `${count(lines, "order")}.`,
});

/** The deeds that are possible, for the status line: "move up, right, left; mine; build". */
export function deedsWords(deeds: readonly Deed[]): string {
  const ways = deeds.filter((deed) => deed.startsWith("move ")).map((deed) => deed.slice(5));
  const rest = ["mine", "build", "work"].filter((word) => deeds.some((deed) => deed === word || deed.startsWith(`${word} `)));
  return list([...(ways.length ? [`move ${ways.join(", ")}`] : []), ...rest]);
}

// ---- the whole

/** The board as a whole, for screen readers. */
export function boardName(setting: Setting, view: View): string {
  const seats = setting.seats.map((seat) => {
    const has = holdingOf(view, seat);
    return `${name(seat)} ${unitsWords(has.units)} on ${count(has.tiles, "tile")}, ${count(has.buildings, "building")}`;
  });
  return `Board of ${setting.width} by ${setting.height} tiles. ${seats.join("; ")}. Arrows move, Enter chooses, digits and comma go to a tile.`;
}

/** Whether a player is out or has forfeited. */
export function fateOf(view: View, seat: string): string {
  if (seat in view.forfeited) return `forfeited on turn ${view.forfeited[seat]}`;
  return seat in view.out ? `out on turn ${view.out[seat]}` : "";
}
