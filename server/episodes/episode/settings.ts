/** The settings of an episode, as its row in the log holds them. */
import type { EnvironmentFacts, Options } from "../../../envs/env.js";
import { knownOptions, promptOf, toolsOf } from "../../../envs/registry.js";
import { actionFormat, type EpisodeFormat, episodeFormats } from "../../formats/actions/action-formats.js";
import { toolInstructions } from "../../formats/actions/function-calling.js";
import { offered } from "../../formats/actions/tool-call.js";
import type { OpenRequest } from "../../hosts/protocol.js";
import type { EpisodeRow } from "../../log/records/protocol.js";

export interface EpisodeSettings {
  options: Options;
  format: EpisodeFormat;
}

/** Names that the client gives the episode, to find it again. They change nothing in the episode. */
export interface Labels {
  /** Training run or evaluation that plays the episode, or null. */
  run: string | null;
  /** Policy that plays the episode, or null. */
  policy: string | null;
}

/** Keys among the options. No option has such a name, since names of options consist of word characters. */
const [formatKey, runKey, policyKey] = ["@format", "@run", "@policy"];

/** Returns the text of the row's `options`. It has no format if actions are plain, as in logs of older versions. */
export function settingsText(
  { options, format }: EpisodeSettings,
  { run, policy }: { [label in keyof Labels]?: string | null | undefined } = {},
): string {
  return JSON.stringify({
    ...options,
    ...(format !== "plain" && { [formatKey]: format }),
    ...(run && { [runKey]: run }),
    ...(policy && { [policyKey]: policy }),
  });
}

export function settingsOf(row: Pick<EpisodeRow, "options">): EpisodeSettings {
  const { [formatKey]: format, [runKey]: _, [policyKey]: __, ...options } = JSON.parse(row.options) as Options;
  return { options, format: episodeFormats.find((name) => name === format) ?? "plain" };
}

/** Whether the episode may have a run, without parsing its settings. */
export function hasRun({ options }: Pick<EpisodeRow, "options">): boolean {
  return options.includes(runKey);
}

export function labelsOf(row: Pick<EpisodeRow, "options">): Labels {
  const { [runKey]: run = null, [policyKey]: policy = null } = JSON.parse(row.options) as Options;
  return { run, policy };
}

/** @param resetResult JSON text of the logged reset result, or "" */
export function openRequestOf(row: EpisodeRow, resetResult: string): OpenRequest {
  const { key, environment, split, taskIndex, seed, maxSteps } = row;
  const task = { split, index: taskIndex };
  return { episode: key, environment, task, seed, ...settingsOf(row), maxSteps, resetResult };
}

/** Returns the instructions for an agent that plays with these settings. @param seat seat of the agent, if there are seats */
export function instructionsOf(spec: EnvironmentFacts, { options, format }: EpisodeSettings, seat?: string): string {
  const known = knownOptions(spec, options);
  const prompt = promptOf(spec, known, seat);
  if (format === "plain" || format === (spec.promptFormat ?? "plain")) return prompt;
  const tools = offered(toolsOf(spec, known, seat));
  const { prompt: told } = actionFormat(format).opening(prompt, tools);
  if (format === "react") return `${told.trimEnd()}\n\n${reactForm}`;
  return format === "tool_call" ? `${told}\n\n${toolInstructions(tools)}` : told;
}

const reactForm =
  "In place of any format of replies above: each reply is a thought and exactly one action, in this form:\n\nThought:\nyour thought\n\nAction:\nyour action";
