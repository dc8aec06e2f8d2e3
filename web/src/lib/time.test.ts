import { expect, test } from "vitest";
import { ago, brief, clock, span } from "./time";

test("a clock shows minutes and seconds, and hours once there are some", () => {
  expect(clock(372)).toBe("6:12");
  expect(clock(59)).toBe("0:59");
  expect(clock(60)).toBe("1:00");
  expect(clock(3599)).toBe("59:59");
  expect(clock(3725)).toBe("1:02:05");
});

test("a clock rounds up, so that 0:00 means that time is over", () => {
  expect(clock(0.2)).toBe("0:01");
  expect(clock(59.5)).toBe("1:00");
  expect(clock(0)).toBe("0:00");
  expect(clock(-3)).toBe("0:00");
});

test("a second that was sent as 5.0004 is still five seconds", () => {
  expect(clock(5.0004)).toBe("0:05");
});

test("a span is told in the largest unit in which it is whole", () => {
  expect(span(90)).toBe("90 s");
  expect(span(60)).toBe("60 s");
  expect(span(120)).toBe("2 min");
  expect(span(600)).toBe("10 min");
  expect(span(3600)).toBe("1 h");
  expect(span(5400)).toBe("1.5 h");
  expect(span(3660)).toBe("61 min");
});

test("how long ago, in whole units and with the right plural", () => {
  const now = 1_000_000;
  const since = (seconds: number): string => ago(now - seconds, now);
  expect(since(59)).toBe("just now");
  expect(since(60)).toBe("1 minute ago");
  expect(since(119)).toBe("1 minute ago");
  expect(since(120)).toBe("2 minutes ago");
  expect(since(3600)).toBe("1 hour ago");
  expect(since(86399)).toBe("23 hours ago");
  expect(since(86400)).toBe("1 day ago");
  expect(since(3 * 86400)).toBe("3 days ago");
});

test("clocks that disagree do not put the past into the future", () => {
  expect(ago(1010, 1000)).toBe("just now");
});

test("computing time in a few signs", () => {
  expect([0, 0.00004, 0.0042, 0.25, 1.234, 83.4].map(brief)).toEqual(["0 ms", "<0.1 ms", "4.2 ms", "250 ms", "1.2 s", "83 s"]);
});
