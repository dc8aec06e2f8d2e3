// @vitest-environment happy-dom
import { beforeEach, describe, expect, test, vi } from "vitest";
import { frame, option } from "../../testing/make";
import { bare, choicesOf, isCounted, numbersOf, orderOf, placesOf } from "./choices";
import { pictureOf, stepTo, type Place } from "./picture";

const SVG = 'xmlns="http://www.w3.org/2000/svg"';

describe("orders and places", () => {
  const known = new Map([["a", 1], ["b", 1], ["3,4", 1]]); // prettier-ignore

  test("an order names the places among its fields, in their order", () => {
    expect(placesOf({ order: "a", from: "a", to: "b", number: 2, why: "c" }, known)).toEqual(["a", "b"]);
    expect(placesOf({ at: [3, 4] }, known)).toEqual(["3,4"]);
    expect([placesOf(null, known), placesOf({}, known)]).toEqual([[], []]);
  });

  test("options are sorted by them", () => {
    expect(choicesOf([option({ from: "a" }), option({ order: "pass" })], known).map(({ places }) => places)).toEqual([["a"], []]);
  });

  test("a number can be chosen where there is more than one", () => {
    const counted = (least: number | null, most: number | null) => isCounted(option({}, { least, most }));
    expect([counted(1, 3), counted(1, 1), counted(null, null), counted(0, 1)]).toEqual([true, false, false, true]);
  });

  test("an order has its number where the option has one", () => {
    expect(orderOf(option({ order: "go" }))).toEqual({ order: "go" });
    expect(orderOf(option({ order: "go" }, { least: 2, most: 5 }))).toEqual({ order: "go", number: 2 });
    expect(orderOf(option({ order: "go" }, { least: 2, most: 5 }), 4)).toEqual({ order: "go", number: 4 });
    expect(orderOf(option({ order: "go" }, { least: 0, most: 5 }), 0)).toEqual({ order: "go", number: 0 });
  });

  test("numbers are offered all, or of many some with both ends", () => {
    expect(numbersOf(option({}, { least: 1, most: 4 }))).toEqual([1, 2, 3, 4]);
    expect(numbersOf(option({}, { least: 0, most: 0 }))).toEqual([0]);
    const many = numbersOf(option({}, { least: 7, most: 1000 }));
    expect([many[0], many.at(-1)]).toEqual([7, 1000]);
    expect(many.length).toBeLessThanOrEqual(12);
    expect(many).toEqual([...new Set(many)].sort((a, b) => a - b));
    expect(numbersOf(option({}))).toEqual([]);
  });

  test("a text loses the number that stands beside it, and no other", () => {
    expect(bare("raid a b 3", 3)).toBe("raid a b");
    expect(bare("raid a b 13", 3)).toBe("raid a b 13");
    expect(bare("raid a b 3", undefined)).toBe("raid a b 3");
  });
});

describe("the picture of a stranger's game", () => {
  beforeEach(() => {
    // What a browser would measure.
    vi.stubGlobal("DOMPoint", class {
      constructor(readonly x: number, readonly y: number) {}
      matrixTransform(): { x: number; y: number } {
        return this;
      }
    }); // prettier-ignore
    Object.assign(SVGGraphicsElement.prototype, {
      getBBox(this: SVGElement) {
        const of = (name: string): number => Number(this.getAttribute(name) ?? 0);
        return { x: of("x"), y: of("y"), width: of("width"), height: of("height") };
      },
    });
    Object.defineProperty(SVGGraphicsElement.prototype, "transform", {
      value: { baseVal: { consolidate: () => null } },
      configurable: true,
    });
  });

  const drawn = (inner: string, attributes = 'viewBox="0 0 10 10"') =>
    pictureOf(frame({ picture: `<svg ${SVG} ${attributes}>${inner}</svg>` }));
  const shown = (inner: string): string =>
    drawn(inner)!
      .nodes.map((node) => node.outerHTML)
      .join("");

  test("keeps what is drawn", () => {
    expect(shown('<g fill="red"><rect x="1" y="2" width="3" height="4"/><text font-size="3">a &lt;b&gt;</text></g>')).toMatch(
      /<g fill="red"><rect .*<text.*a &lt;b&gt;/,
    );
  });

  test("loses all that could do more than be seen", () => {
    const hostile = [
      "<script>alert(1)</script>",
      '<foreignObject><body xmlns="http://www.w3.org/1999/xhtml"><img src="x" onerror="alert(1)"/></body></foreignObject>',
      '<image href="https://example.org/x.png"/>',
      '<use href="#x"/>',
      '<a href="javascript:alert(1)"><rect/></a>',
      "<style>@import url(https://example.org/x.css)</style>",
      '<animate attributeName="href"/>',
      "<g><script>alert(1)</script></g>",
    ];
    for (const one of hostile) {
      const left = shown(`${one}<rect x="1"/>`);
      expect(left).not.toMatch(/script|foreignObject|image|use|href|style|animate|example\.org|onerror/i);
      expect(left).toContain("rect");
    }
  });

  test("loses attributes that act, lead elsewhere or dress up as ours", () => {
    const left = shown(
      '<rect onclick="alert(1)" onload="alert(1)" style="x" class="btn" id="a" href="x" fill="url(https://example.org/#x)" stroke="URL (x)" width="3"/>',
    );
    expect(left).not.toMatch(/onclick|onload|style|class|id=|href|url/i);
    expect(left).toContain('width="3"');
  });

  test("has places, with names to be read out", () => {
    const { places } = drawn(
      '<rect data-place="a" x="1" y="1" width="4" height="2"/><rect data-place="b" aria-label="The bay" width="2" height="2"/><g data-place="c"/>',
    )!;
    expect(places.map(({ name, label, r }) => [name, label, r])).toEqual([
      ["a", "a", 1],
      ["b", "The bay", 1],
    ]);
    expect(places[0]!.at).toEqual([3, 2]);
  });

  test("moves places with what they stand in", () => {
    const { places } = drawn('<g transform="translate(5 5)"><rect data-place="a" transform="scale(2)" width="1" height="1"/></g>')!;
    expect(places[0]!.outline["transform"]).toBe("translate(5 5) scale(2)");
  });

  test("has a frame in any case", () => {
    expect(drawn("", 'width="30" height="20"')!.viewBox).toBe("0 0 30 20");
    expect(drawn("", 'viewBox="1 2 3 4"')!.viewBox).toBe("1 2 3 4");
  });

  test("that is none, or cannot be read, is none", () => {
    for (const picture of ["", "<html><body/></html>"]) expect(pictureOf(frame({ picture }))).toBeNull();
  });

  test("is read once for a frame", () => {
    const one = frame({ picture: `<svg ${SVG}><rect/></svg>` });
    expect(pictureOf(one)).toBe(pictureOf(one));
  });
});

describe("arrow keys", () => {
  const place = (name: string, x: number, y: number): Place => ({ name, label: name, tag: "rect", outline: {}, at: [x, y], r: 1 });
  const middle = place("middle", 0, 0);
  const places = [middle, place("right", 10, 1), place("far", 30, 0), place("down", 1, 10), place("corner", 9, 9)];

  test("lead to the nearest place in their direction", () => {
    expect(stepTo(places, middle, "right")?.name).toBe("right");
    expect(stepTo(places, middle, "down")?.name).toBe("down");
  });

  test("lead nowhere where there is nothing", () => {
    expect(stepTo(places, middle, "left")).toBeNull();
    expect(stepTo([middle], middle, "up")).toBeNull();
  });

  test("reach every place from the middle", () => {
    const reached = new Set([middle]);
    for (const from of reached) for (const way of ["left", "right", "up", "down"] as const) {
      const to = stepTo(places, from, way);
      if (to) reached.add(to);
    } // prettier-ignore
    expect(reached.size).toBe(places.length);
  });
});
