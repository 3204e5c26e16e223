/**
 * The expert: what is done next towards the first goal that is not met yet, by what the world is like now. It
 * remembers nothing, so that it goes on from wherever an agent has got to.
 */
import type { ScienceWorld } from "./env.js";
import { pursue } from "./expert/aims.js";
import { Situation } from "./expert/situation.js";
import { hopeless } from "./expert/step.js";
import { worded } from "./expert/wording.js";

/** The next action, or null where the task is done, or cannot be done any more. */
export function nextAction({ game, isOver }: ScienceWorld): string | null {
  if (!game || isOver) return null;
  const { pending, subject } = game.goals;
  const situation = new Situation(game);
  const [aim, ...later] = pending.flatMap((goal) => goal.aim ?? []);
  if (!aim || later.length + 1 < pending.length) return null;
  // Where nothing is left to do, the goal is met by the time that passes.
  const step = pursue([aim, ...later], subject, situation) ?? situation.do("wait1");
  return step === hopeless || step === undefined ? null : (worded(step, game) ?? null);
}
