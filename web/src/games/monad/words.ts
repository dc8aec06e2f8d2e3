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

export const unitsWords = (value: number): string => `${number(value)} ${value === 1 ? "unit" : "units"}`;

const mine = (you: string | null, owner: string): string => (owner === you ? "yours" : name(owner));

// ---- tiles

/** What is on a tile: "Red, 118 units", "empty", "blocked". */
export function holder({ stacks, ore }: Position, tile: number, you: string | null): string {
  const stack = stacks[tile];
  if (ore[tile] === BLOCKED) return "blocked";
  return stack ? `${mine(you, stack.owner)}, ${unitsWords(stack.units)}` : "empty";
}

/** The building on a tile: "core of your building, 3 of 5 points"; empty if there is none. */
export function buildingWords(position: Position, tile: number, you: string | null): string {
  const building = position.cover[tile];
  if (!building) return "";
  const whose = building.owner === you ? "your building" : `${name(building.owner)}'s building`;
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

/** A tile with nothing selected. */
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

/** Where the other tiles of a building are, seen from its core. */
export const blockWords = (direction: string | null): string => BLOCKS[direction ?? "right"] ?? "right and down";

const LABELS: Readonly<Record<string, string>> = { move: "Move", mine: "Mine", work: "Work", build: "Build" };

/** "Move right", "Mine". */
export function deedWords(deed: Deed): string {
  const [word = "", direction] = deed.split(" ");
  return `${LABELS[word] ?? name(word)}${direction && word === "move" ? ` ${direction}` : ""}`;
}

/** The verb that agrees with the number of units: "1 unit moves", "2 units move". */
const does = ({ order, number }: Pick<Order, "order" | "number">): string => (number === 1 ? `${order}s` : order);

export function orderWords(order: Order): OrderWords {
  const here = `${order.x},${order.y}`;
  if (order.order === "move") {
    const to = destination(order.x, order.y, order.direction);
    return { text: `${here} → ${to}`, spoken: `${unitsWords(order.number)} ${does(order)} from ${here} to ${to}` };
  }
  if (order.order === "build") {
    const block = order.direction === null ? "" : blockWords(order.direction);
    const spoken = `${unitsWords(order.number)} ${does(order)} on ${here}${block && `, extending ${block}`}`;
    return { text: `Build ${here}`, aside: block, spoken };
  }
  return { text: `${LABELS[order.order]} ${here}`, spoken: `${unitsWords(order.number)} ${does(order)} on ${here}` };
}

function destination(x: number, y: number, direction: string): string {
  const grid: Grid = { width: 1 << 20, height: 1 << 20 };
  const there = beside(grid, y * grid.width + x, direction);
  return there === null ? direction : placeOf(grid, there).join(",");
}

export const shareWords = (share: Share): string => (typeof share === "number" ? `${share} of each` : share === "half" ? "half" : "all");

// ---- what a click would do

/** What an action would order: "8 units move. 6,5 holds: Blue, 12 units." */
export function wishWords(position: Position, wish: Wish, you: string | null): Status {
  const { order, tile, option, anew } = wish;
  const here = nameOf(position, tile);
  const change = anew ? ", replacing their orders" : "";
  if (order.order !== "move") {
    return { seat: you, subject: `${here}.`, text: `${unitsWords(order.number)} ${does(order)}${change}.` };
  }
  const there = beside(position, tile, order.direction)!;
  const met = [holder(position, there, you), buildingWords(position, there, you)].filter((said) => said && said !== "empty");
  const needs = figuresOf(option).needs;
  const core = needs === undefined ? "" : ` To destroy it, ${needs} must arrive.`;
  return {
    seat: you,
    subject: `${here} to ${nameOf(position, there)}.`,
    text: `${unitsWords(order.number)} ${does(order)}${change}. ${met.length ? `There: ${met.join(", ")}.` : "Nobody is there."}${core}`,
  };
}

/** What was just ordered: "12 tiles: 48 units move right. Not possible on 3 tiles." */
export function givenWords(position: Position, given: readonly Wish[], chosen: number, you: string | null): Status {
  const { order, tile } = given[0]!;
  const units = given.reduce((sum, wish) => sum + wish.order.number, 0);
  const where = given.length === 1 ? nameOf(position, tile) : count(given.length, "tile");
  const way = order.order === "move" ? ` ${order.direction}` : "";
  const cannot = chosen > given.length ? ` Not possible on ${count(chosen - given.length, "tile")}.` : "";
  const verb = does({ order: order.order, number: units });
  return { seat: you, subject: "Ordered.", text: `${where}: ${unitsWords(units)} ${verb}${way}.${cannot}` };
}

/** Why mining or working on some tiles would be pointless. */
export function idleWords(position: Position, deed: Deed, tiles: readonly number[]): Status {
  const where = tiles.length === 1 ? nameOf(position, tiles[0]!) : count(tiles.length, "tile");
  if (deed === "work") return { refused: true, subject: `${where}.`, text: "More workers would make no difference there.", rule: "6.3" };
  const left = tiles.some((tile) => position.ore[tile]! > 0);
  const text = left ? "All the ore there is already being mined." : "There is no ore there.";
  return { refused: true, subject: `${where}.`, text, rule: "7.1" };
}

export const ALL_ORDERED: Status = { text: "All your units have orders. Select a tile to change them." };

export const backWords = (lines: number, you: string | null): Status => ({
  seat: you,
  subject: "Cancelled.",
  text: `${count(lines, "order")} removed.`,
});

/** The possible actions, for the status line: "move up, right, left, mine and build". */
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
  return `Board of ${setting.width} by ${setting.height} tiles. ${seats.join("; ")}. Use the arrow keys to move, Enter to select, and digits with a comma to go to a tile.`;
}

/** Whether a player is out or has forfeited. */
export function fateOf(view: View, seat: string): string {
  if (seat in view.forfeited) return `forfeited in turn ${view.forfeited[seat]}`;
  return seat in view.out ? `out in turn ${view.out[seat]}` : "";
}
