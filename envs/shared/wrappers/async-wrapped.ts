import type { AsyncEnvironment, ResetRequest, ResetResult, StepResult } from "../../env.js";
import { EnvironmentClosed } from "../../errors.js";
import { type Phase, refusalIn } from "./order-enforcing.js";

/**
 * Wraps an async environment: refuses calls in the wrong order, and truncates an episode at step `maxSteps`.
 * OrderEnforcing and TimeLimit do the same for a synchronous environment.
 *
 * @throws {ResetNeeded} `step` before the first `reset` has finished
 * @throws {EpisodeOver} `step` after `terminated` or `truncated`
 * @throws {EnvironmentClosed} `reset` or `step` after `close`
 */
export class AsyncWrapped implements AsyncEnvironment {
  private phase: Phase = "new";
  private steps = 0;

  constructor(
    private readonly inner: AsyncEnvironment & { unwrapped?: AsyncEnvironment },
    private readonly maxSteps: number,
  ) {}

  /** The engine inside all wrappers. */
  get unwrapped(): AsyncEnvironment {
    return this.inner.unwrapped ?? this.inner;
  }

  async reset(request: ResetRequest, signal: AbortSignal): Promise<ResetResult> {
    if (this.phase === "closed") throw new EnvironmentClosed("reset");
    this.phase = "new";
    this.steps = 0;
    const result = await this.inner.reset(request, signal);
    this.enter("playing");
    return result;
  }

  async step(action: string, signal: AbortSignal): Promise<StepResult> {
    if (this.phase !== "playing") throw refusalIn(this.phase);
    const result = await this.inner.step(action, signal);
    this.steps += 1;
    if (this.steps >= this.maxSteps && !result.terminated) result.truncated = true;
    if (result.terminated || result.truncated) this.enter("over");
    return result;
  }

  async close(): Promise<void> {
    if (this.phase === "closed") return;
    this.phase = "closed";
    await this.inner.close();
  }

  /** Sets the phase, unless the instance was closed in the meantime. */
  private enter(phase: Phase): void {
    if (this.phase !== "closed") this.phase = phase;
  }
}
