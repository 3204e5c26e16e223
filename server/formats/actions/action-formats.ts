/** The action formats, by name: the instructions for a policy and the parser of its replies. */

import { type ActionFormat, FormatError, type Instructions, type Tool } from "./action-format.js";
import { codeAsAction } from "./code-as-action.js";
import { functionCalling } from "./function-calling.js";
import { react } from "./react.js";
import { checkTools } from "./tool-call.js";

const inText = {
  callsTools: false,
  opening: (prompt: string): Instructions => ({ prompt }),
};

/** Format in which the whole reply is the action. */
const plain: ActionFormat = {
  ...inText,
  name: "plain",
  read: (text) => ({ action: text.trim() }),
  write: (action) => action,
};

/**
 * The format of AgentGym's clients for text games, for results that can be compared with published ones. A reply with
 * two `Action:` is refused without a step. The action is reduced to letters, digits, commas and single spaces.
 */
const agentgym: ActionFormat = {
  ...inText,
  name: "agentgym",
  read(text) {
    const found = [...text.matchAll(/Action:\s*([^\n]*)/g)].map(([, line]) => line as string);
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

/** The formats in which the gym itself reads actions, as an episode's `format`. The others are those of published results. */
export const episodeFormats = ["plain", "react", "tool_call", "code"] as const;

export type EpisodeFormat = (typeof episodeFormats)[number];

/** Earlier names of formats, which settings of older runs contain. */
const earlierNames: Readonly<Record<string, string>> = { "function-calling": "tool_call", "code-as-action": "code" };

/** All names by which `actionFormat` finds a format. */
export const actionFormatNames: readonly string[] = [...actionFormats.keys(), ...Object.keys(earlierNames)];

/** Finds an action format. @throws {FormatError} the name is unknown */
export function actionFormat(name: string): ActionFormat {
  const format = actionFormats.get(earlierNames[name] ?? name);
  if (format) return format;
  const known = [...actionFormats.keys()].join(", ");
  throw new FormatError(`expected one of the action formats ${known}, but received ${JSON.stringify(name)}`);
}

/** Checks that an environment can be played in a format. @throws {FormatError} no tools */
export function expectPlayable({ name, callsTools }: ActionFormat, environment: string, tools: readonly Tool[]): void {
  if (!callsTools) return;
  if (tools.length > 0) return checkTools(tools);
  throw new FormatError(
    `expected an environment with tools for the format ${name}, but received ${environment}, which has no tools`,
  );
}
