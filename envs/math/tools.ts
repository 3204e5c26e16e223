import type { Tool } from "../env.js";
import { calculateTool } from "../shared/tools/calculate.js";

export const tools: readonly Tool[] = [
  calculateTool,
  {
    name: "submit",
    description: "Gives the answer, which ends the task.",
    parameters: {
      type: "object",
      properties: {
        answer: {
          type: "string",
          description: "The answer alone: a number, a fraction, a list such as 2, 3, an interval such as [1, 5).",
        },
      },
      required: ["answer"],
      additionalProperties: false,
    },
    action: "submit {answer}",
  },
];

export const prompt = `You solve a problem of mathematics, step by step. In each turn you write one action, in a line of its own:

calculate FORMULA
    calculates exactly, such as: calculate (3 + 4) * 12 / 7
submit ANSWER
    gives your answer, such as: submit 12

A formula has numbers, + - * / ^, brackets, % and functions such as sqrt(2), gcd(12, 18), binom(5, 2), 17 mod 5 and 6!.
An answer is a number, worked out: 7, 3/4, 2.5, 40%, 3 sqrt(2) or 12 pi. Where several are right, separate them by commas:
2, 3. Write an interval as [1, 5) or (-2, 2). Where the problem asks for a formula, submit the formula.`;
