// Helpers for Minions: the maps, distances, what is where, and orders. Needs nothing but Node.js.
//
//   const { Board, moveOrder } = require("./minions.js");
//
//   board = new Board(message.setting, message.seat); // once, from hello
//   board.update(message.view); // each turn, and whenever an update has a view
//   for (const hex of board.units(1, board.seat)) {
//     const [target] = board.moves(1, hex);
//     if (target) say({ type: "order", order: moveOrder(1, hex, target) });
//   }
//
// Boards are numbered from 1. A hex is its name, such as "c2". Numbers in brackets are paragraphs of the rule book.
"use strict";

const STEPS = [[-1, 0], [1, 0], [0, 1], [-1, 1], [0, -1], [1, -1]]; // (1.2)
const FILES = "abcdefghij";
const HEXES = [..."0123456789"].flatMap((rank) => [...FILES].map((file) => file + rank));

const point = (hex) => [FILES.indexOf(hex[0]), Number(hex[1])];

// The 100 hexes of a map (15.1).
function read(rows) {
  const signs = [...rows.replaceAll("/", "")];
  const found = signs.flatMap((sign) => {
    if (sign === "G") return ["graveyard"];
    return sign === "W" ? ["water"] : Array(Number(sign) || 10).fill("plain");
  });
  return new Map(HEXES.map((hex, at) => [hex, found[at]]));
}

// All boards of the match as they are now.
class Board {
  #grounds;
  #units = []; // of each board, hex to unit
  #view = null;

  constructor(setting, seat) {
    this.setting = setting;
    this.seat = seat;
    this.#grounds = setting.maps.map(read);
  }

  // Reads the view of this turn.
  update(view) {
    this.#view = view;
    this.#units = view.boards.map((board) => new Map(board.units.map((unit) => [unit.hex, this.#unit(unit)])));
  }

  // The figures of a type (3.1). A necromancer and a unit may share a name.
  #facts(type, necromancer = false) {
    return this.setting[necromancer ? "necromancers" : "units"].find((facts) => facts.name === type);
  }

  #unit({ side, type, letter, damage = 0, used = 0, moved = false, fresh = false }) {
    const { speed, range, keywords } = this.#facts(type, letter === "N");
    const [flying, spawn] = [keywords.includes("Flying"), keywords.includes("Spawn")];
    return { side, type, letter, damage, speed, range, flying, spawn, fresh, done: fresh || moved || used > 0 };
  }

  // ---- the map

  // What a hex is: "plain", "graveyard" or "water" (1.4).
  ground(board, hex) {
    return this.#grounds[board - 1].get(hex);
  }

  // The graveyards of a board, rank by rank.
  graveyards(board) {
    return HEXES.filter((hex) => this.ground(board, hex) === "graveyard");
  }

  // The hexes next to this one (1.2).
  neighbours(hex) {
    const [x, y] = point(hex);
    const near = STEPS.map(([dx, dy]) => [x + dx, y + dy]).filter(([x, y]) => x >= 0 && x < 10 && y >= 0 && y < 10);
    return near.map(([x, y]) => FILES[x] + y);
  }

  // The distance between two hexes, whatever lies between them (1.3).
  distance(a, b) {
    const [[ax, ay], [bx, by]] = [point(a), point(b)];
    return Math.max(Math.abs(ax - bx), Math.abs(ay - by), Math.abs(ax - bx + ay - by));
  }

  // The steps of the unit on `start` to another hex, around water and enemies, or over them if it flies; null without a
  // way. Its speed does not count here, and friends never block (5.9, 7.1).
  walk(board, start, target) {
    return this.#walks(board, start).get(target) ?? null;
  }

  // The empty hexes to which the unit on `hex` can move now, rank by rank (5).
  moves(board, hex) {
    const unit = this.unit(board, hex);
    const { due, closed, resigned, state } = this.#view.boards[board - 1];
    if (!unit || unit.done || due || closed || resigned || state === "reset+0") return [];
    if (unit.side !== this.#view.side) return [];
    const walks = this.#walks(board, hex);
    return HEXES.filter((to) => !this.unit(board, to) && walks.has(to) && walks.get(to) <= unit.speed);
  }

  #walks(board, start) {
    const unit = this.unit(board, start);
    if (!unit) return new Map();
    if (unit.flying) return new Map(HEXES.map((hex) => [hex, this.distance(start, hex)]));
    const found = new Map([[start, 0]]);
    for (const [here, steps] of found) {
      for (const hex of this.neighbours(here)) {
        const enemy = this.unit(board, hex) && this.unit(board, hex).side !== unit.side;
        if (!found.has(hex) && !enemy && this.ground(board, hex) !== "water") found.set(hex, steps + 1);
      }
    }
    return found;
  }

  // ---- what is where

  // The state of a board: "turn1", "normal", "reset+0", "reset+1" or "reset+2" (10.1).
  state(board) {
    return this.#view.boards[board - 1].state;
  }

  // The unit on a hex, or null: its side, type, letter (N for necromancers), damage, speed and range; whether it is
  // flying, has Spawn, is fresh (spawned this turn) or done (cannot move this turn).
  unit(board, hex) {
    return this.#units[board - 1].get(hex) ?? null;
  }

  // The hexes with units of a side, rank by rank.
  units(board, side) {
    return [...this.#units[board - 1].keys()].filter((hex) => this.unit(board, hex).side === side);
  }

  // The hexes with enemies in range of the unit on `hex` (6.2).
  targets(board, hex) {
    const unit = this.unit(board, hex);
    if (!unit) return [];
    const enemies = this.units(board, unit.side === "yellow" ? "blue" : "yellow");
    return enemies.filter((there) => this.distance(hex, there) <= unit.range);
  }

  // The hexes on which you can spawn a unit of a type, rank by rank (9.5 to 9.8). Whether you have such a unit, and a
  // spawn phase on this board, is another question.
  spawns(board, type) {
    const flying = this.#facts(type).keywords.includes("Flying");
    const spawner = ({ spawn, fresh }) => spawn && !fresh;
    const own = this.units(board, this.seat).filter((hex) => spawner(this.unit(board, hex)));
    const near = new Set(own.flatMap((hex) => this.neighbours(hex)));
    const fits = (hex) => !this.unit(board, hex) && (flying || this.ground(board, hex) !== "water");
    return HEXES.filter((hex) => near.has(hex) && fits(hex));
  }

  // How many units of a type, such as "Zombie", wait in a side's zone (2.4).
  inZone(board, side, type) {
    return this.#view.boards[board - 1].zones[side][type] ?? 0;
  }

  // What a side has in its purse (2.5).
  money(side) {
    return this.#view.money[side];
  }
}

// ---- orders

// Moves one unit (5).
const moveOrder = (board, start, target) => `${board} move ${start}-${target}`;

// Moves several units at once, so that they can change places (5.10): pairs of [start, target].
const tickOrder = (board, moves) => `${board} tick ${moves.map((move) => move.join("-")).join(" ")}`;

// The unit on one hex attacks the one on another (6).
const attackOrder = (board, start, target) => `${board} attack ${start}-${target}`;

// Buys a unit, named by its letter or its name (9.3).
const buyOrder = (board, unit) => `${board} buy ${unit}`;

// Spawns a unit of the zone (9.4).
const spawnOrder = (board, unit, hex) => `${board} spawn ${unit} ${hex}`;

// Chooses a necromancer and the unit of the zone to keep (10.7, 10.10).
const chooseOrder = (board, necromancer, keep) => `${board} choose ${necromancer} keep ${keep}`;

// Gives up a board (13.1).
const resignOrder = (board) => `${board} resign`;

// Puts a spell under the first card where you have none (8.4).
const marchOrder = () => "march";

// Puts a second spell under a card; places count from 1 (8.5).
const techOrder = (card) => `tech ${card}`;

// Ends the turn (4.8).
const endOrder = () => "end";

module.exports = {
  Board,
  moveOrder,
  tickOrder,
  attackOrder,
  buyOrder,
  spawnOrder,
  chooseOrder,
  resignOrder,
  marchOrder,
  techOrder,
  endOrder,
};
