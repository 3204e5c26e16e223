/**
 * What a run goes on from: the engine's weights and optimiser, and the trainer's own counters as JSON. A checkpoint is a
 * folder that is there as a whole or not at all; the newest one that is whole is the one to resume from.
 */
import { open, mkdir, readdir, readFile, rename, rm } from "node:fs/promises";
import { join } from "node:path";
import type { Trainer } from "../../native/index.js";

export interface CheckpointState {
  /** Of the format of this file. */
  readonly format: 1;
  /** Train steps done. */
  readonly trainStep: number;
  /** Of the settings that a run may not change when it goes on, as JSON. */
  readonly settings: Readonly<Record<string, unknown>>;
  /** What each part of the run keeps, by its name. */
  readonly parts: Readonly<Record<string, unknown>>;
}

export class CheckpointError extends Error {
  override readonly name = "CheckpointError";
}

const weightsFile = "trainer.bin";
const stateFile = "state.json";

/** Of train step 7: `step-00000007`. */
const folderPattern = /^step-(\d{8})$/;

export class Checkpoints {
  /** @param keep how many: the oldest are removed; 0: all stay */
  constructor(
    readonly folder: string,
    private readonly keep: number,
  ) {}

  /** @returns the checkpoint's folder. What fails leaves the checkpoints before as they were. @throws {CheckpointError} */
  async save(trainer: Trainer, state: CheckpointState): Promise<string> {
    const name = `step-${String(state.trainStep).padStart(8, "0")}`;
    const target = join(this.folder, name);
    const temporary = join(this.folder, `.${name}`);
    try {
      await rm(temporary, { recursive: true, force: true });
      await mkdir(temporary, { recursive: true });
      await trainer.save(join(temporary, weightsFile));
      await writeDurably(join(temporary, stateFile), `${JSON.stringify(state, null, 2)}\n`);
      await rm(target, { recursive: true, force: true });
      await rename(temporary, target);
      await syncFolder(this.folder);
    } catch (error) {
      await rm(temporary, { recursive: true, force: true }).catch(() => {});
      throw failed(`to save a checkpoint in ${this.folder}`, error);
    }
    await this.removeOld();
    return target;
  }

  /** The newest one's state, its weights and moments taken over by the trainer; undefined where there is none. */
  async restore(trainer: Trainer): Promise<CheckpointState | undefined> {
    const newest = (await this.names()).at(-1);
    if (newest === undefined) return undefined;
    const folder = join(this.folder, newest);
    try {
      const state = JSON.parse(await readFile(join(folder, stateFile), "utf8")) as CheckpointState;
      if (state.format !== 1) throw new Error(`a checkpoint of format ${state.format}, which this version does not know`);
      await trainer.load(join(folder, weightsFile));
      return state;
    } catch (error) {
      throw failed(`to go on from ${folder}`, error);
    }
  }

  /** Folders of checkpoints, the oldest first. */
  private async names(): Promise<string[]> {
    const entries = await readdir(this.folder).catch((error: NodeJS.ErrnoException) => {
      if (error.code === "ENOENT") return [];
      throw failed(`to read ${this.folder}`, error);
    });
    return entries.filter((entry) => folderPattern.test(entry)).sort();
  }

  private async removeOld(): Promise<void> {
    if (this.keep === 0) return;
    const names = await this.names();
    for (const name of names.slice(0, -this.keep)) await rm(join(this.folder, name), { recursive: true, force: true });
  }
}

function failed(expected: string, error: unknown): CheckpointError {
  const reason = error instanceof Error ? error.message : String(error);
  return new CheckpointError(`expected ${expected}, but received: ${reason}`, { cause: error });
}

async function writeDurably(path: string, text: string): Promise<void> {
  const file = await open(path, "w");
  try {
    await file.writeFile(text);
    await file.sync();
  } finally {
    await file.close();
  }
}

async function syncFolder(path: string): Promise<void> {
  const folder = await open(path, "r");
  await folder.sync().finally(() => folder.close());
}
