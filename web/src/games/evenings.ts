// Finds the pages of a game's evening by its name. They are apart from the boards: a replay in one page does without them.

import type { GameDesk, GameParty } from "./contract";

const desks: Record<string, () => Promise<{ desk: GameDesk }>> = import.meta.glob<{ desk: GameDesk }>("./*/desk/index.ts");

/** The gamerunners' pages of a game. */
export async function loadDesk(game: string): Promise<GameDesk | null> {
  const folder = desks[`./${game}/desk/index.ts`];
  return folder ? (await folder()).desk : null;
}

const parties: Record<string, () => Promise<{ party: GameParty }>> = import.meta.glob<{ party: GameParty }>("./*/party/index.ts");

/** The pages of a game's party; null if there are none. */
export async function loadParty(game: string): Promise<GameParty | null> {
  const folder = parties[`./${game}/party/index.ts`];
  return folder ? (await folder()).party : null;
}

/** The games around which a party can be held. */
export const withParties: readonly string[] = Object.keys(parties).map((path) => path.split("/")[1]!);
