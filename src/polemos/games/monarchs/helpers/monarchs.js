// Helpers for Monarchs: the map, distances, who is where, and orders. Needs nothing but Node.js.
//
//   const { Board, marchOrder } = require("./monarchs.js");
//
//   board = new Board(message.setting, message.seat); // once, from hello
//   board.update(message.view); // each turn
//   for (const hex of board.armies(board.seat)) {
//     const [target] = board.towards(hex, board.centre);
//     if (target) say({ type: "order", order: marchOrder(hex, target, board.regiments(hex)) });
//   }
//
// A hex is its name, such as "G5". Numbers in brackets are paragraphs of the rule book.
"use strict";

// The board as far as it is in sight.
class Board {
  #seen = {};

  constructor(setting, seat) {
    this.setting = setting;
    this.seat = seat;
    this.centre = setting.centre;
  }

  // Reads the view of this turn.
  update(view) {
    this.#seen = view.hexes;
  }

  // ---- the map

  // All 61 hexes, row by row from the top (1.1).
  hexes() {
    return Object.keys(this.setting.hexes);
  }

  // The hexes next to this one (1.2).
  neighbours(hex) {
    return [...this.setting.hexes[hex]];
  }

  // The home base of a nation (1.3).
  base(nation) {
    return this.setting.bases[nation];
  }

  // The number of steps between two hexes (1.2). Nothing is in the way of an army.
  distance(a, b) {
    const columns = Math.abs(a.charCodeAt(0) - b.charCodeAt(0));
    const rows = Math.abs(Number(a[1]) - Number(b[1]));
    return rows + Math.max(0, columns - rows) / 2;
  }

  // The neighbours that are one step nearer to the target; empty if you are there.
  towards(start, target) {
    const nearer = this.distance(start, target) - 1;
    return this.neighbours(start).filter((hex) => this.distance(hex, target) === nearer);
  }

  // ---- what is where

  // Whether a hex is in sight (9.1).
  seen(hex) {
    return hex in this.#seen;
  }

  // The owner of a hex; null if it is unclaimed or out of sight.
  owner(hex) {
    return this.#seen[hex]?.owner ?? null;
  }

  // The regiments on a hex, all of its owner; 0 if it is out of sight.
  regiments(hex) {
    return this.#seen[hex]?.regiments ?? 0;
  }

  // The hexes in sight that a nation owns.
  land(nation) {
    return Object.keys(this.#seen).filter((hex) => this.owner(hex) === nation);
  }

  // The hexes in sight with regiments of a nation.
  armies(nation) {
    return this.land(nation).filter((hex) => this.regiments(hex) > 0);
  }
}

// ---- orders

// Regiments go to a neighbouring hex (3.2).
const marchOrder = (start, target, number) => `${start}-${target} ${number}`;

// Your army fights better on this hex, this turn (3.7).
const blessOrder = (hex) => `bless ${hex}`;

module.exports = { Board, marchOrder, blessOrder };
