// What the operator's page shows: lists from the server, fetched again every few seconds, and the acts it can ask for.

import type { AuditRow, BanRow, BotRow, Deed, Health, LadderHealth, Notice, PersonRow, ReportRow, Summary, TableRow } from "../wire";
import { notices, operator, whyOf } from "./api";

const SECONDS = 10;

export class Office {
  summary = $state.raw<Summary | null>(null);
  health = $state.raw<Health | null>(null);
  ladder = $state.raw<LadderHealth | null>(null);
  people = $state.raw<readonly PersonRow[]>([]);
  tables = $state.raw<readonly TableRow[]>([]);
  bots = $state.raw<readonly BotRow[]>([]);
  reports = $state.raw<readonly ReportRow[]>([]);
  bans = $state.raw<readonly BanRow[]>([]);
  notices = $state.raw<readonly Notice[]>([]);
  audit = $state.raw<readonly AuditRow[]>([]);
  trouble = $state("");
  /** Filters. */
  name = $state("");
  player = $state("");
  game = $state("");
  status = $state("");
  done = $state(false);

  async look(): Promise<void> {
    void this.#feel();
    const filter = Object.entries({ player: this.player, game: this.game, status: this.status }).filter(([, value]) => value);
    try {
      [this.summary, this.ladder, this.people, this.tables, this.bots, this.reports, this.bans, this.notices, this.audit] =
        await Promise.all([
          operator.summary(),
          operator.ladder(),
          operator.people(this.name),
          operator.tables(Object.fromEntries(filter)),
          operator.bots(),
          operator.reports(this.done),
          operator.bans(),
          notices(),
          operator.audit(),
        ]);
      this.trouble = "";
    } catch (error) {
      this.trouble = whyOf(error);
    }
  }

  /** On its own: it works even if the database doesn't, and says so. */
  async #feel(): Promise<void> {
    try {
      this.health = await operator.health();
    } catch {
      this.health = null; // the lists say why
    }
  }

  async act(deed: Deed): Promise<void> {
    await operator.deed(deed);
    await this.look();
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
