// Nothing that has just appeared takes a click: a second click was meant for what stood there before.

export const CALM = 500; // ms
const CLICK = 50; // ms from letting go to the click that this makes

/** The pointers that are down: fingers, and a mouse or pen with its first button. */
const down = new Set<number>();
/** What would take clicks by now if nothing were down. */
const waiting = new Set<Calm>();

function release(go: (calm: Calm) => void): void {
  if (down.size) return;
  for (const calm of waiting) go(calm);
  waiting.clear();
}

/** Follows the pointers of a window. */
export function followPointers(window: EventTarget): void {
  const on = (kind: string, hear: (event: never) => void): void =>
    window.addEventListener(kind, hear as (event: Event) => void, { capture: true });
  const letGo = ({ pointerId }: PointerEvent): void => {
    down.delete(pointerId);
    release((calm) => calm.afterClick());
  };
  on("pointerdown", ({ button, isPrimary, pointerId }: PointerEvent) => {
    if (button !== 0) return;
    if (isPrimary) down.clear(); // a first finger: whatever was noted before has ended, even if nobody saw it
    down.add(pointerId);
  });
  on("pointerup", letGo);
  on("pointercancel", letGo);

  // Not every press is seen to end. What was lost must not wait for ever.
  const lost = (): void => {
    down.clear();
    release((calm) => calm.afterClick());
  };
  on("pointermove", (event: PointerEvent) => {
    if (event.pointerType === "mouse" && event.buttons === 0) letGo(event); // it ended outside, or in a dialog
  });
  on("blur", (event: Event) => {
    if (event.target === event.currentTarget) lost(); // not one of its fields: a press does that
  });
  on("visibilitychange", lost);
  on("dragstart", lost); // a link or a selection is dragged: the browser has the pointer now
  on("dragend", lost);
  on("contextmenu", (event: MouseEvent) => {
    if (event.ctrlKey) lost(); // Ctrl+click on a Mac: the menu has the pointer now
  });
  // Whoever uses the keyboard decides with it, not with a press, and at once: this very key may be the answer.
  on("keydown", (event: KeyboardEvent) => {
    // Enter presses a button as long as it is held: it would file one turn after another, unseen.
    if (event.repeat && event.key === "Enter" && (event.target as Element).closest?.("button")) event.preventDefault();
    if (event.repeat) return; // it began before
    down.clear();
    release((calm) => calm.atOnce());
  });
}

export class Calm {
  /** It takes clicks. */
  ready = $state(true);
  private timer: ReturnType<typeof setTimeout> | undefined;

  /** Something new stands there. */
  begin(): void {
    this.ready = false;
    this.stop();
    this.timer = setTimeout(this.end, CALM);
  }

  stop(): void {
    clearTimeout(this.timer);
    waiting.delete(this);
  }

  // A press that began before is meant for what stood there before, however late it is let go. One that began since is
  // refused too if it hasn't ended by now: there is no telling how much its person had seen.
  private readonly end = (): void => {
    if (down.size) waiting.add(this);
    else this.ready = true;
  };

  /** Does something once: until it is done, and a moment after, nothing else is done, since something else may stand there by then. */
  async once(act: () => Promise<void>): Promise<void> {
    if (!this.ready) return;
    this.stop();
    this.ready = false;
    await act().finally(() => this.begin());
  }

  /** What was down has been let go; its click may still come. */
  afterClick(): void {
    this.timer = setTimeout(this.end, CLICK);
  }

  /** No click will come of what was down. */
  atOnce(): void {
    this.ready = true;
  }
}
