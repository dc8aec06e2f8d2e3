// Finds the folder of a game by its name. Each is loaded when a table of it is opened.

import type { GameTable, Lesson } from "./contract";

type Folder = () => Promise<{ table: GameTable; intro?: readonly Lesson[] }>;

const folders: Record<string, Folder> = import.meta.glob<{ table: GameTable; intro?: readonly Lesson[] }>("./*/index.ts");

/** The table of a game, or null if this client has no board for it yet. */
export async function load(game: string): Promise<GameTable | null> {
  const folder = folders[`./${game}/index.ts`];
  if (!folder) return null;
  const { table, intro } = await folder();
  return table.intro || !intro ? table : { ...table, intro };
}

/** Whether this client has a board for a game. */
export const has = (game: string): boolean => `./${game}/index.ts` in folders;
