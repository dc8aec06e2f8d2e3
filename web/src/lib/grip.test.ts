// @vitest-environment happy-dom
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { Grip, placeUnder, type Deeds, type Pointing } from "./grip";

const LONG = 500;

/** A board on which every point belongs to the place of its column of 100 pixels; right of 300 there is none. */
function board(deeds: Partial<Deeds<string>> = {}) {
  const hand: Pointing<string> = { hover: null, keyed: true, finger: false };
  const done: unknown[] = [];
  const at = ({ clientX }: MouseEvent): string | null => (clientX < 300 ? `p${Math.floor(clientX / 100)}` : null);
  const all: Deeds<string> = {
    at,
    click: (place) => done.push(["click", place]),
    long: (place) => void done.push(["long", place]),
    back: (place) => done.push(["back", place]),
    draw: (event, from, first) => done.push(["draw", from, at(event), first]),
    drop: (event) => done.push(["drop", at(event)]),
    ...deeds,
  };
  const grip = new Grip(
    () => hand,
    () => all,
  );
  const svg = document.createElementNS("http://www.w3.org/2000/svg", "svg");
  svg.setPointerCapture = vi.fn();
  const event = (type: string, x: number, of: PointerEventInit): PointerEvent => {
    const made = new PointerEvent(type, { clientX: x, clientY: 10, isPrimary: true, pointerId: 1, cancelable: true, ...of });
    Object.defineProperty(made, "currentTarget", { value: svg });
    return made;
  };
  return {
    hand,
    done,
    grip,
    down: (x: number, of: PointerEventInit = {}) => grip.on.onpointerdown(event("pointerdown", x, of)),
    move: (x: number, of: PointerEventInit = {}) => grip.on.onpointermove(event("pointermove", x, { buttons: 1, ...of })),
    up: (x: number) => grip.on.onpointerup(event("pointerup", x, {})),
    click: (x: number) => grip.on.onclick(event("click", x, {})),
    menu: (x: number) => {
      const made = event("contextmenu", x, {});
      grip.on.oncontextmenu(made);
      return made.defaultPrevented;
    },
  };
}

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

test("a mouse that moves points, and hides the cursor of the keys when it presses", () => {
  const { hand, move, down, grip } = board();
  move(150, { buttons: 0 });
  expect(hand.hover).toBe("p1");
  down(150);
  expect(hand.keyed).toBe(false);
  grip.on.onpointerleave();
  expect(hand.hover).toBeNull();
});

test("press and release is a click where it was made", () => {
  const { done, down, up, click } = board();
  down(150);
  up(152);
  click(152);
  expect(done).toEqual([["click", "p1"]]);
});

test("a click beside all places is told too", () => {
  const { done, down, up, click } = board();
  down(350);
  up(350);
  click(350);
  expect(done).toEqual([["click", null]]);
});

describe("a drag of the board's own", () => {
  test("begins after some pixels, continues, ends, and does not count as a click", () => {
    const { done, down, move, up, click, grip } = board({ draws: () => true });
    down(50);
    expect(grip.drawing).toBe(true);
    move(53);
    expect(done).toEqual([]);
    move(150);
    move(250);
    up(250);
    click(250);
    expect(done).toEqual([
      ["draw", "p0", "p1", true],
      ["draw", "p0", "p2", false],
      ["drop", "p2"],
    ]);
    expect(grip.drawing).toBe(false);
  });

  test("is followed by clicks again", () => {
    const { done, down, move, up, click } = board({ draws: () => true });
    down(50);
    move(150);
    up(150);
    click(150);
    down(50);
    up(50);
    click(50);
    expect(done.at(-1)).toEqual(["click", "p0"]);
  });

  test("of another finger is none", () => {
    const { done, down, move } = board({ draws: () => true });
    down(50);
    move(150, { pointerId: 2 });
    expect(done).toEqual([]);
  });

  test("is none where the board does not draw: the map moves", () => {
    const { done, down, move, up } = board({ draws: () => false });
    down(50);
    move(150);
    up(150);
    expect(done).toEqual([]);
  });
});

describe("a finger that rests", () => {
  const touch = { pointerType: "touch" };

  test("presses long, and the click that follows does not count", () => {
    const { done, down, up, click, hand } = board();
    down(150, touch);
    expect(hand.finger).toBe(true);
    vi.advanceTimersByTime(LONG);
    up(150);
    click(150);
    expect(done).toEqual([["long", "p1"]]);
  });

  test("only clicks where nothing was done by that", () => {
    const { done, down, up, click } = board({ long: () => false });
    down(150, touch);
    vi.advanceTimersByTime(LONG);
    up(150);
    click(150);
    expect(done).toEqual([["click", "p1"]]);
  });

  test("does not press long once it has moved or was lifted", () => {
    const { done, down, move, up } = board();
    down(150, touch);
    move(170, touch);
    vi.advanceTimersByTime(LONG);
    down(150, touch);
    up(150);
    vi.advanceTimersByTime(LONG);
    expect(done).toEqual([]);
  });

  test("points at nothing", () => {
    const { hand, down, move } = board();
    down(150, touch);
    move(151, touch);
    expect(hand.hover).toBeNull();
  });

  test("a mouse does not press long", () => {
    const { done, down } = board();
    down(150);
    vi.advanceTimersByTime(LONG);
    expect(done).toEqual([]);
  });
});

describe("a right click", () => {
  test("takes back, in place of the browser's menu", () => {
    const { done, menu } = board();
    expect(menu(150)).toBe(true);
    expect(done).toEqual([["back", "p1"]]);
  });

  test("is the browser's where there is no place, or nothing can be taken back", () => {
    expect(board().menu(350)).toBe(false);
    expect(board({ back: undefined }).menu(150)).toBe(false);
  });

  test("of a finger is its long press: no menu, and nothing is taken back", () => {
    const { done, down, menu } = board();
    down(150, { pointerType: "touch" });
    expect(menu(150)).toBe(true);
    expect(done).toEqual([]);
  });

  test("presses nothing", () => {
    const { grip, down } = board({ draws: () => true });
    down(150, { button: 2 });
    expect(grip.drawing).toBe(false);
  });
});

test("the place under the pointer is read from what is drawn, or from around it", () => {
  document.body.innerHTML = '<svg><g data-hex="G5"><path id="in"></path></g><path id="out"></path></svg>';
  const under = (id: string): string | null => {
    const event = new Event("click");
    Object.defineProperty(event, "target", { value: document.getElementById(id) });
    return placeUnder(event, "hex");
  };
  expect(under("in")).toBe("G5");
  expect(under("out")).toBeNull();
});
