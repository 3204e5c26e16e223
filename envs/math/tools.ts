import type { Tool, ToolParameters } from "../env.js";

function text(name: string, description: string): ToolParameters {
  const properties = { [name]: { type: "string", description } } as const;
  return { type: "object", properties, required: [name], additionalProperties: false };
}

export const tools: readonly Tool[] = [
  {
    name: "calculate",
    description: "Calculates a formula exactly.",
    parameters: text(
      "formula",
      "Numbers, + - * / ^ ( ), %, sqrt, abs, gcd, lcm, mod, binom, ! and the like, in one line.",
    ),
    action: "calculate {formula}",
  },
  {
    name: "submit",
    description: "Gives the answer, which ends the task.",
    parameters: text(
      "answer",
      "The answer alone: a number, a fraction, a list such as 2, 3, an interval such as [1, 5).",
    ),
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
