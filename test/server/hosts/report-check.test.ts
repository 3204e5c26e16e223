/** Reports of a host process: which reports the gym accepts, and which it refuses as false. */
import { beforeEach, describe, expect, test } from "vitest";
import { ReportCheck } from "#palestra/server/hosts/process/report-check.js";
import type { Command, OpenRequest, Result } from "#palestra/server/hosts/protocol.js";
import { Ended, type Ending } from "#palestra/server/log/records/episode-state.js";
import { StepPageWriter } from "#palestra/server/log/records/step-page.js";

const request: OpenRequest = {
  episode: 70,
  environment: "maze@1",
  task: { split: "all", index: 0 },
  seed: 0,
  options: {},
  format: "plain",
  maxSteps: 10,
  resetResult: "",
};
const slot = 7;
const replyOf = (index: number) => `{"index":${index},"observation":"on"}`;

let check: ReportCheck;
const results = (...all: (number | Result)[]) => check.check({ type: "report", endings: [], results: all }, "", 1);

/** Reports a step as a process does. */
function step(
  index: number,
  { episode = 70, action = "go", ended = Ended.no as Ended, reply = replyOf(index), endings = [] as Ending[] } = {},
) {
  const page = new StepPageWriter();
  const headLength = page.add(episode, index, action, reply, ended);
  return check.check(
    { type: "report", endings, results: [slot, ended, headLength, reply.length] },
    page.take().lines,
    1,
  );
}

beforeEach(() => {
  check = new ReportCheck();
  check.sent([{ type: "open", slot, request }]);
  results({ type: "opened", slot, resetResult: "{}" });
  check.sent([slot, "go", slot, "go"]);
});

describe("a report is accepted", () => {
  test("if its steps are those that the gym sent, in the same order", () => {
    expect(step(0)).toMatchObject({ page: { places: [70, 0] } });
    expect(step(1, { ended: Ended.terminated })).toMatchObject({ page: { places: [70, 1] } });
  });

  test("if a verdict comes with the step that ended its episode", () => {
    const ending = { episode: 70, kind: "solved" as const, detail: '{"return":1,"steps":1,"why":"found"}' };
    expect(step(0, { ended: Ended.terminated, endings: [ending] })).toMatchObject({ endings: [ending] });
  });

  test("if a slot ends on its own while its owner closes it", () => {
    step(0);
    step(1, { ended: Ended.terminated });
    check.sent([{ type: "finish", slot }]);
    expect(results({ type: "closed", slot })).toMatchObject({ type: "report" });
  });

  test("if a step was taken before the slot was closed", () => {
    check.sent([{ type: "close", slot }]);
    expect(step(0)).toMatchObject({ page: { places: [70, 0] } });
  });
});

test.each<Command>([
  { type: "replay", slot, history: [] },
  { type: "clone", slot, copy: 8, episode: 71 },
  { type: "ask", slot, question: "expert" },
  { type: "finish", slot },
  { type: "close", slot },
])("a command for a slot that has ended is accepted: %j", (command) => {
  results({ type: "lost", slot, code: "SANDBOX_LOST", expected: "", received: "The sandbox ended." });
  expect(() => check.sent([command])).not.toThrow();
});

describe("a report is refused", () => {
  test.each([
    ["of another episode", { episode: 71 }],
    ["with another action", { action: "stay" }],
    ["whose reply is not JSON", { reply: "{" }],
    ["whose reply has another index", { reply: replyOf(1) }],
  ])("if it contains a step %s", (_, lie) => {
    expect(() => step(0, lie)).toThrow();
  });

  test("if it skips or repeats a step, or has more steps than the gym sent", () => {
    expect(() => step(1)).toThrow(/expected the step/);
    check.sent([{ type: "open", slot, request }, slot, "go"]);
    step(0);
    expect(() => step(0)).toThrow(/expected no step/);
  });

  test("if it has a step of a slot that has ended or was never opened", () => {
    results({ type: "failed", slot, code: "ENVIRONMENT_THREW", detail: "", trace: "" });
    expect(() => step(0)).toThrow(/expected no step of slot 7/);
  });

  test.each([
    ["on an episode that goes on", Ended.no, {}],
    ["on another episode", Ended.terminated, { episode: 71 }],
    ["without its return", Ended.terminated, { detail: '{"steps":1,"why":"found"}' }],
    ["of an unknown kind", Ended.terminated, { kind: "closed" as "solved" }],
  ])("if it has a verdict %s", (_, ended, lie) => {
    const ending = { episode: 70, kind: "solved" as const, detail: '{"return":1,"steps":1,"why":"found"}' };
    expect(() => step(0, { ended, endings: [{ ...ending, ...lie }] })).toThrow();
  });

  test("if it has more lines than steps", () => {
    expect(() => check.check({ type: "report", endings: [], results: [] }, "more\n", 1)).toThrow(
      /expected the end of the page/,
    );
  });
});
