/** An episode's points, of 100, and its rewards, as the original's Python API makes them of its engine's score. */
import type { Info } from "../env.js";

/** The Python API's `envStepLimit`: it ends an episode after more moves than that. */
const pythonMoves = 100;

/** Where an episode stands. */
export interface Standing {
  /** From 0 to 1, or negative where the task has failed. */
  score: number;
  isCompleted: boolean;
  /** Ticks. */
  moves: number;
}

export class Points {
  /** After the last step, and what rewards have told of: what the opening gains comes with the first step. */
  private now = 0;
  private rewarded = 0;

  /** @param isPython whether the Python API's limit of moves holds */
  constructor(private readonly isPython: boolean) {}

  /** What `info` says of a step, as the Python API's does: `reward` is what the score has gained with it. */
  tally({ score, moves }: Standing): Info {
    const before = this.now;
    this.now = pointsOf(score);
    return { score: this.now, reward: this.now - before, moves };
  }

  /** Of 1, where the original has points of 100. */
  takeReward(): number {
    const gained = this.now - this.rewarded;
    this.rewarded = this.now;
    return gained / 100;
  }

  isOver({ isCompleted, moves }: Standing): boolean {
    return isCompleted || this.now < 0 || (this.isPython && moves > pythonMoves);
  }
}

/** Rounded as Python does: halves to the even one. */
function pointsOf(score: number): number {
  const points = 100 * score;
  const below = Math.floor(points);
  if (points - below !== 0.5) return Math.round(points);
  return below % 2 === 0 ? below : below + 1;
}
