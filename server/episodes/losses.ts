import { type ErrorCode, GymError } from "../errors.js";
import type { Blame, Fault } from "../hosts/slot.js";

/** What a new instance may be spared; of what else can fail beneath an instance, a new one would meet the same. */
const passing: ReadonlySet<ErrorCode> = new Set(["SANDBOX_START", "SANDBOX_TIMEOUT", "SANDBOX_LOST"]);

/** Counts the hosts and instances that ended under a task, such as a restore, for a reason that may have been its own. */
export class Losses {
  private count = 0;

  /**
   * @param most so many of them are enough
   * @param task what a host was needed for, as a noun phrase
   */
  constructor(
    private readonly most: number,
    private readonly task: string,
  ) {}

  /**
   * What to do after another one: to try again, to give up for now with an error, or to fail for what the task is
   * suspected of twice.
   */
  judge(fault: Fault): "again" | GymError | Blame {
    if (fault !== "none") this.count += 1;
    const isEnough = this.count >= this.most;
    if (fault instanceof GymError) return isEnough || !passing.has(fault.code) ? fault : "again";
    if (typeof fault === "object" && this.count > 1) return fault;
    return isEnough ? new GymError("HOST_FAILED", this.task, `${this.most} in turn that ended meanwhile`) : "again";
  }

  forget(): void {
    this.count = 0;
  }
}
