/** The thread that writes the files of groups, so that packing and writing never delay training. */
import { mkdir, readdir, rename, rm, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { parentPort, workerData } from "node:worker_threads";
import { type GroupEntry, groupFile, groupFileName, trainStepOf } from "./group-file.js";
import type { Vocabulary } from "./token-texts.js";

export interface GroupLogData {
  /** Folder of the files. */
  readonly folder: string;
  /** Bytes of all files at most. The file of the newest train step is always kept. */
  readonly mostBytes: number;
  readonly vocabulary: Vocabulary | undefined;
}

export interface ToGroupLog {
  readonly trainStep: number;
  readonly groups: readonly GroupEntry[];
}

export interface FromGroupLog {
  readonly trainStep: number;
  /** Reason why the groups are not in the log, or null. */
  readonly problem: string | null;
}

if (!parentPort) throw new Error("expected to run in a worker thread, but received the main thread");
const port = parentPort;
const { folder, mostBytes, vocabulary } = workerData as GroupLogData;

/** Sizes of the files in bytes by train step; undefined until the folder is read. */
let sizes: Map<number, number> | undefined;
let work: Promise<void> = Promise.resolve();

port.on("message", (message: ToGroupLog) => {
  work = work.then(async () => {
    const problem = await write(message).then(
      () => null,
      (error: Error) => error.message,
    );
    port.postMessage({ trainStep: message.trainStep, problem } satisfies FromGroupLog);
  });
});

async function write({ trainStep, groups }: ToGroupLog): Promise<void> {
  await mkdir(folder, { recursive: true });
  sizes ??= await sizesOfFiles();
  const bytes = groupFile(trainStep, groups, vocabulary);
  const path = join(folder, groupFileName(trainStep));
  const unfinished = `${path}.new`;
  try {
    await writeFile(unfinished, bytes);
    await rename(unfinished, path);
  } catch (error) {
    await rm(unfinished, { force: true }).catch(() => {});
    throw error;
  }
  sizes.set(trainStep, bytes.length);
  await removeOldest(sizes);
}

async function removeOldest(known: Map<number, number>): Promise<void> {
  const steps = [...known.keys()].sort((a, b) => a - b);
  let total = [...known.values()].reduce((sum, size) => sum + size, 0);
  for (const step of steps.slice(0, -1)) {
    if (total <= mostBytes) return;
    await rm(join(folder, groupFileName(step)), { force: true });
    total -= known.get(step) as number;
    known.delete(step);
  }
}

async function sizesOfFiles(): Promise<Map<number, number>> {
  const found = new Map<number, number>();
  for (const name of await readdir(folder)) {
    const step = trainStepOf(name);
    if (step !== undefined) found.set(step, (await stat(join(folder, name))).size);
  }
  return found;
}
