// @vitest-environment happy-dom
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import * as api from "./api";

vi.mock("./api");

const SIX = { id: 1, text: "Restart at six", until: 2_000_000_000 };
const SEVEN = { id: 2, text: "Restart at seven", until: 2_000_000_000 };

beforeEach(() => {
  vi.resetModules();
  localStorage.clear();
});
afterEach(() => vi.restoreAllMocks());

test("the newest announcement is shown until it is hidden, also after a reload", async () => {
  vi.mocked(api.notices).mockResolvedValue([SEVEN, SIX]);
  const { notices } = await import("./notices.svelte");
  await notices.refresh();
  expect(notices.first).toEqual(SEVEN);
  notices.hide(2);
  expect(notices.first).toEqual(SIX);
  notices.hide(1);
  expect(notices.first).toBeNull();
  vi.resetModules();
  const again = (await import("./notices.svelte")).notices;
  await again.refresh();
  expect(again.first).toBeNull();
});

test("announcements end even if the server doesn't respond", async () => {
  vi.mocked(api.notices).mockResolvedValueOnce([SEVEN, { ...SIX, until: 5 }]);
  const { notices } = await import("./notices.svelte");
  await notices.refresh();
  vi.mocked(api.notices).mockRejectedValue(new Error("lost"));
  await notices.refresh();
  expect(notices.all).toEqual([SEVEN]);
});
