// Two readings of one sheet on paper: the first is kept while the second is typed, then they are set side by side.

import type { DraftLine } from "../../contract";

export class Readings {
  /** The lines of the first reading, while the second is being typed. */
  first = $state.raw<readonly string[] | null>(null);
  /** The lines of the second reading, while somebody looks at the first again. */
  second = $state.raw<readonly string[]>([]);
  /** The sheet was to be filed: the readings are set side by side, even if the second is shorter. */
  compared = $state(false);

  constructor(
    private readonly lines: () => readonly DraftLine[],
    first: readonly string[] | null,
  ) {
    this.first = first;
  }

  private get beside(): readonly string[] | null {
    return this.first && (this.compared || this.lines().length >= this.first.length) ? this.first : null;
  }

  /** By line of the second reading. A line that the server hasn't judged yet isn't written in its way, and can't be compared. */
  get differs(): readonly boolean[] {
    const first = this.beside;
    return first ? this.lines().map((line, i) => !line.pending && line.text !== first[i]) : [];
  }

  /** The lines at the end of the first reading that the second doesn't have. */
  get missing(): readonly string[] {
    return this.beside?.slice(this.lines().length) ?? [];
  }

  get disagree(): boolean {
    return this.missing.length > 0 || this.differs.some(Boolean);
  }

  /** Where somebody is asked which reading is right. Lines beyond the first reading are settled one after the other, from its end. */
  asks(at: number): boolean {
    return this.differs[at] === true && at <= this.first!.length;
  }

  /** The first reading was wrong: it says this here, or nothing. */
  settle(at: number, text: string | undefined): void {
    this.first = text === undefined ? this.first!.toSpliced(at, 1) : this.first!.toSpliced(at, 1, text);
  }

  /** Puts this reading down and takes the other one up. */
  turn(lines: readonly string[]): readonly string[] {
    const other = this.first ?? this.second;
    if (this.first) this.second = lines;
    this.first = this.first ? null : lines;
    this.compared = false;
    return other;
  }
}
