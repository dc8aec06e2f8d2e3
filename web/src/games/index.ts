// Finds the folder of a game by its name. Each is loaded when a table of it is opened.

import type { GameTable, Introduction } from "./contract";

type Folder = () => Promise<{ table: GameTable; intro?: Introduction }>;

const folders: Record<string, Folder> = import.meta.glob<{ table: GameTable; intro?: Introduction }>(["./*/index.ts", "!./plain/index.ts"]);

/** The table of a game; the plain one for games without their own. */
export async function load(game: string): Promise<GameTable> {
  const folder: Folder = folders[`./${game}/index.ts`] ?? (() => import("./plain"));
  const { table, intro } = await folder();
  return table.intro || !intro ? table : { ...table, intro };
}

/** Whether this client has a board of its own for a game. */
export const has = (game: string): boolean => `./${game}/index.ts` in folders;

/** The games with boards, for the server: positions of other games come with a picture. */
export const boards: string = Object.keys(folders)
  .map((path) => path.split("/")[1]!)
  .join(",");
