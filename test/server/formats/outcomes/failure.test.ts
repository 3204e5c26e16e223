import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import {
  type EpisodeEnd,
  failureKinds,
  failureMeanings,
  failureNames,
  failureOf,
  type TranscriptStep,
} from "#palestra/server/formats/outcomes/failure.js";
import { failureOfRecord } from "#palestra/server/formats/outcomes/record-failure.js";
import { root } from "../../../support/server-process.js";

/** Steps as pairs of words: the action and the observation. An action in brackets was not read. */
function stepsOf(...pairs: [action: string, observation: string][]): TranscriptStep[] {
  return pairs.map(([action, observation]) => ({
    action: `Action: ${action}`,
    read: action.startsWith("(") ? null : action,
    observation,
  }));
}

const different = stepsOf(["north", "a hall"], ["east", "a cellar"], ["take key", "taken"], ["open", "it is locked"]);
const bumps = (count: number) => stepsOf(...Array.from({ length: count }, (): [string, string] => ["go", "a wall"]));

function kindOf(steps: readonly TranscriptStep[], end: EpisodeEnd = "limit") {
  return failureOf({ steps, end, solved: false });
}

describe("the failure of an episode", () => {
  test("is none if the episode was solved, runs, or was closed without a sign of a failure", () => {
    expect(failureOf({ steps: bumps(9), end: "terminated", solved: true })).toBeUndefined();
    expect(kindOf(bumps(9), "running")).toBeUndefined();
    expect(kindOf(different, "closed")).toBeUndefined();
    expect(kindOf([], "closed")).toBeUndefined();
  });

  test("is of the gym or of the policy if the episode failed, by the class of the failure", () => {
    const failed = (failureClass?: string) =>
      failureOf({ steps: bumps(9), end: "failed", solved: false, failureClass })?.kind;
    expect(["infrastructure", "environment", "capacity", undefined].map(failed)).toEqual(
      Array.from({ length: 4 }, () => "gym-failure"),
    );
    expect(["policy", "agent"].map(failed)).toEqual(["policy-failure", "policy-failure"]);
  });

  test("is a wrong answer if the environment ended the episode, even after a loop", () => {
    expect(kindOf([...bumps(9), ...different], "terminated")).toEqual({ kind: "wrong-answer" });
    expect(kindOf([], "terminated")).toEqual({ kind: "wrong-answer" });
  });

  test("is a limit if no step shows another kind", () => {
    expect(kindOf(different)).toEqual({ kind: "limit" });
    expect(kindOf(different, "truncated")).toEqual({ kind: "limit" });
    expect(kindOf([])).toEqual({ kind: "limit" });
  });

  test("is a loop if equal actions with equal observations last until the end", () => {
    expect(kindOf([...different, ...bumps(3)])).toEqual({ kind: "looped", firstStep: 5, steps: 3 });
    expect(kindOf([...different, ...bumps(2)])).toEqual({ kind: "limit" });
    // The action is the same, and the observation changes.
    expect(kindOf(stepsOf(["go", "1"], ["go", "2"], ["go", "3"], ["go", "4"]))).toEqual({ kind: "limit" });
  });

  test("is a loop if a cycle of up to six steps comes three times", () => {
    const round = stepsOf(["left", "a hall"], ["right", "a cellar"], ["look", "dark"]);
    expect(kindOf([...different, ...round, ...round, ...round])).toEqual({ kind: "looped", firstStep: 5, steps: 9 });
    expect(kindOf([...different, ...round, ...round])).toEqual({ kind: "limit" });
  });

  test("is a loop that ended only if it took half of the steps", () => {
    expect(kindOf([...bumps(4), ...different])).toEqual({ kind: "looped", firstStep: 1, steps: 4 });
    expect(kindOf([...bumps(3), ...different])).toEqual({ kind: "limit" });
  });

  test("is unread replies if half of the replies had no action, also if they repeat", () => {
    const unread = stepsOf(["(none)", "Error: expected an action"], ["(none)", "Error: expected an action"]);
    expect(kindOf([...unread, ...different.slice(0, 2)])).toEqual({ kind: "unread-reply", firstStep: 1, steps: 2 });
    expect(kindOf([...different, ...unread, ...unread])).toEqual({ kind: "unread-reply", firstStep: 5, steps: 4 });
    expect(kindOf([...different, ...unread])).toEqual({ kind: "limit" });
  });

  test.each([
    ["The action is not recognized. Please check valid actions.", undefined],
    ["No known action matches that input.", undefined],
    ["Could not execute fly", undefined],
    ["Invalid action fly", undefined],
    ["Try again.", { action: "invalid" }],
  ])("is a wrong format if the environment refused half of the actions: %s", (observation, info) => {
    const refused = { action: "fly", observation, ...(info && { info }) };
    expect(kindOf([...different.slice(0, 2), refused, refused])).toEqual({
      kind: "wrong-format",
      firstStep: 3,
      steps: 2,
    });
    expect(kindOf([...different, refused], "terminated")).toEqual({ kind: "wrong-format", firstStep: 5, steps: 1 });
    expect(kindOf([...different, refused])).toEqual({ kind: "limit" });
  });
});

test("the trainer's page has every kind with its name and its meaning, in the order in which they are found", () => {
  const page = readFileSync(join(root, "trainer/README.md"), "utf8");
  const rows = failureKinds.map((kind) => `| \`${kind}\` | ${failureNames[kind]} | ${failureMeanings[kind]} |`);
  expect(page).toContain(`|---|---|---|\n${rows.join("\n")}\n`);
});

describe("the failure of a recorded episode", () => {
  const turn = { reply: "Action:\ngo", action: "go", observation: "a wall" };

  test("reads turns without an action as unread, and refused ones as malformed", () => {
    const of = (turns: Parameters<typeof failureOfRecord>[0]["turns"]) =>
      failureOfRecord({ status: "limit", solved: false, turns });
    expect(of([turn, { reply: "hm", observation: "Error" }])).toMatchObject({ kind: "unread-reply" });
    expect(of([turn, { ...turn, invalid: true }])).toMatchObject({ kind: "wrong-format" });
    expect(of([turn, turn, turn])).toEqual({ kind: "looped", firstStep: 1, steps: 3 });
  });

  test("of one whose context ended is a limit", () => {
    const turns = [{ reply: "", observation: "" }];
    expect(failureOfRecord({ status: "limit", solved: false, turns })).toEqual({ kind: "limit" });
  });
});
