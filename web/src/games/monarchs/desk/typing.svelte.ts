// The field in which the lines of a sheet are typed, and the line that is typed again in its own place.

import type { DraftLine, LineIn, Orders } from "../../contract";
import { split } from "../party/lines";

type Lines = Pick<Orders, "lines" | "set" | "change" | "strike">;

export class Typing {
  typed = $state("");
  /** The key of the line whose text is in the field. It keeps its place: regiments go to the lines above first. */
  changing = $state<number | null>(null);
  /** What that line said when its text was taken; null if the server was still to write it in its own way. */
  private was: string | null = null;

  constructor(private readonly draft: Lines) {}

  /** The line that is being changed has been deleted or changed meanwhile, on the map for example: the text belongs to nothing. */
  get stale(): boolean {
    if (this.changing === null) return false;
    const line = this.line;
    return !line || (this.was !== null && line.text !== this.was);
  }

  private get line(): DraftLine | undefined {
    return this.draft.lines.find((one) => one.key === this.changing);
  }

  drop(): void {
    this.typed = "";
    this.changing = null;
  }

  /** Writes what has been typed on the sheet: at the end, or in place of the line that is being changed. */
  enter(): void {
    const { stale, line } = this;
    const parts = split(this.typed);
    this.drop();
    if (stale || !parts.length) return;
    const lines = this.draft.lines.map((one): LineIn => one.order ?? one.text);
    if (!line) this.draft.set([...lines, ...parts]);
    else if (parts.length > 1) this.draft.set(lines.toSpliced(this.draft.lines.indexOf(line), 1, ...parts));
    else if (parts[0] !== line.text) this.draft.change(line.key, parts[0]!);
  }

  /** Takes the text of a line into the field. What was typed before is not lost. */
  change(line: DraftLine): void {
    if (line.key === this.changing) return;
    this.enter();
    this.typed = line.text;
    this.was = line.pending ? null : line.text;
    this.changing = line.key;
  }

  /** Takes the last line off the sheet and into the field. */
  back(): void {
    const last = this.draft.lines.at(-1);
    if (!last?.text) return; // what was clicked on the map has no text before the server has answered
    this.typed = last.text;
    this.changing = null;
    this.draft.strike(last.key);
  }

  /** A whole sheet at once, or all that takes the place of one line. */
  paste(text: string): void {
    this.typed = this.changing === null ? this.typed + text : text;
    this.enter();
  }
}
