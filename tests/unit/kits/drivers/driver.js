// Answers questions about a game with its helper in JavaScript: `node driver.js FILE`, with lines as in helping.py.
"use strict";

const helper = require(process.argv[2]);
let board = null;

function answer(asked) {
  if (!Array.isArray(asked)) {
    board = new helper.Board(asked.setting, asked.seat);
    board.update(asked.view);
    return;
  }
  const [name, ...rest] = asked;
  const called = name.replace(/_./g, (part) => part[1].toUpperCase());
  const found = called in helper ? helper[called] : board[called];
  const value = typeof found === "function" ? found.apply(board, rest) : found;
  const thing = ["building", "tower", "unit"].includes(name) && value; // its fields, in their order
  console.log(JSON.stringify(thing ? Object.values(thing) : value));
}

require("node:fs").readFileSync(0, "utf8").split("\n").filter(Boolean).forEach((line) => answer(JSON.parse(line)));
