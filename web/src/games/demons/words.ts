// Sentences: what is on a tile, what a click would do, what an order means and what it costs.

import { count, list, name } from "../../lib/words";
import type { Option } from "../../wire";
import type { Orders, OrderWords, Status } from "../contract";
import { NAMES, told } from "./directions.svelte";
import { landOf, placeName, placeOf, type Ground, type Tile } from "./geometry";
import { linesAt, type Choices, type Line } from "./sheet";
import type { Base, Order, Portal, Setting, Tower, Unit, View } from "./wire";

/** What is on a tile. */
export interface Occupants {
  tower?: Tower;
  unit?: Unit;
  portal?: Portal;
  base?: readonly [string, Base];
}

/** What the sentences are made from: the public facts, the view, whose it is, the sheet, and the legal orders. */
export interface Telling {
  readonly setting: Setting;
  readonly ground: Ground;
  readonly view: View;
  readonly you: string | null;
  readonly orders: Orders<Order> | null;
  readonly choices: Choices;
}

const indexes = new WeakMap<View, Map<string, Occupants>>();

/** What is where, worked out once per view. */
function index(view: View): Map<string, Occupants> {
  let found = indexes.get(view);
  if (found) return found;
  indexes.set(view, (found = new Map()));
  const at = (x: number, y: number): Occupants => {
    const place = placeName(x, y);
    const here = found!.get(place) ?? {};
    found!.set(place, here);
    return here;
  };
  for (const tower of view.towers) at(tower.x, tower.y).tower = tower;
  for (const unit of view.units) at(unit.x, unit.y).unit = unit;
  for (const portal of view.portals) at(portal.x, portal.y).portal = portal;
  for (const [seat, base] of Object.entries(view.bases)) at(base.x, base.y).base = [seat, base];
  return found;
}

export const on = (view: View, place: string): Occupants => index(view).get(place) ?? {};

// ---- what there is

export const gold = (n: number): string => `${n} gold`;

const until = (turns: number): string => (turns <= 0 ? "this turn" : `in ${count(turns, "turn")}`);

/** The tiles that a tower covers, as far as the map has them. */
export function covered({ setting, ground }: Pick<Telling, "setting" | "ground">, kind: string, x: number, y: number): Tile[] {
  const found = (setting.guide?.covers[kind] ?? []).map(([dx, dy]) => ground.tiles.get(placeName(x + dx, y + dy)));
  return found.filter((tile) => tile !== undefined);
}

// What a tower does; those that aren't listed shoot.
const ACTS: Readonly<Record<string, string>> = {
  house: "Pays gold",
  church: "Strengthens your mercenaries",
  minigun: "Shoots at all enemies in range",
};

/** "Shoots in 2 turns, 1 damage, range 4: covers 15 lane tiles", for a tower of this kind, on this tile if one is given. */
function power(telling: Telling, kind: string, when: string, place: string | null): string {
  const facts = telling.setting.towers[kind];
  const parts = [`${ACTS[kind] ?? "Shoots"} ${when}`];
  if (facts?.damage) parts.push(`${facts.damage} damage`);
  if (facts?.range) {
    const lanes = place ? covered(telling, kind, ...placeOf(place)).filter((tile) => landOf(tile) === null) : [];
    parts.push(`range ${facts.range}${place ? `: covers ${count(lanes.length, "lane tile")}` : ""}`);
  }
  return parts.join(", ");
}

/** "every 5 turns". */
function rhythm(setting: Setting, kind: string): string {
  const { turns } = progress(setting, kind, 0);
  return turns === 1 ? "every turn" : `every ${turns} turns`;
}

/** Turns between two actions, and how many have passed; all of them: it acts this turn. */
export function progress(setting: Setting, kind: string, cooldown: number): { turns: number; come: number } {
  const most = setting.towers[kind]?.cooldown ?? 1;
  const turns = Math.max(1, most + 1 - (setting.guide?.ready ?? 1));
  return { turns, come: Math.max(0, Math.min(turns, most + 1 - cooldown)) };
}

function towerWords(telling: Telling, tower: Tower): string {
  const { turns, come } = progress(telling.setting, tower.kind, tower.cooldown);
  return power(telling, tower.kind, until(turns - come), placeName(tower.x, tower.y));
}

const DOING: Record<string, string> = { fighting: "fighting", waiting: "waiting", moving: "moving", new: "just arrived" };

const unitName = (unit: Unit): string => (unit.kind === "demon" ? `demon attacking ${unit.side}` : `${unit.side} mercenary`);

export function unitWords(unit: Unit): string {
  return `${unit.health} health, deals ${unit.damage} damage, ${DOING[unit.state] ?? unit.state}`;
}

export function portalWords(portal: Portal): string {
  const waiting = portal.queued ? `, ${portal.queued} waiting now` : "";
  return `next wave ${until(portal.next_in)}: a demon with ${portal.health} health that ${portal.fixed ? "always attacks" : "attacks"} ${portal.target}${waiting}`;
}

function baseWords(telling: Telling, seat: string, base: Base): string {
  const queued = Object.entries(base.queued).filter(([, number]) => number > 0);
  const said = queued.map(([letter, n]) => `${n > 1 ? `${n} ` : ""}${told(telling.setting, telling.you ?? seat, letter)}`);
  return `${Math.max(0, base.health)} health, ${gold(base.gold)}${said.length ? `, mercenaries queued: ${list(said)}` : ""}`;
}

/** What the triangle on a tile means, in the umpire's words; empty if there is none. */
export function dangerAt({ orders }: Pick<Telling, "orders">, place: string): string {
  return orders?.alerts.find((alert) => alert.urgent && alert.where === place)?.text ?? "";
}

/** A tile in full, for screen readers: "4,2, red territory, red crossbow, shoots in 2 turns". */
export function cellName(telling: Telling, place: string): string {
  const { ground, view, you, orders, choices } = telling;
  const tile = ground.tiles.get(place);
  if (!tile) return place;
  const { tower, unit, portal, base } = on(view, place);
  const parts = [place];
  const land = landOf(tile);
  if (base) parts.push(`${base[0]} base, ${baseWords(telling, ...base)}`);
  else parts.push(land ? `${land} territory` : "lane");
  if (tower) parts.push(`${tower.owner} ${tower.kind}, ${towerWords(telling, tower).toLowerCase()}`);
  if (portal) parts.push(`portal, ${portalWords(portal)}`);
  if (unit) parts.push(`${unitName(unit)}, ${unitWords(unit)}`);
  if (dangerAt(telling, place)) parts.push(dangerAt(telling, place));
  for (const line of linesAt(orders?.lines ?? [], place))
    parts.push(`${line.fault ? "invalid order" : "ordered"}: ${orderWords(line.order!).text}`);
  const kinds = [...choices.sites].filter(([, sites]) => sites.has(place)).map(([kind]) => kind);
  if (kinds.length) parts.push(`you can build: ${list(kinds)}`);
  if (tower && tower.owner === you && choices.destroys.has(place)) parts.push("you can destroy it");
  return parts.join(", ");
}

// ---- what a click would do

// For rules where a turn has two steps.
const STEPS: Readonly<Record<string, string>> = {
  builders: "Build or destroy one tower, or pass. You hire mercenaries after that.",
  mercenaries: "Building is over. Send a mercenary, or pass.",
};

/** What to do now, where that changes from step to step. */
export function due({ view, you, orders }: Telling): Status | null {
  const text = STEPS[view.step];
  return text && orders?.open && orders.state !== "filed" ? { seat: you, subject: "Your orders are due.", text } : null;
}

/** A tile under the pointer, or the selected one. */
export function looking(telling: Telling, place: string, chosen: boolean): Status | null {
  const { view, you, orders, choices, ground } = telling;
  const tile = ground.tiles.get(place);
  if (!tile) return null;
  const { tower, unit, portal, base } = on(view, place);
  const mine = orders?.open === true;
  const [line] = linesAt(orders?.lines ?? [], place);
  if (line?.order)
    return {
      seat: you,
      subject: `${orderWords(line.order).text}.`,
      text: "Ordered. To cancel it, press Delete, right-click it, or use the cross in the list.",
    };
  if (unit) {
    const under = portal ? ` It stands on a portal. ${name(portalWords(portal))}.` : "";
    const seat = unit.kind === "demon" ? "demons" : unit.side;
    const text = `${name(unitWords(unit))}.${under}`;
    return { seat, subject: `${name(unitName(unit))} at ${place}.`, text: [text, dangerAt(telling, place)].filter(Boolean).join(" ") };
  }
  if (portal) return { seat: "demons", subject: `Portal at ${place}.`, text: `${name(portalWords(portal))}.` };
  if (base) {
    const [seat, of] = base;
    const able = mine && seat === you && choices.hires.size > 0;
    const does = !able ? "" : chosen ? " Choose an exit to send a mercenary." : " Select it to send a mercenary.";
    return { seat, subject: `${name(seat)} base at ${place}.`, text: `${baseWords(telling, seat, of)}.${does}` };
  }
  if (tower) {
    const back = choices.destroys.get(place)?.figures?.["back"];
    const does = back === undefined ? "" : ` Press Delete to destroy it and get ${gold(back)} back.`;
    return { seat: tower.owner, subject: `${name(tower.owner)} ${tower.kind} at ${place}.`, text: `${towerWords(telling, tower)}.${does}` };
  }
  const land = landOf(tile);
  if (land === null) return { subject: `${place}, lane.`, text: "Empty." };
  const free = [...choices.sites.values()].some((sites) => sites.has(place));
  const does = !mine || land !== you ? "" : free ? "Select it to build a tower here." : "";
  return { seat: land, subject: `${place}, ${land} territory.`, text: does || "Empty." };
}

/** The picked tower: where it can go, or what it would do on a tile. */
export function building(telling: Telling, kind: string, place: string | null): Status {
  const { setting, view, you, choices } = telling;
  const sites = choices.sites.get(kind);
  const option = place === null ? undefined : sites?.get(place);
  if (place && option) {
    const says = power(telling, kind, rhythm(setting, kind), place);
    return { seat: you, subject: `Build a ${kind} at ${place}.`, text: `${costWords(option)}. ${says}.` };
  }
  const where = sites?.size ? `Choose ${sites.size === 1 ? "the tile" : `one of the ${sites.size} tiles`} with a dot.` : notNow(telling);
  return { seat: you, subject: `${name(kind)} for ${gold(priceOf(setting, view, you, kind))}.`, text: where };
}

/** A tower in the shop under the pointer: what it costs and does, before it is picked. */
export function offering(telling: Telling, kind: string): Status {
  const { setting, view, you, choices } = telling;
  const says = `${power(telling, kind, rhythm(setting, kind), null)}.`;
  const subject = `${name(kind)} for ${gold(priceOf(setting, view, you, kind))}.`;
  return { seat: you, subject, text: choices.sites.get(kind)?.size ? says : `${says} ${notNow(telling)}` };
}

const notNow = ({ view, you }: Telling): string => `You have ${gold(view.bases[you ?? ""]?.gold ?? 0)} and can't build it now.`;

/** What a tower costs a seat now. */
export function priceOf(setting: Setting, view: View, seat: string | null, kind: string): number {
  return view.prices[seat ?? ""]?.[kind] ?? setting.towers[kind]?.price ?? 0;
}

/** "10 gold, 27 left". */
export function costWords({ figures = {} }: Pick<Option, "figures">): string {
  const { price, back, left } = figures as Record<string, number | undefined>;
  const first = back !== undefined ? `${gold(back)} back` : price !== undefined ? gold(price) : "";
  return [first, left === undefined ? "" : `${left} left`].filter(Boolean).join(", ");
}

/** An exit of the base under the pointer. */
export function hiring(telling: Telling, letter: string): Status {
  const { setting, view, you, orders, choices } = telling;
  const option = choices.hires.get(letter);
  const facts = setting.guide?.mercenary;
  const left = `${gold(facts?.price ?? 0)}, you have ${goldLeft(setting, view, orders?.lines ?? [])} left`;
  const cost = option ? costWords(option) : view.bases[you ?? ""]?.queued[letter] ? "One is already waiting there" : left;
  const says = facts ? ` It has ${facts.health} health and deals ${facts.damage} damage.` : "";
  return { seat: you, subject: `${sends(told(setting, you ?? "", letter), true)}.`, text: `${cost}.${says}` };
}

/** An invalid line, in the server's words. */
export function refusal(line: Line): Status {
  const subject = line.order ? `${orderWords(line.order).text}.` : `${line.text}.`;
  return { refused: true, subject, text: line.fault!.why, rule: line.fault!.rule };
}

// ---- orders

const ARROWS: Record<string, string> = { N: "up", S: "down", E: "arrow", W: "back" };

/** "send a mercenary north". */
export const sends = (way: string, first = false): string => `${first ? "Send" : "send"} a mercenary ${way}`;

/** An order for the sheet. */
export function orderWords(order: Order): OrderWords {
  switch (order.order) {
    case "build":
      return {
        text: `${name(order.tower)} at ${order.x},${order.y}`,
        spoken: `build a ${order.tower} at ${order.x},${order.y}`,
        icon: "plus",
      };
    case "destroy":
      return { text: `Destroy ${order.x},${order.y}`, spoken: `destroy the tower at ${order.x},${order.y}`, icon: "cross" };
    case "hire": {
      const way = NAMES[order.direction] ?? order.direction;
      return { text: sends(way, true), spoken: sends(way), icon: ARROWS[order.direction] ?? "arrow" };
    }
    default:
      return { text: "Provoke the demons", icon: "warn" };
  }
}

/** The cost of a line, from its option or by the prices of the view. */
function costOf(setting: Setting, view: View, { order, figures }: Line): number {
  if (!order) return 0;
  if (figures["price"] !== undefined) return figures["price"];
  if (figures["back"] !== undefined) return -figures["back"];
  if (order.order === "build") return view.prices[view.who]?.[order.tower] ?? 0;
  return order.order === "hire" ? (setting.guide?.mercenary.price ?? 0) : 0;
}

/** Gold left after the valid lines. */
export function goldLeft(setting: Setting, view: View, lines: readonly Line[]): number {
  const valid = lines.filter((line) => !line.fault);
  return (view.bases[view.who]?.gold ?? 0) - valid.reduce((sum, line) => sum + costOf(setting, view, line), 0);
}

export function boardName({ setting, view }: Telling): string {
  const over = view.outcome ? "over" : `turn ${view.turn} of ${view.turns}`;
  return `${setting.name ? `Map ${setting.name}` : "Unnamed map"}, ${over}. Use the arrow keys to move and Enter to select.`;
}
