/** The instructions of an episode: those of its environment and its action format, and worked examples of a run. */
import type { ActionFormat, Instructions } from "../../server/formats/actions/action-format.js";
import type { GymEpisode } from "../gym/gym.js";

/** Worked examples as text, by environment (`id@version`). */
export type PromptExamples = ReadonlyMap<string, string>;

export interface InstructionSettings {
  readonly format: ActionFormat;
  /** Examples, added to the instructions of their environment. Default: none. */
  readonly examples?: PromptExamples | undefined;
}

export function instructionsFor(
  { format, examples }: InstructionSettings,
  { environment, prompt, tools }: Pick<GymEpisode, "environment" | "prompt" | "tools">,
): Instructions {
  const opening = format.opening(prompt, tools);
  const shown = examples?.get(environment.id);
  return shown === undefined ? opening : { ...opening, prompt: `${opening.prompt.trimEnd()}\n\n${shown}` };
}
