/** How the action is taken out of what a policy wrote, and how a policy is told to write it. */

import { TrainerError } from "../errors.js";
import type { Tool } from "../gym/gym.js";
import type { ActionFormat, Instructions } from "./action-format.js";
import { codeAsAction } from "./code-as-action.js";
import { functionCalling } from "./function-calling.js";
import { checkTools } from "./tool-call.js";

const inText = {
  callsTools: false,
  opening: (prompt: string): Instructions => ({ prompt }),
};

/** All of it is the action. */
const plain: ActionFormat = {
  ...inText,
  name: "plain",
  read: (text) => ({ action: text.trim() }),
  write: (action) => action,
};

/**
 * ReAct (Yao et al. 2022) as AgentGym's prompts ask for it: the action is the line that follows the last `Action:`, on
 * the same line or after it. Without one the action is empty, and the environment says what it thinks of that.
 */
const react: ActionFormat = {
  ...inText,
  name: "react",
  read: (text) => ({ action: actions(text).at(-1)?.trim() ?? "" }),
  write: (action) => `Thought:\n\n\nAction:\n${action}`,
};

/**
 * As the clients of AgentGym's text games do it, for results that are to compare with published ones: two `Action:` are
 * refused without asking the environment, and of the action only letters, digits, commas and single spaces are sent.
 */
const agentgym: ActionFormat = {
  ...inText,
  name: "agentgym",
  read(text) {
    const found = actions(text);
    if (found.length > 1) {
      return { refusal: "Error: Only one 'Action' is allowed per response. Please adjust your response." };
    }
    const action = (found[0] ?? "").replace(/[^A-Za-z0-9, ]+/g, "");
    return { action: action.replace(/ +/g, " ").trim() };
  },
  write: react.write,
};

/**
 * As AgentGym's client of SciWorld does it: the action is all that follows the last `Action:`, be it many lines; without
 * one the action is empty.
 */
const agentgymSciworld: ActionFormat = {
  ...inText,
  name: "agentgym-sciworld",
  read: (text) => ({ action: /^.*Action:(.*)$/s.exec(text)?.[1]?.trim() ?? "" }),
  write: react.write,
};

export const actionFormats: ReadonlyMap<string, ActionFormat> = new Map(
  [react, plain, agentgym, agentgymSciworld, functionCalling, codeAsAction].map((format) => [format.name, format]),
);

/** @throws {TrainerError} there is none of this name */
export function actionFormat(name: string): ActionFormat {
  const format = actionFormats.get(name);
  if (format) return format;
  const known = [...actionFormats.keys()].join(", ");
  throw new TrainerError(
    "FORMAT_INVALID",
    `expected one of the action formats ${known}, but received ${JSON.stringify(name)}`,
  );
}

/** @throws {TrainerError} a format that calls tools, and an environment without */
export function expectPlayable({ name, callsTools }: ActionFormat, environment: string, tools: readonly Tool[]): void {
  if (!callsTools) return;
  if (tools.length > 0) return checkTools(tools);
  throw new TrainerError(
    "FORMAT_INVALID",
    `expected an environment with tools for the format ${name}, but received ${environment} without`,
  );
}

/** The line after each `Action:`, over blank ones. */
function actions(text: string): string[] {
  return [...text.matchAll(/Action:\s*([^\n]*)/g)].map(([, line]) => line as string);
}
