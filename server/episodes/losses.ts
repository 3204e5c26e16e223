import type { Blame, Fault } from "./slot.js";

/** Counts the hosts that ended under a task, such as a restore, for a reason that may have been its own. */
export class Losses {
  private count = 0;

  /** @param most so many of them are enough */
  constructor(private readonly most: number) {}

  /** What to do after another host ended: to try again or not, or to fail for what it is suspected of twice. */
  judge(fault: Fault): "again" | "enough" | Blame {
    if (fault !== "none") this.count += 1;
    if (typeof fault === "object" && this.count > 1) return fault;
    return this.count < this.most ? "again" : "enough";
  }

  forget(): void {
    this.count = 0;
  }
}
