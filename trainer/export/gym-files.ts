/** Episodes as files that the gym itself writes: pages, logs of Inspect, and Harbor's trajectories. */
import { createWriteStream, existsSync, mkdirSync, renameSync, rmSync } from "node:fs";
import { dirname } from "node:path";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { TrainerError } from "../errors.js";

export const fileFormats = ["html", "eval", "atif"] as const;
export type FileFormat = (typeof fileFormats)[number];

export interface FileRequest {
  readonly format: FileFormat;
  /** Ids of episodes; undefined for the newest ones. */
  readonly ids: readonly string[] | undefined;
  readonly environment: string | undefined;
  readonly split: string | undefined;
  readonly limit: number;
}

/** Calls a route of the gym. @throws {GymError} the gym refuses, or does not answer */
export type CallGym = (path: string, init: RequestInit) => Promise<Response>;

/** Largest number of episodes of a file. */
const mostEpisodes = 10_000;

const suffixes = { html: ".html", eval: ".eval", atif: ".json" } as const;

/** Returns how the name of the file has to end: several episodes are a zip archive, or one log of Inspect. */
export function suffixOf({ format, ids }: Pick<FileRequest, "format" | "ids">): string {
  return format === "eval" || ids?.length === 1 ? suffixes[format] : ".zip";
}

/**
 * Writes the file. A file that is not complete does not get its name.
 *
 * @param out path; undefined for standard output
 * @throws {TrainerError} EXPORT_FAILED @throws {GymError}
 */
export async function writeGymFile(
  request: FileRequest,
  call: CallGym,
  out: string | undefined,
  signal: AbortSignal,
): Promise<void> {
  const { body } = await callOf(request, call, signal);
  if (!body) throw new TrainerError("EXPORT_FAILED", "expected a file from the gym, but received none");
  const content = Readable.fromWeb(body as never);
  if (out === undefined) return attempt(() => pipeline(content, process.stdout, { end: false, signal }));
  mkdirSync(dirname(out), { recursive: true });
  const unfinished = `${out}.part`;
  try {
    await attempt(() => pipeline(content, createWriteStream(unfinished), { signal }));
    renameSync(unfinished, out);
  } catch (error) {
    rmSync(unfinished, { force: true });
    throw error;
  }
}

/** @throws {TrainerError} EXPORT_FAILED: the file exists */
export function expectNewFile(out: string | undefined, replaces: boolean): void {
  if (out === undefined || replaces || !existsSync(out)) return;
  throw new TrainerError(
    "EXPORT_FAILED",
    `expected a new file, but received ${out}, which exists. Add --force to replace it.`,
  );
}

function callOf({ format, ids, environment, split, limit }: FileRequest, call: CallGym, signal: AbortSignal) {
  const [only] = ids ?? [];
  if (ids?.length === 1)
    return call(`v1/episodes/${encodeURIComponent(only as string)}/export?format=${format}`, { signal });
  const chosen = ids ? { episodeIds: ids } : { environment, split, limit: Math.min(limit, mostEpisodes) };
  const headers = { "content-type": "application/json" };
  return call("v1/export", { method: "POST", headers, body: JSON.stringify({ format, ...chosen }), signal });
}

async function attempt(work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (error) {
    const received = (error as Error).message;
    throw new TrainerError("EXPORT_FAILED", `expected the whole file from the gym, but received ${received}`);
  }
}
