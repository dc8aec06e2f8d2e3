// @vitest-environment happy-dom
import { beforeEach, expect, test, vi } from "vitest";
import { keep, kept } from "./store";

beforeEach(() => localStorage.clear());

test("what is kept comes back as it was", () => {
  keep("a", { b: [1, "c", false] });
  expect(kept("a")).toEqual({ b: [1, "c", false] });
  expect(kept("never")).toBeNull();
});

test("nothing is kept by keeping nothing", () => {
  keep("a", 1);
  keep("a", null);
  expect(kept("a")).toBeNull();
  expect(localStorage.length).toBe(0);
});

test("what another program wrote there is no error", () => {
  localStorage.setItem("polemos.a", "{broken");
  expect(kept("a")).toBeNull();
});

test("a browser without storage raises no error", () => {
  const refuse = (): never => {
    throw new DOMException("denied", "SecurityError");
  };
  vi.stubGlobal("localStorage", { getItem: refuse, setItem: refuse, removeItem: refuse });
  expect(() => keep("a", 1)).not.toThrow();
  expect(kept("a")).toBeNull();
});
