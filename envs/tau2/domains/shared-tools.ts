/** Tools that several domains have. */
import { calculate } from "../python/calculate.js";
import type { Value } from "../python/value.js";
import { textParameter } from "./schemas.js";
import type { DomainTool } from "./toolkit.js";

export const calculator: DomainTool = {
  kind: "generic",
  description: "Computes an expression of numbers, + - * / and parentheses.",
  parameters: { expression: textParameter("The expression, such as (2 + 2) * 3.") },
  run: (_, { expression }) => calculate(expression as Value),
};

export const transfer: DomainTool = {
  kind: "generic",
  description:
    "Hands the conversation over to a human agent, if the user asks for one or the policy leaves no other way.",
  parameters: { summary: textParameter("Summary of the user's issue.") },
  run: () => "Transfer successful",
};
