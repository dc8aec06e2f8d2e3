// Helpers for Monad: the map, distances, who is where, and orders. Needs nothing but Node.js.
//
//   const { Board, moveOrder } = require("./monad.js");
//
//   board = new Board(message.setting, message.seat); // once, from hello
//   board.update(message.view); // each turn
//   for (const tile of board.stacks(board.seat)) {
//     const [direction] = board.towards(tile, [4, 7]);
//     if (direction) say({ type: "order", order: moveOrder(tile, direction, board.units(tile)) });
//   }
//
// A tile is a pair [x, y], a direction "up", "right", "down" or "left". Numbers in brackets are paragraphs of the rule
// book.
"use strict";

const STEPS = { up: [0, -1], right: [1, 0], down: [0, 1], left: [-1, 0] }; // (1.2)
// Where the block of a building lies, seen from its core (5.2).
const BLOCKS = { up: [1, -1], right: [1, 1], down: [-1, 1], left: [-1, -1] };

// The whole board as it is now.
class Board {
  #places = new Map(); // "x,y" to what is there
  #fields = new Map(); // target to distances, worked out once per target
  #view = { stacks: [], buildings: [] };

  constructor(setting, seat) {
    this.setting = setting;
    this.seat = seat;
    this.stock = 0; // mine
  }

  // Reads the view of this turn.
  update(view) {
    this.#view = view;
    this.stock = view.stock[this.seat];
    this.#places = new Map();
    for (const { x, y, left } of view.ore) this.#at([x, y]).left = left;
    for (const stack of view.stacks) this.#at([stack.x, stack.y]).stack = stack;
    for (const building of view.buildings) {
      const core = [building.x, building.y];
      this.#at(core).building = building;
      for (const tile of block(core, building.direction)) this.#at(tile).covered = true;
    }
  }

  #at(tile) {
    const key = tile.join();
    if (!this.#places.has(key)) this.#places.set(key, {});
    return this.#places.get(key);
  }

  #seen(tile) {
    return this.#places.get(tile.join()) ?? {};
  }

  // ---- the map

  // Whether nobody can enter a tile: it is blocked (1.4) or not on the board.
  blocked([x, y]) {
    return !(this.setting.ore[y]?.[x] >= 0);
  }

  // The tiles that a unit can enter from here, by direction (1.2, 4.1).
  neighbours([x, y]) {
    const near = Object.entries(STEPS).map(([way, [dx, dy]]) => [way, [x + dx, y + dy]]);
    return Object.fromEntries(near.filter(([, there]) => !this.blocked(there)));
  }

  // The number of moves from tile to tile, around blocked tiles; null if there is no way.
  distance(start, target) {
    return this.#field(target).get(start.join()) ?? null;
  }

  // Every direction that begins a shortest way; empty if there is none, or if you are there.
  towards(start, target) {
    const here = this.distance(start, target);
    const near = here === null ? [] : Object.entries(this.neighbours(start));
    return near.filter(([, there]) => this.distance(there, target) === here - 1).map(([way]) => way);
  }

  #field(target) {
    const key = target.join();
    if (!this.#fields.has(key)) {
      const field = new Map(this.blocked(target) ? [] : [[key, 0]]);
      const queue = this.blocked(target) ? [] : [target];
      for (const tile of queue) {
        for (const there of Object.values(this.neighbours(tile))) {
          if (field.has(there.join())) continue;
          field.set(there.join(), field.get(tile.join()) + 1);
          queue.push(there);
        }
      }
      this.#fields.set(key, field);
    }
    return this.#fields.get(key);
  }

  // ---- what is where

  // Whose units stand on a tile, or null.
  owner(tile) {
    return this.#seen(tile).stack?.owner ?? null;
  }

  // How many units stand on a tile, whoever owns them.
  units(tile) {
    return this.#seen(tile).stack?.units ?? 0;
  }

  // How much ore is left on a tile.
  ore(tile) {
    return this.blocked(tile) ? 0 : this.#seen(tile).left ?? this.setting.ore[tile[1]][tile[0]];
  }

  // The tiles with units of a player, in reading order.
  stacks(owner) {
    return this.#view.stacks.filter((stack) => stack.owner === owner).map(({ x, y }) => [x, y]);
  }

  // The building whose core is on this tile (5.1): its owner, direction and points; or null.
  building(tile) {
    const found = this.#seen(tile).building;
    return found ? { owner: found.owner, direction: found.direction, points: found.points } : null;
  }

  // The cores of a player's buildings, in reading order.
  cores(owner) {
    return this.#view.buildings.filter((building) => building.owner === owner).map(({ x, y }) => [x, y]);
  }

  // Whether a tile is part of a building.
  covered(tile) {
    return this.#seen(tile).covered ?? false;
  }

  // The directions in which a building has room here (5.3). Whether you can pay for it is another question.
  sites(core) {
    const room = (way) => block(core, way).every((tile) => !this.blocked(tile) && !this.covered(tile));
    return Object.keys(BLOCKS).filter(room);
  }
}

// The four tiles of a building, the core first (5.2).
function block([x, y], direction) {
  const [dx, dy] = BLOCKS[direction];
  return [[x, y], [x + dx, y], [x, y + dy], [x + dx, y + dy]];
}

// ---- orders

// Units go one step (4.1).
const moveOrder = ([x, y], direction, number) => `move ${x},${y} ${direction} ${number}`;

// Units found a building (5).
const buildOrder = ([x, y], direction, number = 1) => `build ${x},${y} ${direction} ${number}`;

// Units work in your building; 5 count (6.1, 6.3).
const workOrder = ([x, y], number) => `work ${x},${y} ${number}`;

// Units mine, 1 ore each (7.1).
const mineOrder = ([x, y], number) => `mine ${x},${y} ${number}`;

module.exports = { Board, block, moveOrder, buildOrder, workOrder, mineOrder };
