import { type ErrorCode, GymError } from "../../errors.js";
import type { Blame, Fault } from "../../hosts/slot.js";

/** Errors that a retry on a new instance can avoid. Other infrastructure errors would recur. */
const passing: ReadonlySet<ErrorCode> = new Set(["SANDBOX_START", "SANDBOX_TIMEOUT", "SANDBOX_LOST"]);

/**
 * Counts how often a host or instance died while performing one task (such as a restore), to decide when the task itself is
 * the likely cause.
 */
export class Losses {
  private count = 0;

  /**
   * @param most number of losses after which the gym stops trying the task
   * @param task task in the error message, such as `opening the episode`
   */
  constructor(
    private readonly most: number,
    private readonly task: string,
  ) {}

  /**
   * Decides how to respond to a further loss. `again` tries again. A GymError fails only this attempt. A Blame fails
   * the episode, because its task is suspected for the second time.
   */
  verdictOn(fault: Fault): "again" | GymError | Blame {
    if (fault !== "none") this.count += 1;
    const isEnough = this.count >= this.most;
    if (fault instanceof GymError) return isEnough || !passing.has(fault.code) ? fault : "again";
    if (typeof fault === "object" && this.count > 1) return fault;
    return isEnough
      ? GymError.ofState("HOST_FAILED", `${this.most} hosts in a row ended while ${this.task}.`)
      : "again";
  }

  forget(): void {
    this.count = 0;
  }
}
