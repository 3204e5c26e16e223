/** Checks the partner of a run against the seats of its environments. */
import { existsSync } from "node:fs";
import { didYouMean } from "../../server/formats/did-you-mean.js";
import { TrainerError } from "../errors.js";
import type { GymClient } from "../gym/gym.js";
import type { RunTaskSets } from "../gym/task-set.js";
import type { TrainSettings } from "../settings/settings.js";

/**
 * Checks the partner before the starting model is made, which takes minutes.
 *
 * @throws {TrainerError} SETTINGS_INVALID: no environment has several players, or a seat, an expert or a model is missing
 */
export async function expectSeats(
  { partner, learner_seats }: Pick<TrainSettings, "partner" | "learner_seats">,
  { train, heldOut }: Pick<RunTaskSets, "train" | "heldOut">,
  gym: GymClient,
): Promise<void> {
  if (partner === "self") return;
  if (!train.some(({ seats }) => seats)) {
    const expected = "partner self, since no environment of train_tasks has several players";
    throw new TrainerError("SETTINGS_INVALID", `expected ${expected}, but received ${partner}. Leave partner out.`);
  }
  const path = /^native:(.+)$/s.exec(partner)?.[1];
  if (path !== undefined && !existsSync(path)) {
    const expected = "partner native:PATH with a model in Hugging Face's layout, or a GGUF file";
    throw new TrainerError("SETTINGS_INVALID", `expected ${expected}, but received ${path}, which does not exist`);
  }
  for (const { environment, seats } of [...train, ...heldOut]) {
    if (!seats) continue;
    const problem = unknownSeat(environment, seats, learner_seats ?? []);
    if (problem !== undefined) throw new TrainerError("SETTINGS_INVALID", `learner_seats: ${problem}`);
    if (partner !== "expert" || (await gym.environment(environment)).hasExpert) continue;
    const expected = `another partner than expert, since ${environment} has no expert`;
    throw new TrainerError("SETTINGS_INVALID", `expected ${expected}, but received expert`);
  }
}

/** Explains that a name is not that of a seat; undefined if all names are. */
export function unknownSeat(
  environment: string,
  seats: readonly string[],
  names: readonly string[],
): string | undefined {
  const unknown = names.find((name) => !seats.includes(name));
  if (unknown === undefined) return undefined;
  const received = `${JSON.stringify(unknown)}${didYouMean(unknown, seats)}`;
  return `expected a seat of ${environment} (${seats.join(", ")}), but received ${received}`;
}
