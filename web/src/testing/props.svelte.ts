// What a board is given by the room around it, for tests of its hand: changing it is seen by whatever is derived from it.

import type { BoardProps } from "../games/contract";
import { frame } from "./make";

export interface Room<S, V, O> {
  readonly props: () => BoardProps<S, V, O>;
  readonly selected: string | null;
  set(of: Partial<BoardProps<S, V, O>>): void;
}

export function room<S, V, O>(
  of: Partial<BoardProps<S, V, O>> & Pick<BoardProps<S, V, O>, "setting" | "view" | "you" | "orders">,
): Room<S, V, O> {
  let given = $state.raw<BoardProps<S, V, O>>({
    frame: frame(),
    before: null,
    seats: [],
    selected: null,
    select: (place) => (given = { ...given, selected: place }),
    frames: [],
    book: () => "",
    crew: [],
    roles: [],
    look: () => undefined,
    done: () => undefined,
    looks: { turned: false, names: true, hatching: true, ranges: false, motion: true },
    playing: null,
    happened: [],
    shows: {},
    seated: true,
    notes: null,
    note: () => undefined,
    status: () => undefined,
    ask: () => undefined,
    type: () => undefined,
    ...of,
  });
  return {
    props: () => given,
    get selected() {
      return given.selected;
    },
    set: (more) => (given = { ...given, ...more }),
  };
}
