/** Restores the newest checkpoint of a run, saves new checkpoints, and reports failed writes. */

import { join } from "node:path";
import type { RunModel } from "../backends/backend.js";
import { type CheckpointState, Checkpoints, type Trainers } from "../data/checkpoint.js";
import { TrainerError } from "../errors.js";
import { expectResumable, recordedSettings } from "../settings/changes.js";
import type { TrainSettings } from "../settings/settings.js";
import { type Evaluation, meanSuccess, type TrainObserver } from "./observer.js";

/** State that a checkpoint contains in addition to the weights and the optimizer state. */
export interface SavedParts {
  /** State of the player: `Player.state`. */
  readonly player: Readonly<Record<string, unknown>>;
  readonly carried: number | undefined;
  readonly evaluations: readonly Evaluation[];
}

export class RunCheckpoints {
  /** Text of the newest checkpoint's state. */
  private written = "";

  private constructor(
    private readonly checkpoints: Checkpoints,
    private readonly settings: TrainSettings,
    private readonly observer: TrainObserver,
  ) {}

  /**
   * Opens the checkpoints of the output folder. A run that does not resume moves older checkpoints aside.
   *
   * @throws {TrainerError} SETTINGS_CHANGED: the checkpoint has other settings; CHECKPOINT_FAILED
   */
  static async open(settings: TrainSettings, observer: TrainObserver): Promise<RunCheckpoints> {
    const checkpoints = new Checkpoints(join(settings.output, "checkpoints"), settings.save_keep);
    const newest = await checkpoints.newest();
    if (newest && settings.resume) expectResumable(newest.settings, settings);
    else if (newest) observer.onStage(`checkpoints of an earlier run are now in ${await checkpoints.setAside()}`);
    return new RunCheckpoints(checkpoints, settings, observer);
  }

  /** Loads the newest checkpoint, if one exists, into the trainers. @throws {TrainerError} CHECKPOINT_FAILED */
  async restore(trainers: Trainers): Promise<{ trainStep: number; saved: Partial<SavedParts> }> {
    const state = await this.checkpoints.restore(trainers);
    if (!state) return { trainStep: 0, saved: {} };
    this.written = JSON.stringify(state);
    this.observer.onStage(`resuming after train step ${state.trainStep}`);
    return { trainStep: state.trainStep, saved: state.parts as Partial<SavedParts> };
  }

  /**
   * Saves a checkpoint. After a failure, such as a full disk, the previous checkpoint is kept and the run continues.
   *
   * @returns the error of a failed save
   */
  async save(
    { model, trainer, critic }: Trainers & { readonly model: RunModel },
    trainStep: number,
    parts: SavedParts,
  ): Promise<TrainerError | undefined> {
    const settings = recordedSettings(this.settings);
    const state: CheckpointState = { format: 1, trainStep, settings, parts: { ...parts } };
    const text = JSON.stringify(state);
    if (text === this.written) return undefined;
    this.observer.onBeforeCheckpoint();
    try {
      const describe = (folder: string) => model.describe(folder);
      const best = bestStep(parts.evaluations);
      const folder = await this.checkpoints.save({ trainer, critic, describe, best }, state);
      this.written = text;
      this.observer.onCheckpoint(folder);
      return undefined;
    } catch (error) {
      if (!(error instanceof TrainerError && error.code === "CHECKPOINT_FAILED")) throw error;
      this.observer.onCheckpointFailed(error);
      return error;
    }
  }
}

/**
 * Returns the train step with the highest success on held-out tasks, the first of equals, among those that can have a
 * checkpoint: from step 1 on. Undefined without an evaluation.
 */
export function bestStep(evaluations: readonly Evaluation[]): number | undefined {
  const rated = evaluations
    .filter(({ trainStep }) => trainStep > 0)
    .map((evaluation) => ({ trainStep: evaluation.trainStep, success: meanSuccess(evaluation) ?? -1 }));
  return rated.reduce((best, one) => (one.success > (best?.success ?? -1) ? one : best), rated[0])?.trainStep;
}
