/** Results of a simulation. */
import { Histogram } from "./histogram.js";
import type { Failure } from "./plan.js";

/** Effect of a failure on the clients whose step waited for its end. */
export interface FailureOutcome {
  failure: Failure;
  atMs: number;
  waited: number;
  /** Milliseconds from the failure until the first, and the last, of these steps was answered. */
  firstAnswerMs: number;
  lastAnswerMs: number;
  /** Latencies of these steps. */
  latencies: Histogram;
}

export class Outcome {
  asked = 0;
  answered = 0;
  /** Steps without a reply at the end. */
  inFlight = 0;
  creates = 0;
  replays = 0;
  replayedSteps = 0;
  commits = 0;
  walBytes = 0;
  /** Latencies and think times after the warm-up. */
  readonly latencies = new Histogram();
  thinkMs = 0;
  thoughts = 0;
  /** Seconds after the warm-up. */
  seconds = 0;
  gymBusy = 0;
  postgresBusy = 0;
  mostInMemory = 0;
  /** 99th percentile of the latencies of each second, from the start on. */
  readonly p99OfSecond: number[] = [];
  readonly failures: FailureOutcome[] = [];

  get stepsPerSecond(): number {
    return this.latencies.count / this.seconds;
  }

  get meanThinkMs(): number {
    return this.thoughts === 0 ? 0 : this.thinkMs / this.thoughts;
  }

  /**
   * Returns the seconds from a time until the p99 stays below twice its usual value: the median of the seconds before. A
   * second without a reply counts as one with a high p99.
   */
  stormSeconds(fromS: number, untilS: number, warmUpS: number): number {
    const start = Math.floor(fromS);
    const before = this.p99OfSecond.slice(Math.ceil(warmUpS), start).sort((a, b) => a - b);
    const usual = before[before.length >> 1];
    if (usual === undefined) return 0;
    return this.p99OfSecond.slice(start, Math.ceil(untilS)).findLastIndex((p99) => p99 > 2 * usual || p99 === 0) + 1;
  }
}
