/** Points out of 100 and rewards, computed from the score as in ScienceWorld's Python API. */
import type { Info } from "../env.js";

/** The Python API's `envStepLimit`: an episode with more moves ends. */
const pythonMoves = 100;

/** The state of an episode that rewards depend on. */
export interface Standing {
  /** Score from 0 to 1, or negative if the task has failed. */
  score: number;
  isCompleted: boolean;
  /** Number of ticks. */
  moves: number;
}

export class Points {
  /**
   * Points after the last step, and points returned as rewards. Points of the opening are returned with the first step.
   */
  private now = 0;
  private rewarded = 0;

  /** @param isPython true to apply the Python API's limit on moves */
  constructor(private readonly isPython: boolean) {}

  /** Returns the `info` of a step, as in the Python API. The entry `reward` is the gain in points. */
  tally({ score, moves }: Standing): Info {
    const before = this.now;
    this.now = pointsOf(score);
    return { score: this.now, reward: this.now - before, moves };
  }

  /** Returns the points since the last reward, on a scale of 1 instead of 100. */
  takeReward(): number {
    const gained = this.now - this.rewarded;
    this.rewarded = this.now;
    return gained / 100;
  }

  isOver({ isCompleted, moves }: Standing): boolean {
    return isCompleted || this.now < 0 || (this.isPython && moves > pythonMoves);
  }
}

/** Rounds as Python does: a half is rounded to the even neighbour. */
function pointsOf(score: number): number {
  const points = 100 * score;
  const below = Math.floor(points);
  if (points - below !== 0.5) return Math.round(points);
  return below % 2 === 0 ? below : below + 1;
}
