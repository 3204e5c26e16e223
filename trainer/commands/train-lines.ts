/** A training run as lines of text. */
import type { CloningStep } from "../cloning.js";
import type { Evaluation, TrainObserver, TrainStepReport } from "../train.js";

export class TrainLines implements TrainObserver {
  private readonly began = performance.now();

  constructor(private readonly write: (line: string) => void) {}

  onStage(stage: string): void {
    this.say(stage);
  }

  onCloningStep({ epoch, step, steps, loss }: CloningStep): void {
    if (step % 25 === 0 || step === steps) this.say(`cloning ${step}/${steps}  epoch ${epoch + 1}  loss ${loss.toFixed(3)}`);
  }

  onTrainStep(report: TrainStepReport): void {
    const all = report.groups.flatMap(({ trajectories }) => trajectories);
    const share = (part: number, whole: number) => `${((100 * part) / Math.max(1, whole)).toFixed(0)} %`;
    const solved = all.filter((trajectory) => trajectory.solved).length;
    const total = report.waitedMs + report.learntMs + report.publishedMs;
    const [oldest = 0] = [...report.rollouts.buffer.staleness.keys()].sort((a, b) => b - a);
    this.say(
      [
        `step ${report.trainStep}`,
        `solved ${share(solved, all.length)}`,
        `learnt from ${report.learntFrom}/${report.trajectories}`,
        `entropy ${report.entropy.toFixed(3)}`,
        `gradient ${report.gradientNorm.toFixed(2)}`,
        `staleness up to ${oldest}`,
        `${((1000 * report.trainedTokens) / total).toFixed(0)} tokens/s`,
        `waited ${share(report.waitedMs, total)}`,
      ].join("  "),
    );
  }

  onEvaluation({ trainStep, scores }: Evaluation): void {
    this.say(`held out after train step ${trainStep}:`);
    for (const { name, success, episodes, rounds } of scores) {
      this.say(`  ${name.padEnd(40)} ${(100 * success).toFixed(1)} % of ${episodes}, ${rounds.toFixed(1)} rounds`);
    }
  }

  onCheckpoint(folder: string): void {
    this.say(`saved ${folder}`);
  }

  private say(line: string): void {
    this.write(`${((performance.now() - this.began) / 1000).toFixed(0).padStart(5)} s  ${line}`);
  }
}
