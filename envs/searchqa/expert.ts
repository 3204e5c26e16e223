import type { Question } from "../questions/question.js";

interface Past {
  searches: readonly string[];
  answers: readonly string[];
}

/** Returns the next action: the searches of the plan, or a search for the question itself, and at the end the answer. */
export function nextAction({ question, golden, plan }: Question, { searches }: Past): string {
  const left = (plan?.queries ?? [question]).find((query) => !searches.includes(query));
  return left === undefined ? `<answer>${golden[0]}</answer>` : `<search>${left}</search>`;
}
