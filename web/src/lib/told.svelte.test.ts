// @vitest-environment happy-dom

import { afterEach, expect, test, vi } from "vitest";
import { authors } from "./api";
import { told } from "./told.svelte";

afterEach(() => vi.restoreAllMocks());

test("notices are new until the page has shown them, and nobody else's are left after signing out", async () => {
  vi.spyOn(authors, "newNotices").mockResolvedValue({ unseen: 3 });
  const seen = vi.spyOn(authors, "seenNotices").mockResolvedValue({ unseen: 0 });
  const stop = told.watch();
  await vi.waitFor(() => expect(told.unseen).toBe(3));
  await told.show(17);
  await told.show(17);
  expect(seen.mock.calls).toEqual([[17]]);
  expect(told.unseen).toBe(0);
  await told.refresh();
  stop();
  expect(told.unseen).toBe(0);
});

test("what could not be marked is marked the next time", async () => {
  const seen = vi.spyOn(authors, "seenNotices").mockRejectedValueOnce(new Error("gone")).mockResolvedValue({ unseen: 0 });
  await told.show(20);
  await told.show(20);
  expect(seen).toHaveBeenCalledTimes(2);
});
