// What somebody was told of their bots and groups: how much of it is new. It is read on the page of one's bots.

import { authors } from "./api";

const MINUTE = 60_000;

class Told {
  unseen = $state(0);
  private last = 0;

  async refresh(): Promise<void> {
    if (document.hidden) return;
    try {
      this.unseen = (await authors.newNotices()).unseen;
    } catch {
      // the pages say so if the server doesn't respond
    }
  }

  /** They have been shown, up to this one. */
  async show(last: number): Promise<void> {
    if (last <= this.last) return;
    this.last = last;
    try {
      this.unseen = (await authors.seenNotices(last)).unseen;
    } catch {
      this.last = 0; // the next time the page is read
    }
  }

  /** For an $effect, while somebody is signed in: starts asking, and returns how to stop. */
  watch(): () => void {
    this.last = 0;
    const ask = (): void => void this.refresh();
    ask();
    const timer = setInterval(ask, MINUTE);
    document.addEventListener("visibilitychange", ask);
    return () => {
      clearInterval(timer);
      document.removeEventListener("visibilitychange", ask);
      this.unseen = 0;
    };
  }
}

export const told = new Told();
