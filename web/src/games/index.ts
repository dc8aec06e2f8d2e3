// Finds the folder of a game by its name. Each is loaded when a table of it is opened.

import type { GameTable } from "./contract";

type Folder = () => Promise<{ table: GameTable }>;

const folders: Record<string, Folder> = import.meta.glob<{ table: GameTable }>("./*/index.ts");

/** The table of a game, or null if this client has no board for it yet. */
export async function load(game: string): Promise<GameTable | null> {
  const folder = folders[`./${game}/index.ts`];
  return folder ? (await folder()).table : null;
}

/** Whether this client has a board for a game. */
export const has = (game: string): boolean => `./${game}/index.ts` in folders;
