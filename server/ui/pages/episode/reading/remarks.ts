/** Remarks on a step for its reader: a refusal, an error, and an action that changed nothing again. */
import { isRefused } from "../../../../formats/outcomes/failure.js";
import type { Step } from "../../../api.js";

export interface Remark {
  text: string;
  isBad: boolean;
}

/** Number of steps back in which the same action with the same result counts as a repetition. */
const lookBack = 6;

/** Returns the exit code of a command that a sandbox ran, which is the first line of the observation. */
export function exitCodeIn(observation: string): string | undefined {
  return /^exit code: (-?\d{1,10})$/m.exec(observation.slice(0, 500))?.[1];
}

/** Returns the remarks on each step. */
export function remarksOn(steps: readonly Step[]): readonly (readonly Remark[])[] {
  return steps.map((step, at) => [...remarksOf(step), ...repetition(steps, at)]);
}

function remarksOf(step: Step): Remark[] {
  const { read, observation, truncated, terminated } = step;
  const remarks: Remark[] = [];
  if (read === null) remarks.push({ text: "no action read", isBad: true });
  const code = exitCodeIn(observation);
  if (code !== undefined && code !== "0") remarks.push({ text: `exit code ${code}`, isBad: true });
  if (isRefused(step)) remarks.push({ text: "refused", isBad: true });
  if (truncated) remarks.push({ text: "limit reached", isBad: true });
  else if (terminated) remarks.push({ text: "end", isBad: false });
  return remarks;
}

function repetition(steps: readonly Step[], at: number): Remark[] {
  const { action, observation } = steps[at] as Step;
  for (let before = at - 1; before >= Math.max(0, at - lookBack); before--) {
    const step = steps[before] as Step;
    if (step.action === action && step.observation === observation)
      return [{ text: `repeats step ${before + 1}`, isBad: true }];
  }
  return [];
}
