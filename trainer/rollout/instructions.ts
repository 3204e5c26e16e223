/** The instructions of an episode: those of its environment and its action format, and worked examples of a run. */
import type { ActionFormat, Instructions } from "../../server/formats/actions/action-format.js";
import type { GymEpisode } from "../gym/gym.js";

/** Worked examples as text, by the key of their environment and seat. */
export type PromptExamples = ReadonlyMap<string, string>;

export interface InstructionSettings {
  readonly format: ActionFormat;
  /** Examples, added to the instructions of their environment and seat. Default: none. */
  readonly examples?: PromptExamples | undefined;
}

/** The prompt and the tools of an episode's player, or of the player of a seat. */
export interface Place extends Pick<GymEpisode, "environment" | "prompt" | "tools"> {
  readonly seat?: string | undefined;
}

/** Returns the instructions of each seat, in the order of play. */
export function instructionsBySeat(
  settings: InstructionSettings,
  { environment }: Pick<GymEpisode, "environment">,
): Readonly<Record<string, Instructions>> {
  const places = [...(environment.seats ?? [])];
  return Object.fromEntries(
    places.map(([seat, place]) => [seat, instructionsFor(settings, { environment, seat, ...place })]),
  );
}

export function instructionsFor(
  { format, examples }: InstructionSettings,
  { environment, prompt, tools, seat }: Place,
): Instructions {
  const opening = format.opening(prompt, tools);
  const shown = examples?.get(examplesKey(environment.id, seat));
  return shown === undefined ? opening : { ...opening, prompt: `${opening.prompt.trimEnd()}\n\n${shown}` };
}

/** Returns the key of the worked examples of an environment (`id@version`), or of one of its seats. */
export function examplesKey(environment: string, seat?: string): string {
  return seat === undefined ? environment : `${environment}, seat ${seat}`;
}
