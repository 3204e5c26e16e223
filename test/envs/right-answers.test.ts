/** Details of a task that any caller may read do not reveal its answer. */
import { expect, test } from "vitest";
import { shownMetadata } from "#palestra/envs/shared/questions/question.js";

test("metadata of a question is shown without proofs, answers and lists", () => {
  const metadata = {
    hops: 2,
    type: "own",
    level: "hard",
    evidence: ["page-1"],
    proof: [{ page: "page-1", text: "Ada Lovelace wrote it." }],
    answer_type: "person",
    supporting_facts: "page-1",
    reference_steps: "Look her up.",
    hint: "It was ada lovelace.",
    details: { answer: "Ada Lovelace" },
  };
  expect(shownMetadata({ id: "1", question: "Who?", golden: ["Ada Lovelace"], metadata })).toEqual({
    hops: 2,
    type: "own",
    level: "hard",
  });
});
