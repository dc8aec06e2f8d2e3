// A starter bot. It plays every game in Polemos by choosing legal orders at random.
//
// The umpire writes one JSON object per line to our standard input, and we answer with one JSON object per line on
// standard output. Anything we write to standard error (console.error) goes to our log.
"use strict";

const MAX_ORDERS = 40; // in one turn
const ENOUGH = 0.1; // the chance to stop before each order

// Math.random cannot be seeded, so here is a generator that can ("mulberry32"): numbers from 0 to just below 1.
function diceFrom(seed) {
  let state = Math.floor(seed / 2 ** 32) ^ (seed % 2 ** 32);
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

let dice = diceFrom(0);
let given = 0; // orders in this turn

const below = (number) => Math.floor(dice() * number); // 0 to number - 1
const say = (message) => console.log(JSON.stringify(message));

// The order to give next, or null to end the turn. This is where to add your strategy.
function choose(options) {
  options = options.filter((option) => option.order.order !== "resign");
  if (options.length === 0 || dice() < ENOUGH) return null;
  const option = options[below(options.length)];
  const order = option.order;
  // Some orders have a number that we can choose. (`!= null`: neither null nor missing.)
  if (option.least != null) order.number = option.least + below(option.most - option.least + 1);
  return order;
}

function answer(message) {
  if (message.type === "hello") {
    // Once: our seat, and everything that never changes in this match. The same seed gives the same game.
    dice = diceFrom(message.seed);
    say({ type: "ready", protocol: 1, name: "__NAME__", options: true });
  } else if (message.type === "view" || message.type === "update") {
    if (message.type === "view") given = 0; // a new turn; message.view is all that we may know
    const fault = message.fault; // an update says so if our last order was refused
    if (fault) console.error("refused:", fault.why);
    const order = fault || given === MAX_ORDERS ? null : choose(message.options || []);
    if (order === null) {
      say({ type: "end" });
    } else {
      given += 1;
      say({ type: "order", order });
    }
  } else if (message.type === "result") {
    process.exit(0);
  }
}

// Calls `answer` for every line. When standard input ends, so does the program.
require("node:readline")
  .createInterface({ input: process.stdin })
  .on("line", (line) => answer(JSON.parse(line)));
