/**
 * Checkpoints: the weights and the optimizer state of the engine, the trainer's own state as JSON, and the files that make
 * the folder a model. A checkpoint is a folder that is written atomically, even if the process or the machine dies. A run
 * resumes from the newest one. The link `best` names the checkpoint with the best evaluation.
 */
import { existsSync } from "node:fs";
import { mkdir, readdir, readFile, rename, rm, symlink } from "node:fs/promises";
import { dirname, join } from "node:path";
import type { Trainer } from "../../native/api/index.js";
import { TrainerError } from "../errors.js";
import { replaceFile, syncFolder, writeDurably } from "./durable-file.js";

export interface CheckpointState {
  /** Version of the file format. */
  readonly format: 1;
  /** Number of train steps done. */
  readonly trainStep: number;
  /** Settings of the run, as JSON. */
  readonly settings: Readonly<Record<string, unknown>>;
  /** State of each part of the run, by name. */
  readonly parts: Readonly<Record<string, unknown>>;
}

/** A trainer whose state is a file. */
export interface SavedTrainer extends Pick<Trainer, "save" | "load"> {
  /** Name of its file in a checkpoint. Default: trainer.bin. */
  readonly checkpointFile?: string;
}

export interface Trainers {
  /** Trainer of the policy. */
  readonly trainer: SavedTrainer;
  /** Trainer of a separate critic. */
  readonly critic?: SavedTrainer | undefined;
}

/** The parts of a checkpoint besides the state. */
export interface CheckpointSource extends Trainers {
  /** Writes the model's config and tokenizer, without which the folder cannot be used as a model. */
  describe?(folder: string): Promise<void>;
  /** Train step with the best evaluation so far, whose checkpoint is kept. */
  readonly best?: number | undefined;
}

const weightsFile = "trainer.bin";
const criticFile = "critic.bin";
const bestLink = "best";
const stateFile = "state.json";

/** Name of a checkpoint's folder: `step-00000007` for train step 7. */
const folderPattern = /^step-\d{8}$/;
/** Name of a checkpoint's folder that is not yet complete. */
const unfinishedPattern = /^\.step-\d{8}$/;

export class Checkpoints {
  /** Train step of the newest checkpoint, once this object has saved or restored its weights. */
  private current: number | undefined;

  /** @param keep number of checkpoints to keep, 0 for all; the oldest checkpoints are removed */
  constructor(
    readonly folder: string,
    private readonly keep: number,
  ) {}

  /**
   * Saves a checkpoint. If the weights of this train step were already saved or restored, only the state is written,
   * since the weights of a train step never change. A failed save does not alter earlier checkpoints.
   *
   * @returns the folder of the checkpoint @throws {TrainerError} CHECKPOINT_FAILED
   */
  async save(source: CheckpointSource, state: CheckpointState): Promise<string> {
    const target = join(this.folder, nameOf(state.trainStep));
    try {
      if (this.current === state.trainStep && existsSync(join(target, fileOf(source.trainer))))
        await replaceFile(join(target, stateFile), textOf(state));
      else await this.write(target, source, state);
      this.current = state.trainStep;
      await this.linkBest(source.best);
      await this.removeOld(source.best);
    } catch (error) {
      // A backend that lost the weights has an error of its own, as it has in any other call.
      if (error instanceof TrainerError) throw error;
      throw failed(`to save a checkpoint in ${this.folder}`, error);
    }
    return target;
  }

  /** Reads the newest checkpoint's state, without weights; undefined if no checkpoint exists. @throws {TrainerError} */
  async newest(): Promise<CheckpointState | undefined> {
    const newest = (await this.names()).at(-1);
    return newest === undefined ? undefined : this.reading(newest, (folder) => readState(folder));
  }

  /** Loads the newest checkpoint into the trainers. @returns its state; undefined if no checkpoint exists */
  async restore({ trainer, critic }: Trainers): Promise<CheckpointState | undefined> {
    const newest = (await this.names()).at(-1);
    if (newest === undefined) return undefined;
    return this.reading(newest, async (folder) => {
      const state = await readState(folder);
      await trainer.load(join(folder, fileOf(trainer)));
      await critic?.load(join(folder, criticFile));
      this.current = state.trainStep;
      return state;
    });
  }

  /** Moves the checkpoints of an earlier run aside. @returns their new folder; undefined if no checkpoint exists */
  async setAside(): Promise<string | undefined> {
    if ((await this.names()).length === 0) return undefined;
    const target = `${this.folder}-until-${new Date().toISOString().replace(/[:.]/g, "-")}`;
    try {
      await rename(this.folder, target);
    } catch (error) {
      throw failed(`to rename ${this.folder}`, error);
    }
    return target;
  }

  /** Makes the link `best`. Removes the link if the best step has no checkpoint. */
  private async linkBest(best: number | undefined): Promise<void> {
    const link = join(this.folder, bestLink);
    if (best === undefined || !existsSync(join(this.folder, nameOf(best)))) return rm(link, { force: true });
    await rm(`${link}.new`, { force: true });
    await symlink(nameOf(best), `${link}.new`);
    await rename(`${link}.new`, link);
  }

  private async write(target: string, source: CheckpointSource, state: CheckpointState): Promise<void> {
    const { trainer, critic, describe } = source;
    const temporary = join(this.folder, `.${nameOf(state.trainStep)}`);
    await rm(temporary, { recursive: true, force: true });
    try {
      await mkdir(temporary, { recursive: true });
      await trainer.save(join(temporary, fileOf(trainer)));
      await critic?.save(join(temporary, criticFile));
      await describe?.(temporary);
      await writeDurably(join(temporary, stateFile), textOf(state));
      await syncFolder(temporary);
      await rm(target, { recursive: true, force: true });
      await rename(temporary, target);
    } catch (error) {
      await rm(temporary, { recursive: true, force: true }).catch(() => {});
      throw error;
    }
    await syncFolder(this.folder);
    await syncFolder(dirname(this.folder));
  }

  private async reading<T>(name: string, read: (folder: string) => Promise<T>): Promise<T> {
    const folder = join(this.folder, name);
    try {
      return await read(folder);
    } catch (error) {
      if (error instanceof TrainerError) throw error;
      throw failed(`to resume from ${folder} (remove that folder to resume from the previous checkpoint)`, error);
    }
  }

  /** Returns the names of checkpoint folders, the oldest first. */
  private async names(): Promise<string[]> {
    return (await this.entries()).filter((entry) => folderPattern.test(entry)).sort();
  }

  private async entries(): Promise<string[]> {
    return readdir(this.folder).catch((error: NodeJS.ErrnoException) => {
      if (error.code === "ENOENT") return [];
      throw failed(`to read ${this.folder}`, error);
    });
  }

  private async removeOld(best: number | undefined): Promise<void> {
    const kept = best === undefined ? "" : nameOf(best);
    const old = this.keep === 0 ? [] : (await this.names()).slice(0, -this.keep).filter((name) => name !== kept);
    const unfinished = (await this.entries()).filter((entry) => unfinishedPattern.test(entry));
    for (const name of [...old, ...unfinished]) await rm(join(this.folder, name), { recursive: true, force: true });
  }
}

function fileOf({ checkpointFile = weightsFile }: SavedTrainer): string {
  return checkpointFile;
}

function nameOf(trainStep: number): string {
  return `step-${String(trainStep).padStart(8, "0")}`;
}

function textOf(state: CheckpointState): string {
  return `${JSON.stringify(state, null, 2)}\n`;
}

async function readState(folder: string): Promise<CheckpointState> {
  const state = JSON.parse(await readFile(join(folder, stateFile), "utf8")) as CheckpointState;
  if (state.format === 1) return state;
  throw new Error(`a checkpoint of format ${state.format}, which this version cannot read`);
}

function failed(expected: string, error: unknown): TrainerError {
  const reason = error instanceof Error ? error.message : String(error);
  return new TrainerError("CHECKPOINT_FAILED", `expected ${expected}, but received: ${reason}`, { cause: error });
}
