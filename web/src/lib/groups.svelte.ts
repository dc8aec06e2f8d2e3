// The page of a group: fetched again from time to time, and after every act.

import type { GroupAct, GroupPage } from "../wire";
import { whyOf } from "./api";
import { groups } from "./groups";

const SECONDS = 10;

export class GroupView {
  page = $state.raw<GroupPage | null>(null);
  trouble = $state("");
  /** There is no such group, or the invitation is not valid. */
  missing = $state("");
  /** Of the server's clock before ours. */
  ahead = $state(0);

  constructor(
    readonly id: string,
    readonly invited: boolean,
  ) {}

  async look(): Promise<void> {
    try {
      this.#take(await (this.invited ? groups.invitation(this.id) : groups.page(this.id)));
      this.trouble = "";
    } catch (error) {
      if (this.page) this.trouble = whyOf(error);
      else this.missing = whyOf(error);
    }
  }

  #take(page: GroupPage): void {
    this.ahead = page.now - Date.now() / 1000;
    this.page = page;
  }

  /** Joins, or asks to. */
  async join(): Promise<void> {
    this.#take(await (this.invited ? groups.accept(this.id) : groups.askToJoin(this.id)));
  }

  async act(act: GroupAct): Promise<void> {
    if (this.page) this.#take(await groups.act(this.page.id, act));
  }

  /** For an $effect: starts fetching, and returns how to stop. */
  watch(): () => void {
    const ask = (): void => {
      if (!document.hidden) void this.look();
    };
    ask();
    const timer = setInterval(ask, SECONDS * 1000);
    return () => clearInterval(timer);
  }
}
