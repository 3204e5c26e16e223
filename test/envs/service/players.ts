/** Players of service. */
import type { Case, Slot } from "#palestra/envs/service/cases/case.js";
import { refusalOf } from "#palestra/envs/service/cases/outcome.js";
import { Service } from "#palestra/envs/service/env.js";
import { bestAction, nextAction, questions } from "#palestra/envs/service/expert.js";
import service from "#palestra/envs/service/index.js";
import { callText } from "#palestra/envs/service/score.js";

export interface Played {
  service: Service;
  family: string;
  reward: number;
  steps: number;
  /** All texts of the episode. */
  text: string;
  info: Record<string, unknown>;
}

/** Returns the next action, or null to give up. */
export type Player = (instance: Service, step: number) => string | null;

export function play(split: string, index: number, player: Player, seed = 0): Played {
  const instance = new Service();
  const { observation, info } = instance.reset({ task: { split, index }, seed, options: {} });
  const texts = [service.prompt, observation];
  const played = { service: instance, family: String(info.family) };
  for (let step = 0; step < service.maxSteps; step++) {
    const action = player(instance, step);
    if (action === null) break;
    const result = instance.step(action);
    texts.push(action, result.observation);
    if (!result.terminated) continue;
    return { ...played, reward: result.reward, steps: step + 1, text: texts.join("\n"), info: result.info };
  }
  return { ...played, reward: 0, steps: service.maxSteps, text: texts.join("\n"), info: {} };
}

export interface Total {
  mean: number;
  /** Share of tasks with the reward 1. */
  perfect: number;
}

/** Plays the first tasks of a split. */
export function playAll(split: string, tasks: number, player: () => Player): Total {
  let [sum, perfect] = [0, 0];
  for (let index = 0; index < tasks; index++) {
    const { reward } = play(split, index, player());
    sum += reward;
    perfect += reward === 1 ? 1 : 0;
  }
  return { mean: sum / tasks, perfect: perfect / tasks };
}

export const expert: Player = nextAction;

/** Plays a list of actions. */
export function fixed(actions: readonly string[]): Player {
  return (_, step) => actions[step] ?? null;
}

/** Asks for everything first, and for a yes before each change. */
export function alwaysAsks(): Player {
  const { postcode, ...others } = questions;
  const asked = [postcode, ...Object.values(others), "Which one would you like instead?"];
  let hasConfirmed = false;
  return (instance) => {
    const question = asked.shift();
    if (question) return question;
    const action = bestAction(instance);
    const isChange = action !== null && /^(change|cancel|swap|return|exchange|upgrade|compensate)/.test(action);
    if (!isChange || hasConfirmed) return action;
    hasConfirmed = true;
    return "Shall I go ahead?";
  };
}

/**
 * Never asks for what the customer wants. The first of the possible values in the records stands for each value that only the
 * customer knows.
 *
 * @param mayProve whether the player asks for the name and the postcode, and for a yes to a price
 */
export function neverAsks(mayProve: boolean): () => Player {
  return () => {
    let isDone = false;
    return (instance) => {
      const one = instance.case as Case;
      const action = bestAction(instance) ?? "end_conversation";
      const isQuestion = /^say .*\?/.test(action);
      const isProof = Object.values(questions).slice(0, 3).includes(action.slice(4)) || action.includes("Shall I");
      if (isQuestion && isProof && mayProve) return action;
      if (!isQuestion && !/^(change|cancel|swap|return|exchange|upgrade|compensate)/.test(action)) return action;
      if (isDone) return "end_conversation";
      isDone = true;
      return guessed(one);
    };
  };
}

/** Returns the wished change with guesses in place of the values that only the customer knows. */
function guessed(one: Case): string {
  const { change } = refusalOf(one) ? one.fallback : one.wish;
  if (!change) return "end_conversation";
  const unknown = Object.values(one.slots).filter(({ known, choices }) => known === "asked" && choices.length > 0);
  const args = change.args.map((arg) => unknown.reduce(replaced, arg));
  return callText({ ...change, args });
}

function replaced(arg: string, { value, choices }: Slot): string {
  const guess = choices[0] as string;
  if (arg === value) return guess;
  return arg.endsWith(`-${value}`) ? `${arg.slice(0, -value.length)}${guess}` : arg;
}
