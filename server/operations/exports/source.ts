/** Where exports read episodes: in this gym, or from the gym of the fleet that has the episode. */

import { isElsewhere } from "../../episodes/episode/refusals.js";
import type { Caller, Gym } from "../../episodes/gym.js";
import type { JudgmentStore } from "../../judging/judgment.js";
import type { LoggedStep } from "../../log/records/step-page.js";

export type StepLine = Pick<LoggedStep, "action" | "atMs" | "reply">;

/** Runs a reading operation on the gym that has the episode or environment. Returns its reply as JSON text. */
export type Ask = (
  name: "get" | "opening" | "transcript" | "seat" | "getEnvironment",
  params: { [name: string]: unknown } & ({ episodeId: string } | { environment: string }),
) => Promise<string>;

export interface Source {
  gym: Gym;
  judgments: JudgmentStore;
  caller: Caller;
  owner: string;
  ask: Ask;
}

/** Reads here what this gym has, and asks another gym for the rest. @throws {GymError} */
export async function readAnywhere<T>(here: () => Promise<T>, elsewhere: () => Promise<T>): Promise<T> {
  try {
    return await here();
  } catch (error) {
    if (!isElsewhere(error)) throw error;
    return elsewhere();
  }
}

/** @throws {GymError} EPISODE_UNKNOWN */
export async function expectEpisode({ gym, owner, ask }: Source, episodeId: string): Promise<void> {
  await readAnywhere<unknown>(
    () => gym.find(owner, episodeId),
    () => ask("get", { episodeId }),
  );
}

/** Returns steps from an index on: at least one, unless there are no more. @throws {GymError} */
export function readStepLines(source: Source, episodeId: string, from: number, limit: number): Promise<StepLine[]> {
  const { gym, owner, ask } = source;
  return readAnywhere<StepLine[]>(
    async () => (await gym.reader.readSteps(owner, episodeId, from, limit)).rows,
    async () => linesIn(await ask("transcript", { episodeId, from, limit })),
  );
}

function linesIn(transcript: string): StepLine[] {
  const { steps } = JSON.parse(transcript) as { steps: { action: string; atMs: number | null }[] };
  return steps.map(({ action, atMs, ...reply }) => ({ action, atMs, reply: JSON.stringify(reply) }));
}
