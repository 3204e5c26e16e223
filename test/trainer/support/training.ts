/** Short training runs with a very small model, and a record of what they reported. */
import type { BackendFacts } from "#palestra/trainer/backends/backend.js";
import type { Evaluation, TrainObserver, TrainStepReport } from "#palestra/trainer/run/observer.js";
import { checkSettings, type TrainSettings } from "#palestra/trainer/settings/settings.js";
import type { StartProgress } from "#palestra/trainer/start/starting-model.js";

/** The default model, cloned for a second or two, so that it solves some of its tasks but not all. */
export const tinyRun = {
  train_tasks: ["textcraft:all:0-3"],
  eval_tasks: ["textcraft:all:0-3"],
  max_rounds: 3,
  hidden_size: 64,
  layers: 1,
  // With copying heads the model is too sure of its replies for some runs to have a gradient.
  copying_scale: 0,
  context_length: 512,
  max_tokens_per_mb: 1024,
  clone_episodes: 40,
  clone_epochs: 30,
  clone_lr: 3e-3,
  language_episodes: 10,
  batch_size: 3,
  n_samples: 4,
  ppo_n_minibatches: 2,
  max_new_tokens: 16,
  lr: 1e-3,
  total_train_steps: 4,
  save_freq_steps: 2,
  eval_freq_steps: 0,
  eval_episodes: 5,
  threads: 1,
  deterministic: true,
};

export function tinySettings(output: string, changes: Partial<TrainSettings> = {}): TrainSettings {
  return checkSettings({ ...tinyRun, output, ...changes });
}

/** Records everything that a run reports. */
export class Notes implements TrainObserver {
  backend: BackendFacts | undefined;
  readonly stages: string[] = [];
  readonly steps: TrainStepReport[] = [];
  readonly evaluations: Evaluation[] = [];
  readonly saved: string[] = [];
  readonly failedSaves: string[] = [];
  readonly progress: StartProgress[] = [];
  readonly cloningLosses: number[] = [];
  onTrainStepHook: (report: TrainStepReport) => void = () => {};

  onStage(stage: string): void {
    this.stages.push(stage);
  }
  onBackend(backend: BackendFacts): void {
    this.backend = backend;
  }
  onStart(): void {}
  onCloningStep({ loss }: { loss: number }): void {
    this.cloningLosses.push(loss);
  }
  onStartProgress(progress: StartProgress): void {
    this.progress.push(progress);
  }
  onTrainStep(report: TrainStepReport): void {
    this.steps.push(report);
    this.onTrainStepHook(report);
  }
  onEvaluation(evaluation: Evaluation): void {
    this.evaluations.push(evaluation);
  }
  onBeforeCheckpoint(): void {}
  onCheckpointFailed({ message }: Error): void {
    this.failedSaves.push(message);
  }
  onCheckpoint(folder: string): void {
    this.saved.push(folder);
  }
}
