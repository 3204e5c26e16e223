/** The checkpoints of a run: what it goes on from, and what becomes of one that cannot be written. */

import { join } from "node:path";
import type { Trainer } from "../../native/api/index.js";
import { type CheckpointState, Checkpoints } from "../data/checkpoint.js";
import { TrainerError } from "../errors.js";
import { expectResumable, recordedSettings } from "../settings/changes.js";
import type { TrainSettings } from "../settings/settings.js";
import type { Evaluation, TrainObserver } from "./observer.js";

/** What a checkpoint keeps beside weights and optimiser. */
export interface SavedParts {
  /** `Player.state`. */
  readonly player: Readonly<Record<string, unknown>>;
  readonly carried: number | undefined;
  readonly evaluations: readonly Evaluation[];
}

export class RunCheckpoints {
  /** What the newest one says. */
  private written = "";

  private constructor(
    private readonly checkpoints: Checkpoints,
    private readonly settings: TrainSettings,
    private readonly observer: TrainObserver,
  ) {}

  /**
   * One that begins anew finds none, one that goes on finds its own.
   *
   * @throws {TrainerError} where it would go on from a checkpoint of other settings @throws {TrainerError}
   */
  static async open(settings: TrainSettings, observer: TrainObserver): Promise<RunCheckpoints> {
    const checkpoints = new Checkpoints(join(settings.output, "checkpoints"), settings.save_keep);
    const newest = await checkpoints.newest();
    if (newest && settings.resume) expectResumable(newest.settings, settings);
    else if (newest) observer.onStage(`checkpoints of an earlier run are now in ${await checkpoints.setAside()}`);
    return new RunCheckpoints(checkpoints, settings, observer);
  }

  /** @throws {TrainerError} */
  async restore(trainer: Trainer): Promise<{ trainStep: number; saved: Partial<SavedParts> }> {
    const state = await this.checkpoints.restore(trainer);
    if (!state) return { trainStep: 0, saved: {} };
    this.written = JSON.stringify(state);
    this.observer.onStage(`going on after train step ${state.trainStep}`);
    return { trainStep: state.trainStep, saved: state.parts as Partial<SavedParts> };
  }

  /**
   * One that fails, as on a full disk, leaves the one before, and does not end the run: the next one is tried all the same.
   *
   * @returns why there is none
   */
  async save(trainer: Trainer, trainStep: number, parts: SavedParts): Promise<TrainerError | undefined> {
    const settings = recordedSettings(this.settings);
    const state: CheckpointState = { format: 1, trainStep, settings, parts: { ...parts } };
    const text = JSON.stringify(state);
    if (text === this.written) return undefined;
    this.observer.onBeforeCheckpoint();
    try {
      const folder = await this.checkpoints.save(trainer, state);
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
