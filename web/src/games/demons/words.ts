// Sentences: what stands on a tile, what a click would do, what an order means and what it costs.

import { count, list, name } from "../../lib/words";
import type { Option } from "../../wire";
import type { Orders, OrderWords, Status } from "../contract";
import { NAMES, told } from "./directions.svelte";
import { landOf, placeName, placeOf, type Ground, type Tile } from "./geometry";
import { linesAt, type Choices, type Line } from "./sheet";
import type { Base, Order, Portal, Setting, Tower, Unit, View } from "./wire";

/** What stands on a tile. */
export interface Occupants {
  tower?: Tower;
  unit?: Unit;
  portal?: Portal;
  base?: readonly [string, Base];
}

/** What words need to know: the public facts, the view, who speaks, the sheet, and what it allows. */
export interface Telling {
  readonly setting: Setting;
  readonly ground: Ground;
  readonly view: View;
  readonly you: string | null;
  readonly orders: Orders<Order> | null;
  readonly choices: Choices;
}

const indexes = new WeakMap<View, Map<string, Occupants>>();

/** What stands where, made once for a view. */
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

const until = (turns: number): string => (turns <= 0 ? "this turn" : turns === 1 ? "in 1 turn" : `in ${turns} turns`);

/** The tiles that a tower covers, as far as the map has them. */
export function covered({ setting, ground }: Pick<Telling, "setting" | "ground">, kind: string, x: number, y: number): Tile[] {
  const found = (setting.guide?.covers[kind] ?? []).map(([dx, dy]) => ground.tiles.get(placeName(x + dx, y + dy)));
  return found.filter((tile) => tile !== undefined);
}

// What a tower is for; those that are not named shoot.
const ACTS: Readonly<Record<string, string>> = {
  house: "Pays gold",
  church: "Strengthens your mercenaries",
  minigun: "Shoots at all enemies in range",
};

/** "Shoots in 2 turns, 1 damage, range 4: covers 15 lane tiles", for a tower of this kind, on this tile if one is named. */
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

/** Turns from act to act, and how many of them have come; all of them: it acts this turn. */
export function progress(setting: Setting, kind: string, cooldown: number): { turns: number; come: number } {
  const most = setting.towers[kind]?.cooldown ?? 1;
  const turns = Math.max(1, most + 1 - (setting.guide?.ready ?? 1));
  return { turns, come: Math.max(0, Math.min(turns, most + 1 - cooldown)) };
}

function towerWords(telling: Telling, tower: Tower): string {
  const { turns, come } = progress(telling.setting, tower.kind, tower.cooldown);
  return power(telling, tower.kind, until(turns - come), placeName(tower.x, tower.y));
}

const DOING: Record<string, string> = { fighting: "fights", waiting: "waits", moving: "moves", new: "has just come" };

const unitName = (unit: Unit): string => (unit.kind === "demon" ? `demon bound for ${unit.side}` : `${unit.side} mercenary`);

export function unitWords(unit: Unit): string {
  return `${unit.health} health, takes ${unit.damage} with a blow, ${DOING[unit.state] ?? unit.state}`;
}

export function portalWords(portal: Portal): string {
  const always = portal.fixed ? "always " : "";
  const waiting = portal.queued ? `, ${portal.queued} waiting now` : "";
  return `next wave ${until(portal.next_in)}, a demon of ${portal.health} health ${always}for ${portal.target}${waiting}`;
}

function baseWords(telling: Telling, seat: string, base: Base): string {
  const queued = Object.entries(base.queued).filter(([, number]) => number > 0);
  const said = queued.map(([letter, n]) => `${told(telling.setting, telling.you ?? seat, letter)}${n > 1 ? ` ${n}` : ""}`);
  return `${Math.max(0, base.health)} health, ${gold(base.gold)}${said.length ? `, queued ${list(said)}` : ""}`;
}

/** A tile in full, for screen readers: "4,2, red territory, red crossbow, acts in 2 turns". */
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
  for (const line of linesAt(orders?.lines ?? [], place))
    parts.push(`${line.fault ? "refused" : "ordered"}: ${orderWords(line.order!).text}`);
  const kinds = [...choices.sites].filter(([, sites]) => sites.has(place)).map(([kind]) => kind);
  if (kinds.length) parts.push(`you can build ${list(kinds)}`);
  if (tower && tower.owner === you && choices.destroys.has(place)) parts.push("you can destroy it");
  return parts.join(", ");
}

// ---- what a click would do

// Where a turn is ordered in two steps.
const STEPS: Readonly<Record<string, string>> = {
  builders: "Build or destroy one tower, or neither. Mercenaries are hired after that.",
  mercenaries: "The builders are done. Choose a way for a mercenary, or hire none.",
};

/** What is to be done, where that is not the same all the time. */
export function due({ view, you, orders }: Telling): Status | null {
  const text = STEPS[view.step];
  return text && orders?.open && orders.state !== "filed" ? { seat: you, subject: "Your orders are due.", text } : null;
}

/** A tile that is pointed at or chosen. */
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
      text: "Ordered. Delete, a right click or its cross on the sheet takes it back.",
    };
  if (unit) {
    const under = portal ? ` On a portal: ${portalWords(portal)}.` : "";
    const seat = unit.kind === "demon" ? "demons" : unit.side;
    return { seat, subject: `${name(unitName(unit))} at ${place}.`, text: `${name(unitWords(unit))}.${under}` };
  }
  if (portal) return { seat: "demons", subject: `Portal at ${place}.`, text: `${name(portalWords(portal))}.` };
  if (base) {
    const [seat, of] = base;
    const able = mine && seat === you && choices.hires.size > 0;
    const does = !able ? "" : chosen ? " Choose a way out to hire a mercenary." : " Choose it, then a way out, to hire a mercenary.";
    return { seat, subject: `${name(seat)} base at ${place}.`, text: `${baseWords(telling, seat, of)}.${does}` };
  }
  if (tower) {
    const back = choices.destroys.get(place)?.figures?.["back"];
    const does = back === undefined ? "" : ` Delete destroys it: ${gold(back)} back.`;
    return { seat: tower.owner, subject: `${name(tower.owner)} ${tower.kind} at ${place}.`, text: `${towerWords(telling, tower)}.${does}` };
  }
  const land = landOf(tile);
  if (land === null) return { subject: `${place}, lane.`, text: "Free." };
  const free = [...choices.sites.values()].some((sites) => sites.has(place));
  const does = !mine || land !== you ? "" : free ? "Choose a tower to build here." : "";
  return { seat: land, subject: `${place}, ${land} territory.`, text: does || "Free." };
}

/** A tower in the hand: where it can go, or what it would do on a tile. */
export function building(telling: Telling, kind: string, place: string | null): Status {
  const { setting, view, you, choices } = telling;
  const sites = choices.sites.get(kind);
  const option = place === null ? undefined : sites?.get(place);
  if (place && option) {
    const says = power(telling, kind, rhythm(setting, kind), place);
    return { seat: you, subject: `Build a ${kind} at ${place}.`, text: `${costWords(option)}. ${says}.` };
  }
  const where = sites?.size ? `Choose one of ${count(sites.size, "tile")} with a dot.` : notNow(telling);
  return { seat: you, subject: `${name(kind)} for ${gold(priceOf(setting, view, you, kind))}.`, text: where };
}

/** A tower among the tools that is pointed at: what it costs and does, before it is taken up. */
export function offering(telling: Telling, kind: string): Status {
  const { setting, view, you, choices } = telling;
  const says = `${power(telling, kind, rhythm(setting, kind), null)}.`;
  const subject = `${name(kind)} for ${gold(priceOf(setting, view, you, kind))}.`;
  return { seat: you, subject, text: choices.sites.get(kind)?.size ? says : `${says} ${notNow(telling)}` };
}

const notNow = ({ view, you }: Telling): string => `You have ${gold(view.bases[you ?? ""]?.gold ?? 0)}: no tile can take it now.`;

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

/** A way out of the base that is pointed at. */
export function hiring(telling: Telling, letter: string): Status {
  const { setting, view, you, orders, choices } = telling;
  const option = choices.hires.get(letter);
  const facts = setting.guide?.mercenary;
  const left = `${gold(facts?.price ?? 0)}, you have ${goldLeft(setting, view, orders?.lines ?? [])} left`;
  const cost = option ? costWords(option) : view.bases[you ?? ""]?.queued[letter] ? "One is queued there already" : left;
  const says = facts ? ` It has ${facts.health} health and takes ${facts.damage} with a blow.` : "";
  return { seat: you, subject: `Hire a mercenary, ${told(setting, you ?? "", letter)}.`, text: `${cost}.${says}` };
}

/** A line that the server refused. */
export function refusal(line: Line): Status {
  const subject = line.order ? `${orderWords(line.order).text}.` : `${line.text}.`;
  return { refused: true, subject, text: `Refused: ${line.fault!.why}`, rule: line.fault!.rule };
}

// ---- orders

const ARROWS: Record<string, string> = { N: "up", S: "down", E: "arrow", W: "back" };

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
      return { text: `Mercenary, ${way}`, spoken: `hire a mercenary, ${way}`, icon: ARROWS[order.direction] ?? "arrow" };
    }
    default:
      return { text: "Provoke the demons", icon: "warn" };
  }
}

/** What a line costs, as its option said, or by the prices of the view. */
function costOf(setting: Setting, view: View, { order, figures }: Line): number {
  if (!order) return 0;
  if (figures["price"] !== undefined) return figures["price"];
  if (figures["back"] !== undefined) return -figures["back"];
  if (order.order === "build") return view.prices[view.who]?.[order.tower] ?? 0;
  return order.order === "hire" ? (setting.guide?.mercenary.price ?? 0) : 0;
}

/** Gold that the lawful lines leave. */
export function goldLeft(setting: Setting, view: View, lines: readonly Line[]): number {
  const lawful = lines.filter((line) => !line.fault);
  return (view.bases[view.who]?.gold ?? 0) - lawful.reduce((sum, line) => sum + costOf(setting, view, line), 0);
}

export function boardName({ setting, view }: Telling): string {
  const over = view.outcome ? "over" : `turn ${view.turn} of ${view.turns}`;
  return `Map ${setting.name || "without a name"}, ${over}. Arrows move, Enter chooses.`;
}
