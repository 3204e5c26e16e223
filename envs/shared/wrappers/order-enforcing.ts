import type { Environment, ResetRequest, ResetResult, StepResult } from "../../env.js";
import { atOnce, EnvironmentClosed, EpisodeOver, ResetNeeded } from "../../errors.js";

export type Phase = "new" | "playing" | "over" | "closed";

/**
 * Refuses calls in the wrong order, so that engines need not check it: `step` before `reset`, `step` after the end of
 * the episode, and any call after `close`.
 *
 * @throws {ResetNeeded} `step` before the first `reset`
 * @throws {EpisodeOver} `step` after `terminated` or `truncated`
 * @throws {EnvironmentClosed} `reset`, `step` or `clone` after `close`
 * @throws {PromiseReturned} `reset` or `step` of the environment is asynchronous
 */
export class OrderEnforcing implements Environment {
  private phase: Phase = "new";

  constructor(private readonly inner: Environment) {}

  /** The engine inside all wrappers. */
  get unwrapped(): Environment {
    return unwrap(this.inner);
  }

  reset(request: ResetRequest): ResetResult {
    if (this.phase === "closed") throw new EnvironmentClosed("reset");
    this.phase = "new";
    const result = atOnce("reset", this.inner.reset(request));
    this.phase = "playing";
    return result;
  }

  step(action: string): StepResult {
    if (this.phase !== "playing") throw refusalIn(this.phase);
    const result = this.inner.step(action);
    if (result.terminated || result.truncated) this.phase = "over";
    return result;
  }

  close(): void {
    if (this.phase === "closed") return;
    this.phase = "closed";
    this.inner.close();
  }

  clone(): OrderEnforcing {
    if (this.phase === "closed") throw new EnvironmentClosed("clone");
    const copy = new OrderEnforcing(cloneOf(this.inner));
    copy.phase = this.phase;
    return copy;
  }
}

/** Returns the error for a step that is not part of an episode. */
export function refusalIn(phase: Exclude<Phase, "playing">): Error {
  switch (phase) {
    case "new":
      return new ResetNeeded();
    case "closed":
      return new EnvironmentClosed("step");
    default:
      return new EpisodeOver();
  }
}

export function unwrap(environment: Environment & { unwrapped?: Environment }): Environment {
  return environment.unwrapped ?? environment;
}

/** Clones an environment. @throws {TypeError} the engine has no `clone`, although its spec has `restore: "clone"` */
export function cloneOf(environment: Environment): Environment {
  if (!environment.clone)
    throw new TypeError("expected an environment with a method clone, but the environment does not have it");
  return environment.clone();
}
