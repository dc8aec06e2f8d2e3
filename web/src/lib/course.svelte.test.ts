// @vitest-environment happy-dom
import { beforeEach, expect, test } from "vitest";
import type { DraftLine, Introduction, LessonStep } from "../games/contract";
import { beginAt, Course, endAt, isLesson, type Played } from "./course.svelte";
import { filing, line, offers } from "./lesson";

type Line = Pick<DraftLine, "order" | "fault" | "pending" | "text">;
const order = (name: string, of: Partial<Line> = {}): Line => ({ order: { order: name }, text: name, fault: null, pending: false, ...of });

/** A table where `go` is an order; filing leads to the next position. */
class Fake {
  lines = $state.raw<Line[]>([]);
  number = $state(0);
  over = $state(false);
  ordering = $state(true);
  ready = $state(true);
  filed = 0;
  readonly played: Played;
  constructor() {
    // eslint-disable-next-line @typescript-eslint/no-this-alias
    const fake = this;
    const draft = {
      get lines() {
        return fake.lines;
      },
      get step() {
        return fake.number;
      },
      options: [{ order: { order: "go" } }],
      filing: null,
      get calm() {
        return { ready: fake.ready };
      },
      view: null,
      set: (lines: object[]) => (fake.lines = lines.map((one) => order((one as { order: string }).order))),
      file: () => fake.filed++,
    };
    const viewer = {
      live: true,
      shown: null,
      get frame() {
        return { number: fake.number, turn: fake.number, view: {} };
      },
    };
    this.played = {
      id: "t",
      state: { setting: {} },
      you: "red",
      get ordering() {
        return fake.ordering;
      },
      get over() {
        return fake.over;
      },
      draft,
      viewer,
    } as unknown as Played;
  }
}

const select: LessonStep = {
  title: "Select",
  plan: ({ selected }) => ({
    text: ["Select it."],
    moves: [{ say: "Click a1.", keys: "Enter", mark: "a1", done: selected === "a1" }],
    done: selected === "a1",
    came: "It is selected.",
  }),
};
const give: LessonStep = {
  title: "Order",
  plan: (scene) =>
    offers(scene, (one: { order: string }) => one.order === "go")
      ? {
          text: ["Give the order."],
          moves: [
            { say: "Go.", keys: "g", mark: "go", done: line(scene, (one: { order: string }) => one.order === "go") !== undefined },
            filing(scene, "File."),
          ],
          done: scene.since > 0,
          help: scene.lines.length ? { file: true } : { lines: [{ order: "go" }] },
          came: "It went.",
        }
      : null,
};
const read: LessonStep = { title: "Score", plan: () => ({ text: ["The score."], moves: [], done: true }) };
const end: LessonStep = { title: "End", plan: () => ({ text: ["All."], moves: [], done: true }) };
const intro: Introduction = { options: {}, bots: ["bot"], steps: [select, give, read, end] };

function course(of: Introduction = intro) {
  const fake = new Fake();
  let selected = $state<string | null>(null);
  beginAt("t");
  const made = new Course(fake.played, of, () => selected);
  return {
    fake,
    course: made,
    select: (place: string | null) => (selected = place),
    again: () => new Course(fake.played, of, () => selected),
  };
}

beforeEach(() => localStorage.clear());

test("it marks what is to be done, waits for it, and says what came of it", () => {
  const { course: one, select, fake } = course();
  one.follow();
  expect(one.move?.move.say).toBe("Click a1.");
  expect(one.at).toBe(0);
  select("b2");
  one.follow();
  expect(one.at).toBe(0);
  select("a1");
  one.follow();
  expect([one.at, one.came, one.step.title]).toEqual([1, "It is selected.", "Order"]);
  expect(one.move).toMatchObject({ number: 1 });
  fake.lines = [order("go", { pending: true })];
  expect(one.move).toMatchObject({ number: 1 }); // the server hasn't answered yet
  fake.lines = [order("go")];
  expect(one.move).toMatchObject({ number: 2 });
  fake.number = 1;
  one.follow();
  expect([one.at, one.came, one.move]).toEqual([2, "It went.", null]);
});

test("what is only read waits for its button, and the last step is the end", () => {
  const { course: one } = course({ ...intro, steps: [read, end] });
  one.follow();
  expect(one.at).toBe(0);
  one.next();
  expect([one.at, one.isLast]).toEqual([1, true]);
  one.next();
  expect(one.at).toBe(1);
});

test("it helps: selects, orders, files", () => {
  const { course: one, fake } = course();
  one.help();
  expect(one.at).toBe(1);
  one.help();
  expect(fake.lines.map(({ text }) => text)).toEqual(["go"]);
  one.help();
  expect(fake.filed).toBe(1);
});

test("earlier steps can be read again, without playing them again", () => {
  const { course: one, select } = course();
  one.follow();
  select("a1");
  one.follow();
  expect(one.mayGoBack).toBe(true);
  one.goBack();
  expect(one.looking).toEqual({ number: 1, title: "Select", text: ["Select it."] });
  expect(one.move).toBeNull();
  one.goForward();
  expect(one.looking).toBeNull();
  expect(one.at).toBe(1);
});

test("a game that went another way is said to have done so", () => {
  const lost: LessonStep = { title: "Lost", plan: () => null };
  expect(course({ ...intro, steps: [lost] }).course.astray).toBe(true);
  expect(course().course.astray).toBe(false);
});

test("while a turn is played it waits, and shows the step as it was", () => {
  const { course: one, fake } = course();
  expect(one.plan?.text).toEqual(["Select it."]);
  fake.ordering = false;
  expect(one.waiting).toBe(true);
  expect(one.plan?.text).toEqual(["Select it."]);
  fake.over = true;
  expect(one.waiting).toBe(false);
});

test("a sheet that takes no filing yet is waited for", () => {
  const { course: one, fake } = course();
  fake.ready = false;
  expect(one.waiting).toBe(true);
  fake.ready = true;
  expect(one.waiting).toBe(false);
});

test("a browser that comes back finds the step it was at, until the introduction is over", () => {
  const { course: one, again } = course();
  one.next("Done.");
  const later = again();
  expect([later.at, later.came]).toEqual([1, "Done."]);
  expect(isLesson("t")).toBe(true);
  endAt("t");
  expect(isLesson("t")).toBe(false);
});
