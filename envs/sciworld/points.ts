/** Points out of 100 and rewards, computed from the score as in ScienceWorld's Python API. */
import type { Info } from "../env.js";

/** The Python API's `envStepLimit`: an episode ends after more than this number of moves. */
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
   * Points after the last step, and in `rewarded` the points returned as rewards so far. Points gained in the opening
   * are returned with the first step.
   */
  private now = 0;
  private rewarded = 0;

  /** @param isPython true to apply the Python API's limit on moves */
  constructor(private readonly isPython: boolean) {}

  /** Returns the `info` of a step, as in the Python API. Its field `reward` is the number of points gained. */
  tally({ score, moves }: Standing): Info {
    const before = this.now;
    this.now = pointsOf(score);
    return { score: this.now, reward: this.now - before, moves };
  }

  /** Returns the points gained since the last reward, divided by 100. */
  takeReward(): number {
    const gained = this.now - this.rewarded;
    this.rewarded = this.now;
    return gained / 100;
  }

  isOver({ isCompleted, moves }: Standing): boolean {
    return isCompleted || this.now < 0 || (this.isPython && moves > pythonMoves);
  }
}

/** Returns the points for a score. As in Python, a half is rounded to the nearest even integer. */
function pointsOf(score: number): number {
  const points = 100 * score;
  const below = Math.floor(points);
  if (points - below !== 0.5) return Math.round(points);
  return below % 2 === 0 ? below : below + 1;
}
