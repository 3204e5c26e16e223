/** Words of the sentences about the end of an episode. */
import { expect, test } from "vitest";
import type { EpisodeEnd } from "#palestra/envs/env.js";
import { verdictOfAnswer } from "#palestra/envs/shared/verdicts/of-answer.js";
import { brief, counted, listed, span, told } from "#palestra/envs/shared/verdicts/words.js";
import { verdictOf as workbench } from "#palestra/envs/workbench/verdict.js";

function end(changes: Partial<EpisodeEnd> = {}, terminated = true): EpisodeEnd {
  const result = { observation: "", reward: 0, terminated, truncated: !terminated, info: {} };
  return { solved: false, return: 0, steps: 2, action: "", result, ...changes };
}

test.each([
  ["Lyon", "Lyon"],
  ["New York", "New York"],
  ["-3/4", "-3/4"],
  ["10.5", "10.5"],
  ["The Beekeeper's Debt", "The Beekeeper's Debt"],
  ["Paris.", '"Paris."'],
  ["1, 2", '"1, 2"'],
  ["a\n  b;", '"a b;"'],
  ["", '""'],
  ["x".repeat(500), JSON.stringify(`${"x".repeat(160)}…`)],
])("the text %j is shown as %s", (text, shown) => {
  expect(told(text)).toBe(shown);
});

test("lists and counts are words of a sentence", () => {
  expect([1, 2].map((count) => counted(count, "step"))).toEqual(["1 step", "2 steps"]);
  expect(listed([])).toBe("");
  expect(listed(["a"])).toBe("a");
  expect(listed(["a", "b"])).toBe("a and b");
  expect(listed(["a", "b", "c", "d"], 2)).toBe("a, b and 2 more");
  expect(brief("🦜".repeat(10), 5)).toBe("🦜🦜\ufffd…");
  expect([true, false].map((terminated) => span(end({ steps: 1 }, terminated)))).toEqual([
    "in 1 step",
    "within 1 step",
  ]);
});

test.each([
  [{ answer: "Lyon", isRight: true }, {}, "Answered Lyon, as expected."],
  [{ answer: "Paris" }, {}, "Answered Paris, expected Lyon."],
  [{ answer: " \n" }, {}, "Answered nothing, expected Lyon."],
  [{ answer: "Lyon town" }, { return: 2 / 3 }, "Answered Lyon town, expected Lyon (return 0.6667)."],
  [{ answer: "Paris", answers: 3 }, {}, "Gave 3 wrong answers, the last Paris, expected Lyon."],
  [{ answer: undefined }, {}, "Gave no answer in 2 steps; expected Lyon."],
  [{ answer: undefined, accepted: [] }, {}, "Gave no answer in 2 steps."],
])("the answer %j is judged in a sentence", (given, changes, why) => {
  const verdict = verdictOfAnswer(end(changes), { isRight: false, accepted: ["Lyon"], ...given });
  expect(verdict.why).toBe(why);
});

test("several accepted answers are all expected, and the first is shown", () => {
  const given = { answer: "x", isRight: false, accepted: ["Lyon", "Lyons"] };
  expect(verdictOfAnswer(end(), given)).toEqual({ why: "Answered x, expected Lyon.", expected: ["Lyon", "Lyons"] });
});

test.each([
  ["passed  a\nfailed  b\nfailed  c", {}, "2 of 3 checks failed: b and c."],
  [
    "FAILED tests/test_it.py::test_sum - assert 1 == 2\n1 failed",
    {},
    "the check failed: tests/test_it.py::test_sum - assert 1 == 2.",
  ],
  ["Traceback\nKeyError: 'x'", { rewards: { reward: 0.5 } }, `the verifier gave reward 0.5, and said "KeyError: 'x'".`],
  ["", { fault: "the verifier wrote no reward." }, "the verifier gave no reward: the verifier wrote no reward."],
  ["failed  b", { step: "build" }, "the check of the step build failed: b."],
])("the verifier's output %j is judged by its failed checks", (verifierOutput, info, why) => {
  expect(workbench([{ verifierOutput, rewards: { reward: 0 }, ...info }], end()).why).toBe(
    `Submitted the work in 2 steps; ${why}`,
  );
});
