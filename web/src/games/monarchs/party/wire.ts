// What a role may know, as `polemos.games.monarchs.party.sight` writes it: fields with their default are left out.

import type { Option } from "../../../wire";
import type { Item } from "../desk/reveal/reveal";
import type { Setting, View } from "../wire";

export type Nation = "red" | "green" | "blue";
export const NATIONS: readonly Nation[] = ["red", "green", "blue"];

/** A deadline: wall time while clocks run, what is left while they are paused. */
export interface Until {
  at?: number;
  left?: number;
}

export interface Person {
  role: string;
  name: string;
  court: string | null;
}

export interface Called {
  court: string;
  role: string;
  until?: Until;
}

export interface Delivery {
  turn: number;
  court: string;
  name: string | null;
  errand: {
    carrier: string | null;
    written: string[] | null;
    given: number | null;
    changes: { at: number; lines: string[] }[];
    is_late: boolean;
    delivered: string[] | null;
  };
}

export interface Everything {
  round: number;
  played: number;
  serves: Record<string, string>;
  orders: Record<string, Delivery["errand"]>;
  deliveries: Delivery[];
}

export interface Sight {
  role: string;
  times: { round: number; is_last?: boolean; is_paused?: boolean; due?: Until };
  agreed?: {
    party: "2022-04" | "2022-02";
    rounds: number;
    round_seconds: number;
    holding_seconds: number;
    summons_seconds: number;
    common: string[];
    abstain: boolean;
    /** The fingerprint of the key of all dice and draws. */
    dice: string;
  };
  people?: Person[];
  notices?: { turn: number; at: number; text: string }[];
  shown?: Item[];
  room?: string;
  here?: string[];
  maps?: number[];
  card?: { serves: string };
  sheet?: { given: string[]; lines: string[] };
  waiting?: { errand: "orders" | "map"; until: Until };
  may_carry?: string[];
  is_sent?: boolean;
  summons?: Called[];
  bans?: Called[];
  admitted?: string[];
  errand?: { written?: string[]; carrier?: string; given?: number; fetcher?: string; fetches?: number };
  guess?: Record<string, string | null>;
  lead?: { is_led: boolean; is_dealt: boolean };
  everything?: Everything;
}

export interface Chart {
  number: number;
  setting: Setting;
  view: View;
  options: Option[];
}
