// Sentences: what a hex holds, what a click would do, what an order means, how likely an attack is to win.

import { count } from "../../lib/words";
import type { Orders, OrderWords, Status } from "../contract";
import { blessings, chanceOf, linesAt, marches, mayBless, orderOf, type Chance, type Way } from "./sheet";
import type { Ground, Order, Setting, View } from "./wire";

/** What the sentences are made from: the public facts, the view, whose it is, and the sheet. */
export interface Scene {
  readonly setting: Setting;
  readonly view: View;
  readonly you: string | null;
  readonly orders: Orders<Order> | null;
  readonly notes: Readonly<Record<string, string>> | null;
}

export { name as capital } from "../../lib/words";

export const regiments = (number: number): string => count(number, "regiment");

const percent = (value: number): string => String(Math.round(value));

/** "97 %, 72 if they bless"; one figure if the blessing makes no difference. */
export function chanceWords([plain, blessed]: Chance): string {
  const same = percent(plain) === percent(blessed);
  return same ? `${percent(plain)} %` : `${percent(plain)} %, ${percent(blessed)} if they bless`;
}

/** What the bar of the odds shows. */
export function oddsWords([plain, blessed]: Chance): string {
  const both = `The chance that your army wins the hex: ${percent(plain)} % if they don't bless it, ${percent(blessed)} % if they do.`;
  const bar = percent(plain) === percent(blessed) ? "" : " The solid part of the bar is safe from a blessing, the hatched part is not.";
  return `${both}${bar} It counts all your lines on this hex and the regiments that you can see there.`;
}

/** Regiments of your army that no valid line uses. */
export function freeAt(scene: Scene, hex: string): number {
  const asked = marches(scene.orders?.lines ?? [])
    .filter((line) => line.order.from === hex && !line.fault)
    .reduce((sum, line) => sum + line.order.number, 0);
  return Math.max(0, (scene.view.hexes[hex]?.regiments ?? 0) - asked);
}

export function isArmy(scene: Scene, hex: string): boolean {
  const ground = scene.view.hexes[hex];
  return ground !== undefined && ground.owner === scene.you && ground.regiments > 0;
}

function baseOf(setting: Setting, hex: string): string | null {
  return Object.keys(setting.bases).find((nation) => setting.bases[nation] === hex) ?? null;
}

/** Who owns a hex and what is on it: "blue, 3 regiments". */
function holding(scene: Scene, hex: string): string {
  const ground = scene.view.hexes[hex];
  const host = baseOf(scene.setting, hex);
  const base = host ? `, ${host === scene.you ? "your home base" : `${host}'s home base`}` : "";
  if (!ground) return `not in sight${base}`;
  if (!ground.owner) return "unclaimed";
  const owner = ground.owner === scene.you ? "yours" : ground.owner;
  return `${owner}${base}, ${ground.regiments ? regiments(ground.regiments) : "no regiments"}`;
}

const foreign = (scene: Scene, ground: Ground | undefined): boolean =>
  ground !== undefined && ground.owner !== null && ground.owner !== scene.you;

/** The hexes from which a legal march leads here. */
export function comingFrom(scene: Scene, hex: string): string[] {
  const from = new Set<string>();
  for (const order of scene.orders?.open ? scene.orders.options.map(orderOf) : [])
    if (order.order === "march" && order.to === hex) from.add(order.from);
  return [...from];
}

/** A hex in full, for screen readers and lists: "H4, blue, 3 regiments, you can attack from F4, G5, I5". */
export function cellName(scene: Scene, hex: string): string {
  const parts = [hex, holding(scene, hex)];
  const lines = scene.orders?.lines ?? [];
  if (isArmy(scene, hex) && scene.orders?.open) parts.push(`${freeAt(scene, hex)} free`);
  for (const line of marches(lines).filter((line) => line.order.from === hex))
    parts.push(`${line.fault ? "invalid order: " : ""}${line.order.number} ordered to ${line.order.to}`);
  if (blessings(lines).some((line) => line.order.hex === hex)) parts.push("blessed by you");
  const from = comingFrom(scene, hex);
  if (from.length) parts.push(`you can ${foreign(scene, scene.view.hexes[hex]) ? "attack" : "march here"} from ${from.join(", ")}`);
  if (scene.notes?.[hex]) parts.push(`your note: ${scene.notes[hex]}`);
  return parts.join(", ");
}

/** "2 regiments free", or how many of them. */
function freeWords(scene: Scene, hex: string): string {
  const all = scene.view.hexes[hex]?.regiments ?? 0;
  const free = freeAt(scene, hex);
  if (!scene.orders?.open) return regiments(all);
  return free === all ? `${regiments(free)} free` : `${free} of ${regiments(all)} free`;
}

/** "G3 holds 2 blue, H4 holds 3 blue." for enemy armies within reach. */
function threats(scene: Scene, ways: ReadonlyMap<string, Way>): string {
  const met = [...ways.keys()].filter((hex) => foreign(scene, scene.view.hexes[hex]) && scene.view.hexes[hex]!.regiments);
  const said = met.map((hex) => `${hex} holds ${scene.view.hexes[hex]!.regiments} ${scene.view.hexes[hex]!.owner}`);
  return met.length ? ` ${said.join(", ")}.` : "";
}

/** What a march with this many would meet: "G3 holds 2 blue: 28 %, 3 if they bless." */
export function metWords(scene: Scene, way: Way, number: number): string {
  const ground = scene.view.hexes[way.to];
  if (!ground) return `${way.to} is not in sight.`;
  if (way.figures.base) return `${way.to} is ${ground.owner}'s home base: any army that enters is beaten.`;
  if (!ground.owner) return `${way.to} is unclaimed.`;
  if (ground.owner === scene.you) return ground.regiments ? `${way.to} holds ${ground.regiments} of yours.` : `${way.to} is yours.`;
  if (!ground.regiments) return `${way.to} is ${ground.owner} and empty.`;
  const chance = chanceOf(way.figures, number);
  return `${way.to} holds ${ground.regiments} ${ground.owner}${chance ? `: ${chanceWords(chance)}` : ""}.`;
}

/** A hex with nothing selected: what it is, and what a click would do. */
export function looking(scene: Scene, hex: string): Status {
  const ground = scene.view.hexes[hex];
  const note = scene.notes?.[hex] ? ` Your note: ${scene.notes[hex]}` : "";
  const seat = ground?.owner ?? null;
  if (isArmy(scene, hex)) {
    const does = scene.orders?.open ? "Select it to give orders." : "";
    return { seat, subject: `${hex}, yours, ${freeWords(scene, hex)}.`, text: (does + note).trim() };
  }
  const from = comingFrom(scene, hex);
  const attack = foreign(scene, ground) ? "attack" : "march here";
  const reach = from.length ? `You can ${attack} from ${from.join(", ")}.` : "";
  const blessed = blessings(scene.orders?.lines ?? []).some((line) => line.order.hex === hex) ? " Blessed by you." : "";
  return { seat, subject: `${hex}, ${holding(scene, hex)}.`, text: (reach + blessed + note).trim() };
}

/** The selected hex: what you can do with it. */
export function chosen(scene: Scene, hex: string, ways: ReadonlyMap<string, Way>): Status {
  const status = looking(scene, hex);
  const number = freeAt(scene, hex) === 1 ? "" : ", then how many";
  if (ways.size) return { ...status, text: `Choose a neighbouring hex${number}.${threats(scene, ways)}` };
  if (!mayBless(scene.orders, hex)) return status;
  return { ...status, text: `You can bless it. ${status.text}`.trim() };
}

/** A target of the selected army: what a click there would order. */
export function aiming(scene: Scene, way: Way): Status {
  const now = way.line && !way.line.fault ? `${way.line.order.number} ordered, up to ${way.most}` : `${way.most} free`;
  return { seat: scene.you, subject: `${way.from} to ${way.to}.`, text: `${now}. ${metWords(scene, way, way.most)}` };
}

/** An invalid line, in the server's words. */
export function refusal(scene: Scene, hex: string): Status | null {
  const line = linesAt(scene.orders?.lines ?? [], hex).find((line) => line.fault);
  if (!line?.fault) return null;
  return { refused: true, subject: `${line.text}.`, text: line.fault.why, rule: line.fault.rule };
}

/** An order for the sheet. */
export function orderWords(order: Order): OrderWords {
  if (order.order === "bless")
    return { text: `Bless ${order.hex}`, icon: "sun", aside: "+0.5 in the hex battle", spoken: `bless ${order.hex}` };
  const spoken = `march from ${order.from} to ${order.to} with ${regiments(order.number)}`;
  return { text: `${order.from} → ${order.to}`, spoken };
}

/** The strength of an attack when all lines on its target are counted: "4 against 3". */
export function against(sent: number, holds: number): string {
  return `${sent} against ${holds}`;
}

/** One of the numbers to choose from. */
export function choiceWords(number: number, chance: Chance | null): string {
  if (number === 0) return "Cancel this order";
  return chance ? `${regiments(number)}: ${chanceWords(chance)}` : regiments(number);
}

export function backWords(lines: number, hex: string): string {
  return `Cancel ${count(lines, "order")} at ${hex}`;
}

/** The board as a whole, for screen readers. */
export function boardName(scene: Scene): string {
  const seen = Object.keys(scene.view.hexes).length;
  const all = Object.keys(scene.setting.hexes).length;
  const who = scene.you ? `Map as ${scene.you} sees it` : "Map";
  return `${who}, ${seen} of ${all} hexes in sight. Use the arrow keys to move and Enter to select.`;
}
