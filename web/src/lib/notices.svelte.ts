// Announcements from the operators, fetched again every minute. Each can be hidden in this browser.

import type { Notice } from "../wire";
import * as api from "./api";
import { keep, kept } from "./store";

const MINUTE = 60_000;

class Notices {
  all = $state.raw<readonly Notice[]>([]);
  private hidden = $state.raw<readonly number[]>(kept<number[]>("hidden notices") ?? []);

  /** The newest one that hasn't been hidden. */
  get first(): Notice | null {
    return this.all.find((notice) => !this.hidden.includes(notice.id)) ?? null;
  }

  hide(id: number): void {
    this.hidden = [...this.hidden.slice(-20), id];
    keep("hidden notices", this.hidden);
  }

  async refresh(): Promise<void> {
    if (document.hidden) return;
    try {
      this.all = await api.notices();
    } catch {
      this.all = this.all.filter((notice) => notice.until * 1000 > Date.now()); // they end even if the server doesn't respond
    }
  }

  /** For an $effect: starts fetching, and returns how to stop. */
  watch(): () => void {
    const ask = (): void => void this.refresh();
    ask();
    const timer = setInterval(ask, MINUTE);
    document.addEventListener("visibilitychange", ask);
    return () => {
      clearInterval(timer);
      document.removeEventListener("visibilitychange", ask);
    };
  }
}

export const notices = new Notices();
