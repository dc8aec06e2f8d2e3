// @vitest-environment happy-dom
import { flushSync, mount, unmount } from "svelte";
import { expect, test, vi } from "vitest";
import { CALM } from "../../../lib/calm.svelte";
import Screen from "./Screen.svelte";

test("a double click, or a key that is held down, reveals one thing", async () => {
  vi.useFakeTimers();
  let heard: (event: { data: string }) => void = () => undefined;
  vi.stubGlobal(
    "WebSocket",
    class {
      set onmessage(value: typeof heard) {
        heard = value;
      }
      close() {}
    },
  );
  let answer = (): void => undefined;
  const revealed = vi.fn(() => new Promise<Response>((done) => (answer = () => done(new Response("{}")))));
  vi.stubGlobal("fetch", revealed);
  const target = document.body.appendChild(document.createElement("div"));
  const made = mount(Screen, { target });
  flushSync();
  heard({ data: JSON.stringify({ title: "", sight: { times: { round: 2, is_last: true }, people: [] }, is_over: false, turns: 0 }) });
  flushSync();
  await vi.advanceTimersByTimeAsync(CALM);
  flushSync();

  const button = target.querySelector<HTMLButtonElement>("footer button")!;
  const space = (repeat = false) => window.dispatchEvent(new KeyboardEvent("keydown", { key: " ", repeat, cancelable: true }));
  space(true);
  expect(revealed).not.toHaveBeenCalled();
  button.click();
  button.click();
  space();
  expect(revealed).toHaveBeenCalledOnce();
  answer();
  await vi.advanceTimersByTimeAsync(0); // answered, and the screen has not been told yet
  flushSync();
  expect(button.getAttribute("aria-disabled")).toBe("true");
  button.click();
  space();
  expect(revealed).toHaveBeenCalledOnce();
  await vi.advanceTimersByTimeAsync(CALM);
  flushSync();
  expect(button.getAttribute("aria-disabled")).toBe("false");
  space();
  expect(revealed).toHaveBeenCalledTimes(2);

  await unmount(made);
  target.remove();
  vi.useRealTimers();
});
