/** Checks the partner of a run against the seats of its environments. */
import { TrainerError } from "../errors.js";
import type { GymClient } from "../gym/gym.js";
import type { RunTaskSets } from "../gym/task-set.js";
import type { TrainSettings } from "../settings/settings.js";

/** @throws {TrainerError} SETTINGS_INVALID: no environment has several players, or a seat or an expert is missing */
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
  for (const { environment, seats } of [...train, ...heldOut]) {
    if (!seats) continue;
    expectSeatsOf(environment, seats, learner_seats ?? []);
    if (partner !== "expert" || (await gym.environment(environment)).hasExpert) continue;
    const expected = `another partner than expert, since ${environment} has no expert`;
    throw new TrainerError("SETTINGS_INVALID", `expected ${expected}, but received expert`);
  }
}

/** @throws {TrainerError} SETTINGS_INVALID: a name is not that of a seat */
export function expectSeatsOf(environment: string, seats: readonly string[], names: readonly string[]): void {
  const unknown = names.find((name) => !seats.includes(name));
  if (unknown === undefined) return;
  const expected = `a seat of ${environment} (${seats.join(", ")})`;
  throw new TrainerError("SETTINGS_INVALID", `expected ${expected}, but received ${JSON.stringify(unknown)}`);
}
