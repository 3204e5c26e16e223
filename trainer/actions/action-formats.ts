/** The action formats, by name: how a policy is told to write actions, and how the action of a reply is read. */

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

/** The whole reply is the action. */
const plain: ActionFormat = {
  ...inText,
  name: "plain",
  read: (text) => ({ action: text.trim() }),
  write: (action) => action,
};

/**
 * ReAct (Yao et al. 2022) as AgentGym's prompts ask for it: the action is the text after the last `Action:`, on the same
 * line or the next. Without `Action:` the action is empty, which the environment answers.
 */
const react: ActionFormat = {
  ...inText,
  name: "react",
  read: (text) => ({ action: actions(text).at(-1)?.trim() ?? "" }),
  write: (action) => `Thought:\n\n\nAction:\n${action}`,
};

/**
 * The format of AgentGym's clients for text games, for results that compare with published ones. Two `Action:` are refused
 * without a step, and only letters, digits, commas and single spaces of the action are sent.
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
 * The format of AgentGym's client for SciWorld: the action is all text after the last `Action:`, which may be many lines.
 * Without `Action:` the action is empty.
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

/** Finds an action format. @throws {TrainerError} FORMAT_INVALID: there is none of this name */
export function actionFormat(name: string): ActionFormat {
  const format = actionFormats.get(name);
  if (format) return format;
  const known = [...actionFormats.keys()].join(", ");
  throw new TrainerError(
    "FORMAT_INVALID",
    `expected one of the action formats ${known}, but received ${JSON.stringify(name)}`,
  );
}

/** Checks that an environment can be played in a format. @throws {TrainerError} FORMAT_INVALID: it lacks tools */
export function expectPlayable({ name, callsTools }: ActionFormat, environment: string, tools: readonly Tool[]): void {
  if (!callsTools) return;
  if (tools.length > 0) return checkTools(tools);
  throw new TrainerError(
    "FORMAT_INVALID",
    `expected an environment with tools for the format ${name}, but received ${environment} without`,
  );
}

/** The first line that is not blank after each `Action:`. */
function actions(text: string): string[] {
  return [...text.matchAll(/Action:\s*([^\n]*)/g)].map(([, line]) => line as string);
}
