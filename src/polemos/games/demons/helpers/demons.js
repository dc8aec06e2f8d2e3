// Helpers for Demons: the map, lanes and ranges, what is where, and orders. Needs nothing but Node.js.
//
//   const { Board, buildOrder } = require("./demons.js");
//
//   board = new Board(message.setting, message.seat); // once, from hello
//   board.update(message.view); // each turn
//   if (board.gold >= board.price("house")) say({ type: "order", order: buildOrder("house", board.sites()[0]) });
//
// A tile is a pair [x, y], a direction "N", "E", "S" or "W". Numbers in brackets are paragraphs of the rule book.
"use strict";

const STEPS = { N: [0, -1], E: [1, 0], S: [0, 1], W: [-1, 0] }; // (1.2)
const GROUND = { ".": "abyss", r: "red", p: "red", b: "blue", q: "blue", R: "base", B: "base" }; // (1.1)

// The board as it is now.
class Board {
  #lanes = new Map(); // "x,y" to the lane of a tile and its place there
  #towers = new Map();
  #units = new Map();
  #view = null;

  constructor(setting, seat) {
    this.setting = setting;
    this.seat = seat;
    this.gold = 0; // mine
    setting.lanes.forEach((tiles, lane) => {
      tiles.forEach((tile, place) => this.#lanes.set(tile.join(), { lane, place }));
    });
  }

  // Reads the view of this turn.
  update(view) {
    this.#view = view;
    this.gold = view.bases[this.seat].gold;
    this.#towers = new Map(view.towers.map((tower) => [`${tower.x},${tower.y}`, tower]));
    this.#units = new Map(view.units.map((unit) => [`${unit.x},${unit.y}`, unit]));
  }

  // ---- the map

  // What a square is: "red" or "blue" territory, "path", "base" or "abyss" (1.1).
  ground([x, y]) {
    return GROUND[this.setting.rows[y]?.[x] ?? "."] ?? "path";
  }

  // The tiles next to this one, by direction, without the abyss (1.2).
  neighbours([x, y]) {
    const near = Object.entries(STEPS).map(([way, [dx, dy]]) => [way, [x + dx, y + dy]]);
    return Object.fromEntries(near.filter(([, there]) => this.ground(there) !== "abyss"));
  }

  // Squares along rows and columns, as the range of towers counts (8.3). For lanes see `laneSteps`.
  distance([ax, ay], [bx, by]) {
    return Math.abs(ax - bx) + Math.abs(ay - by);
  }

  // Whether a tower of this kind on one tile has another in its range, under the rules of this match (8.3).
  reaches(kind, [ax, ay], [bx, by]) {
    const covered = this.setting.guide.covers[kind] ?? [];
    return covered.some(([dx, dy]) => ax + dx === bx && ay + dy === by);
  }

  // The number of the lane on which a tile lies, as red counts them (1.8), or null.
  lane(tile) {
    return this.#lanes.get(tile.join())?.lane ?? null;
  }

  // The number of steps along the lane from a tile to a player's base (1.4), or null.
  laneSteps(tile, player) {
    const found = this.#lanes.get(tile.join());
    if (!found) return null;
    return player === "red" ? found.place + 1 : this.setting.lanes[found.lane].length - found.place;
  }

  // ---- what is where

  // The tower on a tile: its kind, owner and cooldown; or null.
  tower(tile) {
    const found = this.#towers.get(tile.join());
    return found ? { kind: found.kind, owner: found.owner, cooldown: found.cooldown } : null;
  }

  // The unit on a tile: its kind, side, health and damage; or null. The side of a demon is its target.
  unit(tile) {
    const found = this.#units.get(tile.join());
    return found ? { kind: found.kind, side: found.side, health: found.health, damage: found.damage } : null;
  }

  // The tiles with towers of a player.
  towers(owner) {
    return this.#view.towers.filter((tower) => tower.owner === owner).map(({ x, y }) => [x, y]);
  }

  // The tiles with mercenaries of a player.
  mercenaries(owner) {
    return this.#tiles("mercenary", owner);
  }

  // The tiles with demons on their way to a player's base.
  demons(target) {
    return this.#tiles("demon", target);
  }

  #tiles(kind, side) {
    return this.#view.units.filter((unit) => unit.kind === kind && unit.side === side).map(({ x, y }) => [x, y]);
  }

  // The tiles on which you can build: your territory without towers (3.3, 3.4), row by row.
  sites() {
    const tiles = this.setting.rows.flatMap((row, y) => [...row].map((_, x) => [x, y]));
    return tiles.filter((tile) => this.ground(tile) === this.seat && !this.#towers.has(tile.join()));
  }

  // The directions in which you can send mercenaries (4.2).
  exits() {
    return Object.keys(STEPS).filter((way) => way in this.#view.bases[this.seat].queued);
  }

  // What a tower costs you now (8.1, 11.4).
  price(kind) {
    return this.#view.prices[this.seat][kind];
  }
}

// ---- orders

// Builds a tower: house, crossbow, cannon, minigun; church under the rules of the finals (3.2).
const buildOrder = (kind, [x, y]) => `build ${kind} ${x},${y}`;

// Destroys one of your towers (3.7).
const destroyOrder = ([x, y]) => `destroy ${x},${y}`;

// Hires a mercenary and sends it this way (4.1).
const hireOrder = (direction) => `hire ${direction}`;

// Provokes the demons, under the rules of the finals (11.10).
const provokeOrder = () => "provoke";

module.exports = { Board, buildOrder, destroyOrder, hireOrder, provokeOrder };
