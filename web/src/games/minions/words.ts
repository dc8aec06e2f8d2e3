// Sentences about hexes, units and orders: status line, unit card, screen readers, sheet.

import type { OrderWords, Status } from "../contract";
import type { Alert, Option } from "../../wire";
import { count, list, name } from "../../lib/words";
import type { Deed } from "./deeds";
import { groundOf } from "./geometry";
import type { Choices } from "./sheet";
import type { BoardView, Order, Setting, TypeFacts, Unit, View } from "./wire";

export const other = (side: string): string => (side === "yellow" ? "blue" : "yellow");

/** The side whose spells are shown below the cards: your own, or Yellow's if you only watch. */
export const ownSide = (you: string | null): string => you ?? "yellow";

export function factsOf(setting: Setting, unit: Pick<Unit, "type" | "letter">): TypeFacts | null {
  const rows = unit.letter === "N" ? setting.necromancers : setting.units;
  return rows.find((row) => row.name === unit.type) ?? null;
}

/** The letter of a unit, also where only its type is known: events name types only. */
export const letterOf = (setting: Setting, unit: Pick<Unit, "type" | "letter">): string =>
  unit.letter || (setting.units.find((row) => row.name === unit.type)?.letter ?? unit.type.charAt(0));

export const byLetter = (setting: Setting, letter: string): TypeFacts | null => setting.units.find((row) => row.letter === letter) ?? null;
export const byName = (setting: Setting, named: string): TypeFacts | null => setting.units.find((row) => row.name === named) ?? null;

export const called = (unit: Pick<Unit, "type" | "letter">): string => (unit.letter === "N" ? `${unit.type} necromancer` : unit.type);

export const boardName = (setting: Setting, number: number): string => setting.names[number - 1] || `Board ${number}`;

export const unitOn = (board: BoardView | undefined, hex: string): Unit | undefined => board?.units.find((unit) => unit.hex === hex);

/** What is left of a damaged unit's defence; null if it is undamaged. */
export function leftOf(setting: Setting, unit: Unit): number | null {
  const facts = factsOf(setting, unit);
  return unit.damage && facts ? facts.defence - unit.damage : null;
}

/** Whether a unit has acted. For your own units in your turn, the options say whether it can do more. */
export const acted = (unit: Unit): boolean => Boolean(unit.moved || unit.used || unit.fresh);

export function yardsHeld(setting: Setting, board: BoardView, side: string): number {
  const ground = groundOf(setting.maps[board.number - 1] ?? "");
  return board.units.filter((unit) => unit.side === side && ground.get(unit.hex) === "graveyard").length;
}

export const incomeOf = (view: View, side: string): number => view.boards.reduce((sum, board) => sum + (board.income[side] ?? 0), 0);

/** The alert about a board, if there is one. */
export function alertOn(alerts: readonly Alert[], board: number): Alert | null {
  const where = `board ${board}`;
  return alerts.find((alert) => alert.where === where || alert.where?.startsWith(`${where} `)) ?? null;
}

/** The alert about the unit on a hex: its triangle on the board. */
export const dangerOn = (alerts: readonly Alert[], board: number, hex: string): Alert | null =>
  alerts.find((alert) => alert.where === `board ${board} ${hex}`) ?? null;

// ---- figures

export function attackFigure(facts: TypeFacts): string {
  if (!facts.range) return "–";
  if (facts.attack === "flurry") return `${facts.number}×1`;
  if (facts.attack === "unsummon") return `${facts.number} back`;
  return facts.attack === "deathtouch" ? "kill" : String(facts.number);
}

/** The figures in one short sentence; the card says more. */
export function figureWords(facts: TypeFacts | null): string {
  return facts ? `Attack ${attackFigure(facts)}, defence ${facts.defence}, speed ${facts.speed}, range ${facts.range}.` : "";
}

export function priceWords(facts: TypeFacts): string {
  return facts.keywords.includes("Necromancer") ? "Can't be bought." : `Cost ${facts.cost}, rebate ${facts.rebate}.`;
}

/** Damage, actions of this turn, and what one of your own units can still do. */
export function condition(setting: Setting, unit: Unit, choices: Choices | null): string {
  const said: string[] = [];
  const left = leftOf(setting, unit);
  if (left !== null) said.push(`${left} of ${left + (unit.damage ?? 0)} defence left`);
  if (unit.fresh) said.push("spawned this turn");
  if (unit.moved) said.push("moved");
  if (unit.used) said.push(unit.used === 1 ? "attacked" : `attacked ${unit.used} times`);
  const can = [
    ...(choices?.moves.has(unit.hex) || choices?.swaps.has(unit.hex) ? ["move"] : []),
    ...(choices?.attacks.has(unit.hex) ? ["attack"] : []),
  ];
  if (can.length) said.push(`can ${unit.moved && can.length === 1 ? "still " : ""}${list(can)}`);
  return said.join(", ");
}

// ---- the status line

export interface Scene {
  readonly setting: Setting;
  readonly view: View;
  readonly board: BoardView;
  readonly you: string | null;
  readonly choices: Choices | null;
  readonly alerts: readonly Alert[];
}

const whose = (scene: Scene, side: string): string => (side === scene.you ? "yours" : name(side));

function groundWords(scene: Scene, hex: string): string {
  const kind = groundOf(scene.setting.maps[scene.board.number - 1] ?? "").get(hex);
  return kind === "plain" || !kind ? "" : kind;
}

/** A hex with nothing selected: what is there, and which units can reach it. */
export function looking(scene: Scene, hex: string): Status {
  const unit = unitOn(scene.board, hex);
  const ground = groundWords(scene, hex);
  if (!unit) return { subject: `${hex}, ${ground || "empty"}.`, text: comers(scene, hex) };
  const does = condition(scene.setting, unit, unit.side === scene.you ? scene.choices : null);
  const yard = ground === "graveyard" ? " It holds the graveyard." : "";
  const danger = dangerOn(scene.alerts, scene.board.number, hex);
  return {
    seat: unit.side,
    subject: `${called(unit)} ${hex}, ${whose(scene, unit.side)}${does ? `, ${does}` : ""}.`,
    text: danger ? danger.text : `${figureWords(factsOf(scene.setting, unit))}${yard}`,
  };
}

/** Which of your units can move to a hex. */
function comers(scene: Scene, hex: string): string {
  const from = (found: Choices["moves"] | undefined): string[] =>
    [...(found ?? [])].filter(([, targets]) => targets.has(hex)).map(([start]) => start);
  const moves = from(scene.choices?.moves);
  return moves.length ? `${list(moves.slice(0, 6))} can move here.` : "";
}

/** The result of an attack, from its figures: "3 defence left", "destroyed, Blue gets 1 back". */
export function outcomeWords(figures: Readonly<Record<string, unknown>>, owner: string): string {
  if (figures["does"] === "unsummoned") return "sent back to the reserve";
  if (figures["does"] === "hit") return `${figures["left"]} defence left`;
  return figures["back"] ? `destroyed, ${name(owner)} gets ${figures["back"]} back` : "destroyed";
}

export function attacking(scene: Scene, start: string, target: string, option: Option): Status {
  const by = unitOn(scene.board, start);
  const on = unitOn(scene.board, target);
  if (!by || !on) return { text: option.text };
  return {
    seat: by.side,
    subject: `${called(by)} ${start} attacks ${called(on)} ${target}:`,
    text: `${outcomeWords(option.figures ?? {}, on.side)}.`,
  };
}

export function moving(scene: Scene, start: string, target: string, option: Option): Status {
  const unit = unitOn(scene.board, start);
  const ground = groundWords(scene, target);
  const strikes = ((option.figures?.["strikes"] as string[] | undefined) ?? []).map((hex) => {
    const enemy = unitOn(scene.board, hex);
    return enemy ? `${called(enemy)} ${hex}` : hex;
  });
  const then = strikes.length ? ` From there it can attack ${list(strikes.slice(0, 4))}.` : "";
  return {
    seat: scene.you,
    subject: `${unit ? called(unit) : "Unit"} ${start} to ${target}${ground ? `, ${ground}` : ""}.`,
    text: then.trim(),
  };
}

/** The selected unit: what you can do with it. */
export function chosen(scene: Scene, hex: string): Status {
  const status = looking(scene, hex);
  const { choices } = scene;
  const ways = [
    ...(choices?.moves.has(hex) ? [count(choices.moves.get(hex)!.size, "hex", "hexes") + " to move to"] : []),
    ...(choices?.attacks.has(hex) ? [count(choices.attacks.get(hex)!.size, "target")] : []),
  ];
  if (ways.length) return { ...status, text: `It has ${list(ways)}.` };
  if (choices?.swaps.has(hex)) return { ...status, text: "It has no free hex to move to, but it can swap with a unit next to it." };
  const unit = unitOn(scene.board, hex);
  if (choices && scene.board.closed && unit?.side === scene.you && !unit.fresh)
    return { ...status, text: "You can't move or attack on this board any more: you have bought or spawned a unit." };
  return status;
}

/** The picked unit over a hex. `room`: where it can be spawned. */
export function spawning(facts: TypeFacts, hex: string, room: ReadonlySet<string>, waits: number): Status {
  const how = waits ? "from the reserve" : `bought for ${facts.cost}`;
  if (room.has(hex))
    return { subject: `Spawn ${facts.name} on ${hex},`, text: `${how}. You can't move or attack on this board after that.` };
  return {
    subject: `${facts.name}:`,
    text: `${room.size ? "choose a marked hex" : "no free hex to spawn it on"}; press ${facts.letter} again to buy it into your reserve.`,
  };
}

export function looping(hexes: readonly string[]): Status {
  return { subject: `${hexes.join(" to ")} to ${hexes[0]}.`, text: "Choose the next unit, or the first one again to finish." };
}

/** What the shown order did; `index` when stepping through the orders of a turn one by one. */
export function reviewed(deed: Deed | undefined, index: number | null, deeds: readonly Deed[]): Status | null {
  if (!deed) return null;
  const text = deed.events
    .map((told) => told.words)
    .slice(0, 3)
    .join(" ");
  const numbered = index === null ? "" : `Order ${index + 1} of ${deeds.filter(({ line }) => line).length}.`;
  return { seat: deed.events[0]?.seat ?? null, subject: deed.line ? numbered : "End of the turn.", text };
}

// ---- cells and boards for screen readers

/** `mark` is what a click would do there with the selection. */
export function cellName(scene: Scene, hex: string, mark = ""): string {
  const unit = unitOn(scene.board, hex);
  const ground = groundWords(scene, hex);
  const said = [hex, ...(ground ? [ground] : [])];
  if (unit) {
    said.push(`${unit.side === scene.you ? "your" : name(unit.side)} ${called(unit)}`);
    const does = condition(scene.setting, unit, unit.side === scene.you ? scene.choices : null);
    if (does) said.push(does);
    const danger = dangerOn(scene.alerts, scene.board.number, hex);
    if (danger) said.push(danger.text);
  }
  if (mark) said.push(mark);
  return said.join(", ");
}

export function boardLabel(scene: Scene): string {
  return `Board ${scene.board.number}, ${boardName(scene.setting, scene.board.number)}. Use the arrow keys to move, Enter to select, a unit's letter to pick it, and digits to change boards.`;
}

/** A board in one sentence. */
export function gist(setting: Setting, board: BoardView): string {
  const force = (side: string): string =>
    `${name(side)} ${count(board.units.filter((unit) => unit.side === side).length, "unit")}, ${count(yardsHeld(setting, board, side), "graveyard")}`;
  return `Board ${board.number}, ${boardName(setting, board.number)}: ${force("yellow")}; ${force("blue")}`;
}

/** What you can still do on a board, from the options. */
export function phases(choices: Choices): string[] {
  if (choices.necromancers.length) return ["choose"];
  const found: string[] = [];
  if (choices.moves.size || choices.attacks.size || choices.swaps.size) found.push("attack");
  if (choices.buys.size || choices.spawns.size) found.push("spawn");
  return found;
}

// ---- orders

/** An order for the sheet. */
export function orderWords(order: Order): OrderWords {
  if (order.order === "end") return { text: "End the turn" };
  if (order.order === "spells") {
    const text = order.spells
      .map((spell) => (spell === "march" ? "March" : `Tech ${/^tech \d+$/.test(spell) ? "card " : ""}${spell.slice(5)}`))
      .join(", ");
    return { text, spoken: `techline: ${text}` };
  }
  const board = order.board ?? 1;
  const on = (text: string, spoken: string): OrderWords => ({ text: `${board}: ${text}`, spoken: `board ${board}: ${spoken}` });
  if (order.order === "move") return on(`${order.start} → ${order.target}`, `move from ${order.start} to ${order.target}`);
  if (order.order === "attack") return on(`${order.start} attacks ${order.target}`, `${order.start} attacks ${order.target}`);
  if (order.order === "tick") {
    const [first = ""] = order.moves;
    const swap = order.moves.length === 2 && order.moves[1] === first.split("-").reverse().join("-");
    const ring = order.moves.map((pair) => pair.slice(0, 2)).join(", ");
    return swap
      ? on(`${first.slice(0, 2)} and ${first.slice(3)} swap places`, `${first.slice(0, 2)} and ${first.slice(3)} swap places`)
      : on(`${ring} rotate`, order.moves.join(", "));
  }
  if (order.order === "blink") return on(`${order.start} blinks`, `the unit on ${order.start} goes back to the reserve`);
  if (order.order === "buy") return on(`buy ${order.unit}`, `buy ${order.unit}`);
  if (order.order === "spawn") return on(`spawn ${order.unit} on ${order.target}`, `spawn ${order.unit} on ${order.target}`);
  if (order.order === "choose")
    return on(
      `choose ${order.necromancer}${order.keep ? `, keep ${order.keep}` : ""}`,
      `choose the ${order.necromancer} necromancer${order.keep ? ` and keep ${order.keep}` : ""}`,
    );
  return on("resign", "resign the board");
}

/** Below a line: who acts and what it does, from the server's figures. */
export function noteWords(order: Order, figures: Readonly<Record<string, unknown>>, side: string): string {
  const unit = figures["unit"] as string | undefined;
  if (order.order === "spells") return figures["price"] ? `Costs ${figures["price"]}` : "Your free spell";
  if (!unit) return "";
  if (order.order === "move") return figures["yard"] ? `${unit}, to a graveyard` : unit;
  if (order.order === "attack") return `${unit}: ${figures["target"]} ${outcomeWords(figures, other(side))}`;
  return order.order === "buy" ? `${unit} for ${figures["price"]}` : unit;
}
