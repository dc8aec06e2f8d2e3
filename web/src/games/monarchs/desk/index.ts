// The gamerunners' desk of a party, the clock for each court, and the big screen.

import type { GameDesk } from "../../contract";
import Clock from "./ClockPage.svelte";
import Desk from "./Desk.svelte";
import Screen from "./Screen.svelte";

export const desk: GameDesk = { desk: Desk, clock: Clock, screen: Screen };
