/**
 * The logged groups of a training run, as the trainer writes them (trainer/report/group-log.ts): a file
 * `groups/step-00000012.groups` for each logged train step. The first line of the file is its header, a JSON object that
 * lists groups and rollouts without tokens. The tokens of each rollout follow as JSON, compressed with deflate.
 */
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { inflate } from "node:zlib";
import { GymError, shown } from "../errors.js";
import { objectOf, openFile } from "./folders.js";
import { read } from "./line-file.js";

const folderName = "groups";
const filePattern = /^step-(\d{8,12})\.groups$/;

const longestHeader = 16 * 2 ** 20;
const largestRollout = 64 * 2 ** 20;
/** Bytes that are read at first. Most headers are shorter. */
const headerBytes = 64 * 2 ** 10;

export interface LoggedRollout {
  readonly [name: string]: unknown;
  /** Position of the tokens after the header, and their compressed size, both in bytes. */
  readonly at: readonly [number, number];
}

export interface LoggedGroup {
  readonly group: string;
  readonly task: unknown;
  readonly rollouts: readonly LoggedRollout[];
}

interface Header {
  readonly groups: readonly LoggedGroup[];
  /** Size of the header in the file, its line feed included. */
  readonly bytes: number;
}

/** Returns the logged train steps in ascending order. */
export async function loggedSteps(folder: string): Promise<number[]> {
  const names = await readdir(join(folder, folderName)).catch(() => [] as string[]);
  return names
    .flatMap((name) => filePattern.exec(name)?.[1] ?? [])
    .map(Number)
    .sort((a, b) => a - b);
}

/** @throws {GymError} RUN_PART_UNKNOWN, RUN_DAMAGED */
export async function readHeader(folder: string, step: number): Promise<Header> {
  const name = nameOf(step);
  const file = await openStep(folder, step);
  try {
    let bytes = await read(file, 0, headerBytes);
    let end = bytes.indexOf(0x0a);
    if (end === -1) {
      bytes = await read(file, 0, longestHeader);
      end = bytes.indexOf(0x0a);
    }
    if (end === -1) throw new GymError("RUN_DAMAGED", `a header in the first line of ${name}`, "no such line");
    const { groups } = objectOf(name, bytes.toString("utf8", 0, end));
    if (!Array.isArray(groups)) throw new GymError("RUN_DAMAGED", `a list of groups in ${name}`, shown(groups));
    return { groups: groups as LoggedGroup[], bytes: end + 1 };
  } finally {
    await file.close();
  }
}

/** Reads the tokens of a rollout. @throws {GymError} RUN_PART_UNKNOWN, RUN_DAMAGED */
export async function readTokens(folder: string, step: number, header: Header, { at }: LoggedRollout) {
  const [start, length] = Array.isArray(at) ? at : [];
  const name = nameOf(step);
  if (!isSize(start) || !isSize(length)) throw new GymError("RUN_DAMAGED", `a position in ${name}`, shown(at));
  const file = await openStep(folder, step);
  try {
    const packed = await read(file, header.bytes + start, length);
    const bytes = await promisify(inflate)(packed, { maxOutputLength: largestRollout }).catch((error) => {
      throw new GymError("RUN_DAMAGED", `compressed tokens in ${name}`, (error as Error).message);
    });
    return objectOf(name, bytes.toString());
  } finally {
    await file.close();
  }
}

function isSize(value: unknown): value is number {
  return Number.isSafeInteger(value) && (value as number) >= 0 && (value as number) <= largestRollout;
}

function nameOf(step: number): string {
  return `${folderName}/step-${String(step).padStart(8, "0")}.groups`;
}

async function openStep(folder: string, step: number) {
  const [directory, name] = nameOf(step).split("/") as [string, string];
  return openFile(folder, directory, name).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== "ENOENT") throw error;
    const expected = "a train step whose groups are in the log";
    throw new GymError("RUN_PART_UNKNOWN", expected, `step ${step}`);
  });
}
