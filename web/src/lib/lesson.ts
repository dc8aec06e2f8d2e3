// Words and marks that the introductions of all games share.

import type { DraftLine, LessonMove, LessonScene } from "../games/contract";

/** The button that files the sheet. */
export const FILE = '[data-lesson="file"]';

/** Filing as a move: done once the match has gone on. */
export const filing = (scene: LessonScene, say: string): LessonMove => ({
  say,
  keys: "Ctrl Enter",
  mark: FILE,
  done: scene.since > 0,
});

/** The first line of the sheet that fits and that the server has accepted. */
export function line<O>(scene: LessonScene<unknown, unknown, O>, fits: (order: O) => boolean): DraftLine<O> | undefined {
  return scene.lines.find((one) => one.order !== null && !one.fault && !one.pending && fits(one.order));
}

/** Whether the server lists an order that fits. */
export function offers<O>(scene: LessonScene<unknown, unknown, O>, fits: (order: O) => boolean): boolean {
  return scene.options.some((option) => fits(option.order as O));
}
