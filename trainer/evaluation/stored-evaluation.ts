/** Reads evaluations back from their folders, without transcripts, to compare them. */
import { createReadStream, existsSync } from "node:fs";
import { readdir } from "node:fs/promises";
import { join, resolve } from "node:path";
import { createInterface } from "node:readline";
import { didYouMean } from "../../server/formats/did-you-mean.js";
import type { ComparedEpisode, ComparedEvaluation } from "../../server/formats/outcomes/comparison.js";
import type { FailureKind } from "../../server/formats/outcomes/failure.js";
import { failureOfRecord } from "../../server/formats/outcomes/record-failure.js";
import { TrainerError } from "../errors.js";
import type { EpisodeRecord } from "./record.js";

export const recordsFile = "episodes.jsonl";

/** An episode without its turns. */
export interface StoredEpisode extends ComparedEpisode {
  /** Left out if the episode was solved. */
  readonly failureKind?: FailureKind;
}

export interface StoredEvaluation extends ComparedEvaluation<StoredEpisode> {
  /** Name as the caller wrote it. */
  readonly name: string;
  readonly folder: string;
}

/**
 * Reads an evaluation.
 *
 * @param name path of its folder, or its path below one of `roots`
 * @throws {TrainerError} ARGUMENT_INVALID: there is no such evaluation, or its file is damaged
 */
export async function readEvaluation(name: string, roots: readonly string[]): Promise<StoredEvaluation> {
  const episodes = new Map<string, StoredEpisode>();
  const { folder, measurement } = await eachRecord(name, roots, (record) => addEpisode(episodes, record));
  return { name, folder, measurement, episodes: [...episodes.values()] };
}

/**
 * Calls a function with each record of an evaluation, in the order in which they were written. The newest record of an
 * episode counts.
 *
 * @returns the folder and the first line of the file
 * @throws {TrainerError} ARGUMENT_INVALID: there is no such evaluation, or its file is damaged
 */
export async function eachRecord(
  name: string,
  roots: readonly string[],
  visit: (record: EpisodeRecord) => void,
): Promise<Pick<StoredEvaluation, "folder" | "measurement">> {
  const folder = await folderOf(name, roots);
  const path = join(folder, recordsFile);
  let measurement: Record<string, unknown> | undefined;
  let [number, damaged] = [0, 0];
  for await (const line of createInterface({ input: createReadStream(path), crlfDelay: Number.POSITIVE_INFINITY })) {
    number += 1;
    // A line that a run is writing, or did not finish, can only be the last one.
    if (damaged > 0) throw damagedFile(path, damaged);
    try {
      if (measurement) visit(JSON.parse(line) as EpisodeRecord);
      else measurement = JSON.parse(line) as Record<string, unknown>;
    } catch {
      damaged = number;
    }
  }
  if (!measurement) throw damagedFile(path, 1);
  return { folder, measurement };
}

/** A failed episode may have been played again. Its newest line counts. */
function addEpisode(episodes: Map<string, StoredEpisode>, record: EpisodeRecord): void {
  const { played, sample, family, status, score, solved } = record;
  const kind = failureOfRecord(record)?.kind;
  const optional = { ...(family !== undefined && { family }), ...(kind && { failureKind: kind }) };
  episodes.set(`${played.index}#${sample}`, { played, sample, status, score, solved, ...optional });
}

function damagedFile(path: string, line: number): TrainerError {
  return new TrainerError(
    "ARGUMENT_INVALID",
    `expected episodes of \`palestra eval\` in ${path}, but received another text in line ${line}`,
  );
}

async function folderOf(name: string, roots: readonly string[]): Promise<string> {
  const folders = [name, ...roots.map((root) => join(root, name))];
  const found = folders.find((folder) => existsSync(join(folder, recordsFile)));
  if (found !== undefined) return resolve(found);
  for (const folder of folders) {
    const inner = await evaluationsIn(folder);
    if (inner.length > 0 && name !== "") {
      throw new TrainerError(
        "ARGUMENT_INVALID",
        `expected one evaluation, but received ${name} with several: ${inner.join(", ")}. Add one of these names to the path.`,
      );
    }
  }
  const known = (await Promise.all(roots.map(evaluationsIn))).flat();
  const places = roots.length > 0 ? `, or its name in ${roots.join(" or ")}` : "";
  throw new TrainerError(
    "ARGUMENT_INVALID",
    `expected the folder of an evaluation${places}, but received ${JSON.stringify(name)}${didYouMean(name, known)}`,
  );
}

/** Returns the names of the evaluations in a folder. */
async function evaluationsIn(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { withFileTypes: true }).catch(() => []);
  return entries
    .filter((entry) => entry.isDirectory() && existsSync(join(folder, entry.name, recordsFile)))
    .map(({ name }) => name)
    .sort();
}
