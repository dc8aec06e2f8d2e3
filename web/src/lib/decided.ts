// The end of a game, as the game wants it shown.

import type { GameTable, Own } from "../games/contract";
import type { Frame } from "../wire";
import type { Turn } from "./scene";

/** A last frame with the position and the figures that decided the game; any other frame as it is. */
export function decidedFrame(
  game: GameTable | null,
  setting: Own,
  frame: Frame | null,
  before: Frame | null,
  shows: Turn["shows"],
): Frame | null {
  const decided = frame?.view?.outcome && before ? game?.decided?.(setting, { before, after: frame, shows }) : null;
  return frame && decided ? { ...frame, ...decided } : frame;
}
