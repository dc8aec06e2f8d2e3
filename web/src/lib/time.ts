// Times as clocks show them: whole seconds, a colon, no units.

import { count } from "./words";

/** 372 is 6:12; 3725 is 1:02:05. Never below zero. Rounds up, so that 0:00 means the time is up. */
export function clock(seconds: number): string {
  const all = Math.max(0, Math.ceil(seconds - 0.001));
  const s = String(all % 60).padStart(2, "0");
  const m = Math.floor(all / 60) % 60;
  const h = Math.floor(all / 3600);
  return h ? `${h}:${String(m).padStart(2, "0")}:${s}` : `${m}:${s}`;
}

/** A length of time in words: 90 is "90 s", 600 is "10 min". */
export function span(seconds: number): string {
  if (seconds >= 3600 && seconds % 1800 === 0) return `${seconds / 3600} h`;
  return seconds >= 120 && seconds % 60 === 0 ? `${seconds / 60} min` : `${seconds} s`;
}

/** The time control of a table: "5 min per turn", "10 min each, and 5 s more for every turn", "no clock". */
export function control({ kind, seconds, increment }: { kind: string; seconds: number; increment: number }): string {
  if (kind === "turn") return `${span(seconds)} per turn`;
  if (kind !== "bank") return "no clock";
  return `${span(seconds)} each for the whole game${increment ? `, and ${span(increment)} more for every turn` : ""}`;
}

/** Computing time in a few signs: 0.0042 is "4.2 ms", 0.25 is "250 ms", 1.234 is "1.2 s". */
export function brief(seconds: number): string {
  const ms = seconds * 1000;
  if (ms < 0.1) return ms > 0 ? "<0.1 ms" : "0 ms";
  if (ms < 999.5) return ms < 9.95 ? `${ms.toFixed(1)} ms` : `${Math.round(ms)} ms`;
  return seconds < 9.95 ? `${seconds.toFixed(1)} s` : `${Math.round(seconds).toLocaleString("en-GB")} s`;
}

/** How long something has been running, in its two largest units: 273600 is "3 d 4 h". */
export function upTime(seconds: number): string {
  const minutes = Math.floor(seconds / 60);
  const [days, hours] = [Math.floor(minutes / 1440), Math.floor(minutes / 60) % 24];
  if (days) return `${days} d ${hours} h`;
  return hours ? `${hours} h ${minutes % 60} min` : `${minutes} min`;
}

/** How long ago: "just now", "5 minutes ago". */
export function ago(at: number, now = Date.now() / 1000): string {
  const past = Math.max(0, now - at);
  if (past < 60) return "just now";
  const [n, word] = past < 3600 ? [past / 60, "minute"] : past < 86400 ? [past / 3600, "hour"] : [past / 86400, "day"];
  const whole = Math.floor(n as number);
  return `${count(whole, word as string)} ago`;
}

/** A moment of the server, as people here write it: 3 May 2026, 14:05. */
export const moment = (seconds: number): string =>
  new Date(seconds * 1000).toLocaleString("en-GB", { dateStyle: "medium", timeStyle: "short" });

/** A day in a few signs: 5 Nov. */
export const day = (seconds: number): string => new Date(seconds * 1000).toLocaleDateString("en-GB", { day: "numeric", month: "short" });

/** Today only the time, else the day too: 14:05, or 5 Nov, 14:05. */
export function soon(seconds: number, now = Date.now()): string {
  const at = new Date(seconds * 1000);
  const time = at.toLocaleTimeString("en-GB", { hour: "2-digit", minute: "2-digit" });
  return at.toDateString() === new Date(now).toDateString() ? time : `${day(seconds)}, ${time}`;
}
