// Cancelling several orders at once: of a unit, a board, a card, a purchase, or all your own. Undo brings them back.

import type { BoardProps } from "../contract";
import * as sheet from "./sheet";
import type { Order, Setting, View } from "./wire";

export class Takeback {
  constructor(
    private readonly props: () => BoardProps<Setting, View, Order>,
    private readonly shown: () => View,
    /** Whether orders can be changed now. */
    private readonly due: () => boolean,
  ) {}

  /** Orders that this person may cancel: those of a board, or all. */
  ordered(board?: number): sheet.Line[] {
    const { orders } = this.props();
    const lines = board === undefined ? orders?.lines : sheet.linesOn(orders?.lines ?? [], board);
    return (lines ?? []).filter((line) => orders!.owns(line));
  }

  /** All orders of a board, or all that this person has given. */
  all(board?: number): void {
    this.strike(this.ordered(board));
  }

  /** All orders of the unit on a hex. */
  unit(board: number, hex: string): void {
    this.strike(sheet.deedsOf(this.props().orders?.lines ?? [], board, hex));
  }

  /** The last spell on a card, counted from 1. */
  spell(card: number): void {
    const { setting, you, frame } = this.props();
    const on = (view: View): number => view.spells[you ?? ""]?.[card - 1] ?? 0;
    if (on(this.shown()) > on(frame.view as View)) this.strike(sheet.spellOn(this.ordered(), card, setting.line[card - 1] ?? ""));
  }

  /** The last purchase of a unit on a board. */
  purchase(board: number, letter: string): void {
    this.strike(
      this.ordered(board)
        .filter(({ order }) => order?.order === "buy" && order.unit === letter)
        .slice(-1),
    );
  }

  private strike(gone: readonly sheet.Line[]): void {
    const { orders, select } = this.props();
    if (!orders || !this.due() || !gone.length) return;
    sheet.strike(orders, gone);
    select(null);
  }
}
