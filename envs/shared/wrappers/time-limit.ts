import type { Environment, ResetRequest, ResetResult, StepResult } from "../../env.js";
import { atOnce } from "../../errors.js";
import { cloneOf, unwrap } from "./order-enforcing.js";

/**
 * Truncates an episode at step `maxSteps`, unless that step terminates the task. A trainer therefore bootstraps from
 * the value of the last state only if the task could have continued.
 */
export class TimeLimit implements Environment {
  private steps = 0;

  constructor(
    private readonly inner: Environment,
    private readonly maxSteps: number,
  ) {}

  /** The engine inside all wrappers. */
  get unwrapped(): Environment {
    return unwrap(this.inner);
  }

  reset(request: ResetRequest): ResetResult {
    this.steps = 0;
    return this.inner.reset(request);
  }

  step(action: string): StepResult {
    const result = atOnce("step", this.inner.step(action));
    this.steps += 1;
    if (this.steps >= this.maxSteps && !result.terminated) result.truncated = true;
    return result;
  }

  close(): void {
    this.inner.close();
  }

  clone(): TimeLimit {
    const copy = new TimeLimit(cloneOf(this.inner), this.maxSteps);
    copy.steps = this.steps;
    return copy;
  }
}
