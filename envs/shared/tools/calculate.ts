/** The tool `calculate`, which returns the value of a formula, as an exact fraction where possible. */

import type { Tool } from "../../env.js";
import { calculate } from "../arithmetic/calculate.js";
import type { ToolAnswer, ToolKit } from "./tool-kit.js";

export const calculateTool: Tool = {
  name: "calculate",
  description: "Calculates a formula exactly.",
  parameters: {
    type: "object",
    properties: {
      formula: {
        type: "string",
        description: "Numbers, + - * / ^ ( ), %, sqrt, abs, gcd, lcm, mod, binom, ! and the like, in one line.",
      },
    },
    required: ["formula"],
    additionalProperties: false,
  },
  action: "calculate {formula}",
};

export const calculateKit: ToolKit = {
  tools: [calculateTool],
  requirements: [],
  open: () => ({
    call: async (_, { formula }) => calculated(String(formula)),
    close: async () => {},
  }),
};

/** Calculates a formula. An error in the formula is reported to the agent as the answer. */
export function calculated(formula: string): ToolAnswer {
  try {
    return { text: calculate(formula) };
  } catch (error) {
    if (error instanceof SyntaxError || error instanceof RangeError)
      return { text: `Error: ${error.message}.`, isError: true };
    throw error;
  }
}
