import type { Question } from "../shared/questions/question.js";

interface Past {
  searches: readonly string[];
}

/**
 * Returns the next action: first the searches of the plan, or one search for the question if no plan exists; then the
 * answer.
 */
export function nextAction({ question, golden, plan }: Question, { searches }: Past): string {
  const left = (plan?.queries ?? [question]).find((query) => !searches.includes(query));
  return left === undefined ? `<answer>${golden[0]}</answer>` : `<search>${left}</search>`;
}
