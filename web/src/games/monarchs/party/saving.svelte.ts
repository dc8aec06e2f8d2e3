// A sheet that is saved by itself, a moment after the last change.

const SAVED = 300; // ms after the last change until it is saved

export class Saving {
  lines = $state.raw<readonly string[]>([]);
  saved = $state(true);
  private timer = 0;

  constructor(
    first: readonly string[],
    private readonly send: (lines: readonly string[]) => Promise<boolean>,
  ) {
    this.lines = first;
  }

  /** Another sheet: what was not saved belonged to the one before. */
  begin(lines: readonly string[]): void {
    clearTimeout(this.timer);
    this.lines = lines;
    this.saved = true;
  }

  /** Another page, or the next round, may have changed it; what is not saved yet is newer. */
  follow(lines: readonly string[]): void {
    if (this.saved) this.lines = lines;
  }

  set(lines: readonly string[]): void {
    this.lines = lines;
    this.saved = false;
    clearTimeout(this.timer);
    this.timer = window.setTimeout(() => void this.save(), SAVED);
  }

  async save(): Promise<boolean> {
    clearTimeout(this.timer);
    const sent = this.lines;
    const done = await this.send(sent);
    if (done && this.lines === sent) this.saved = true;
    return done;
  }

  /** Whether everything is saved now. */
  async settle(): Promise<boolean> {
    return this.saved || (await this.save());
  }
}
