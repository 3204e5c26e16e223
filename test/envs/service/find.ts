/** Instances of service with a task of a certain kind. */
import type { Case } from "#palestra/envs/service/cases/case.js";
import { Service } from "#palestra/envs/service/env.js";
import { bestAction } from "#palestra/envs/service/expert.js";
import { caseOf } from "#palestra/envs/service/tasks.js";

/** Returns the case of the first task of training that fits. */
export function findCase(fits: (one: Case) => boolean): { index: number; one: Case } {
  for (let index = 0; index < 3_000; index++) {
    const one = caseOf({ split: "train", index });
    if (fits(one)) return { index, one };
  }
  throw new Error("expected a task that fits, but received none of 3,000");
}

/** An instance in the first task that fits. */
export function start(fits: (one: Case) => boolean, seed = 0) {
  const { index, one } = findCase(fits);
  const service = new Service();
  const { observation } = service.reset({ task: { split: "train", index }, seed, options: {} });
  const step = (action: string) => service.step(action);
  /** Plays the expert's actions before the first that fits. */
  const until = (isNext: (action: string) => boolean): string => {
    for (let steps = 0; steps < 40; steps++) {
      const action = bestAction(service) as string;
      if (isNext(action)) return action;
      service.step(action);
    }
    throw new Error("expected an action that fits, but received none");
  };
  /** Plays the expert's actions to the end, and returns the reward. */
  const finish = (): number => {
    for (;;) {
      const { reward, terminated } = service.step(bestAction(service) as string);
      if (terminated) return reward;
    }
  };
  return { service, one, observation, step, until, finish };
}

export const isSigned = ({ introduction }: Case) => introduction === "signed in";
