/**
 * The expert: returns the next step towards the first unmet goal. The step depends only on the current state, so the
 * expert can continue from any state that an agent has reached.
 */
import type { ScienceWorld } from "./env.js";
import { pursue } from "./expert/aims.js";
import { Situation } from "./expert/situation.js";
import { hopeless } from "./expert/step.js";
import { worded } from "./expert/wording.js";

/** Returns the next action, or null if the task is done or has become impossible. */
export function nextAction({ game, isOver }: ScienceWorld): string | null {
  if (!game || isOver) return null;
  const { pending, subject } = game.goals;
  const situation = new Situation(game);
  const [aim, ...later] = pending.flatMap((goal) => goal.aim ?? []);
  if (!aim || later.length + 1 < pending.length) return null;
  // If nothing is left to do, the goal is met by waiting.
  const step = pursue([aim, ...later], subject, situation) ?? situation.do("wait1");
  return step === hopeless || step === undefined ? null : (worded(step, game) ?? null);
}
