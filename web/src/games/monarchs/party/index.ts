// The party of Monarchs without a house.

import type { GameParty } from "../../contract";
import Begin from "./Begin.svelte";
import Page from "./Page.svelte";

export const party: GameParty = { title: "A party of Monarchs", page: Page, begin: Begin };
