import type { Question } from "../shared/questions/question.js";
import type { Past } from "./env.js";

/**
 * Returns the next action: for each step of the question's plan, a search and then the page found; at the end, the
 * answer.
 */
export function nextAction({ question, golden, plan }: Question, { searches, opens }: Past): string {
  const { queries, pages } = plan ?? { queries: [question], pages: [] };
  for (const [at, query] of queries.entries()) {
    if (!searches.includes(query)) return `<search>${query}</search>`;
    const page = pages[at];
    if (page !== undefined && !opens.includes(page)) return `<open>${page} from 0</open>`;
  }
  return `<answer>${golden[0]}</answer><cite>${pages.join(", ")}</cite>`;
}
