// @vitest-environment happy-dom
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { hint } from "./hint";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => {
  vi.useRealTimers();
  document.body.replaceChildren();
});

function explained(name: "span" | "button", acts: boolean, label?: string) {
  const node = document.createElement(name);
  if (label) node.setAttribute("aria-label", label);
  document.body.append(node);
  const end = hint("It means this.", acts)(node) as () => void;
  const bubble = document.querySelector<HTMLElement>("[role=tooltip]")!;
  const shown = { now: false };
  bubble.showPopover = () => void (shown.now = true);
  bubble.hidePopover = () => void (shown.now = false);
  const point = (kind: string, pointerType = "mouse") => node.dispatchEvent(new PointerEvent(kind, { pointerType, bubbles: true }));
  return { node, bubble, shown, point, end };
}

test("a mark explains itself to the mouse at once, and can be read while the mouse is on the words", () => {
  const { bubble, shown, point } = explained("span", false);
  point("pointerenter");
  expect([shown.now, bubble.textContent]).toEqual([true, "It means this."]);
  point("pointerleave");
  bubble.dispatchEvent(new PointerEvent("pointerenter"));
  vi.advanceTimersByTime(1000);
  expect(shown.now).toBe(true);
  bubble.dispatchEvent(new PointerEvent("pointerleave"));
  vi.advanceTimersByTime(1000);
  expect(shown.now).toBe(false);
});

test("a mark can be reached by keyboard, and Escape closes its words and does nothing else", () => {
  const { node, bubble, shown } = explained("span", false);
  expect([node.tabIndex, node.getAttribute("aria-describedby")]).toEqual([0, bubble.id]);
  node.click();
  expect(shown.now).toBe(true);
  const heard = vi.fn();
  window.addEventListener("keydown", heard);
  node.dispatchEvent(new KeyboardEvent("keydown", { key: "Escape", bubbles: true }));
  window.removeEventListener("keydown", heard);
  expect([shown.now, heard.mock.calls.length]).toEqual([false, 0]);
});

test("a finger reads a control by holding it, and presses it by a tap", () => {
  const { shown, point } = explained("button", true);
  point("pointerdown", "touch");
  vi.advanceTimersByTime(100);
  point("pointerup", "touch");
  vi.advanceTimersByTime(2000);
  expect(shown.now).toBe(false);
  point("pointerdown", "touch");
  vi.advanceTimersByTime(600);
  expect(shown.now).toBe(true);
});

test("the words of a control wait for the mouse to rest", () => {
  const { shown, point } = explained("button", true);
  point("pointerenter");
  expect(shown.now).toBe(false);
  vi.advanceTimersByTime(600);
  expect(shown.now).toBe(true);
  point("pointerleave");
  vi.advanceTimersByTime(1);
  expect(shown.now).toBe(false);
});

test.each(["button", "span"] as const)("words stay away where the mouse has clicked, whatever appears under it: %s", (name) => {
  const event = (kind: string, clientX: number, node: HTMLElement) =>
    node.dispatchEvent(new PointerEvent(kind, { clientX, clientY: 5, detail: 1, pointerType: "mouse", bubbles: kind === "click" }));
  const before = explained("button", true);
  event("pointerenter", 1, before.node);
  event("click", 3, before.node);
  before.end();
  const { node, shown } = explained(name, name === "button"); // the next turn has something new there
  event("pointerenter", 3.6, node);
  vi.advanceTimersByTime(2000);
  expect(shown.now).toBe(false);
  event("pointerleave", 90, node); // until it has been elsewhere
  event("pointerenter", 40, node);
  vi.advanceTimersByTime(2000);
  expect(shown.now).toBe(true);
});

test("nothing is left behind, and what is the name already isn't read twice", () => {
  const { node, end } = explained("button", true, "It means this.");
  expect(node.hasAttribute("aria-describedby")).toBe(false);
  end();
  expect(document.querySelector("[role=tooltip]")).toBeNull();
});
