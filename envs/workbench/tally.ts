/** Rewards of a task's stages, which add up to the task's reward as Harbor counts it. */
export class Tally {
  private readonly graded: number[] = [];
  private given = 0;

  constructor(
    private readonly stages: number,
    private readonly strategy: "mean" | "final",
  ) {}

  /**
   * The reward to give for a stage, from 0 to 1.
   *
   * A reward of the verifier's outside of 0 to 1 counts as the nearest end. With `mean` each stage brings its share at once;
   * where the task ends early, Harbor takes the mean of the stages that were graded, and the last share makes up for it.
   */
  add(reward: number, isOver: boolean): number {
    this.graded.push(Math.min(1, Math.max(0, reward)));
    const sum = this.graded.reduce((total, each) => total + each, 0);
    const shared = this.strategy === "mean" ? sum / this.stages : 0;
    const last = this.strategy === "mean" ? sum / this.graded.length : (this.graded.at(-1) as number);
    const share = (isOver ? last : shared) - this.given;
    this.given += share;
    return Math.min(1, Math.max(0, share));
  }
}
