// What a table is waiting for, in one sentence below the board.

import type { Status } from "../games/contract";
import { toldOf } from "./faults";
import { ending } from "./outcome";
import type { Table } from "./table.svelte";
import { called, list, name } from "./words";

/** A seat by the name of its player: "You", "Ada (Red)", "Red". */
export function calling(table: Table): (seat: string) => string {
  return (seat) => {
    const player = table.card?.seats.find((s) => s.seat === seat)?.player;
    if (seat === table.you) return "You";
    return player && player.toLowerCase() !== seat && player !== `Guest ${name(seat)}` ? `${called(player)} (${name(seat)})` : name(seat);
  };
}

export function standing(table: Table): Status {
  const { card, viewer } = table;
  if (!card) return { text: "" };
  const outcome = viewer.live ? (card.outcome ?? viewer.frame?.view?.outcome ?? null) : null;
  if (outcome) {
    const told = table.game?.reasons?.[outcome.reason];
    const reason = told ? told.charAt(0).toLowerCase() + told.slice(1) : outcome.reason;
    return { text: ending({ ...outcome, reason }, (seat) => name(seat)), rule: outcome.rule, seat: outcome.winner };
  }
  if (!viewer.live) {
    const told = viewer.frame && toldOf(viewer.frame);
    return {
      subject: `Turn ${viewer.frame?.turn ?? ""}.`,
      text: told || (table.over ? "" : "This is a past turn. Press End to go back to the current one."),
    };
  }
  if (card.status === "sealed") return { text: "The players are placing their bids. The match starts when every bid is in." };
  if (card.status === "open") return { text: "The game starts when every seat is taken." };
  if (card.status === "paused") return { subject: "Paused.", text: "The clocks are stopped." };
  return table.ordering ? ordering(table) : waiting(table);
}

function ordering(table: Table): Status {
  const { you, draft, game, crew } = table;
  if (draft.finished) {
    const others = crew.filter((one) => !one.you && one.roles.some((role) => !one.done.includes(role))).map((one) => one.player);
    return { seat: you, subject: "Your part is done.", text: others.length ? `Waiting for ${list(others)}.` : "" };
  }
  if (draft.state === "filed")
    return { seat: you, subject: "Your orders are filed.", text: "The turn is played once everyone has filed. Editing withdraws them." };
  const own = game?.filing?.rest;
  return own ? { seat: you, text: own } : { seat: you, subject: "Your orders are due.", text: "Click on the board, or type an order." };
}

function waiting(table: Table): Status {
  const seats = table.card!.seats;
  const out = seats.find((seat) => seat.you)?.why;
  if (out) return { seat: table.you, subject: `You ${out}.`, text: "The others play on." };
  const due = seats.filter((seat) => seat.to_act && !seat.filed).map((seat) => calling(table)(seat.seat));
  return { text: due.length ? `Waiting for ${list(due)}.` : `Turn ${table.card!.turn} is being played.` };
}
