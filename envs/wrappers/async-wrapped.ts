import type { AsyncEnvironment, ResetRequest, ResetResult, StepResult } from "../env.js";
import { EnvironmentClosed } from "../errors.js";
import { type Phase, refusalIn } from "./order-enforcing.js";

/**
 * An async environment in what every environment is played in: calls out of order are refused, and the `maxSteps`-th step
 * truncates an episode that goes on.
 *
 * @throws {ResetNeeded} `step` before the first `reset` is done
 * @throws {EpisodeOver} `step` after `terminated` or `truncated`
 * @throws {EnvironmentClosed} `reset` or `step` after `close`
 */
export class AsyncWrapped implements AsyncEnvironment {
  private phase: Phase = "new";
  private steps = 0;

  constructor(
    /** The environment itself. */
    readonly unwrapped: AsyncEnvironment,
    private readonly maxSteps: number,
  ) {}

  async reset(request: ResetRequest, signal: AbortSignal): Promise<ResetResult> {
    if (this.phase === "closed") throw new EnvironmentClosed("reset");
    this.phase = "new";
    this.steps = 0;
    const result = await this.unwrapped.reset(request, signal);
    this.enter("playing");
    return result;
  }

  async step(action: string, signal: AbortSignal): Promise<StepResult> {
    if (this.phase !== "playing") throw refusalIn(this.phase);
    const result = await this.unwrapped.step(action, signal);
    this.steps += 1;
    if (this.steps >= this.maxSteps && !result.terminated) result.truncated = true;
    if (result.terminated || result.truncated) this.enter("over");
    return result;
  }

  async close(): Promise<void> {
    if (this.phase === "closed") return;
    this.phase = "closed";
    await this.unwrapped.close();
  }

  /** A call may come back after the instance was closed. */
  private enter(phase: Phase): void {
    if (this.phase !== "closed") this.phase = phase;
  }
}
