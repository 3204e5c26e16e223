/** Recordings of the original, version 1.3.0, in a folder beside the repository. */
import { existsSync, readFileSync } from "node:fs";
import { gunzipSync } from "node:zlib";
import { type TestContext, test } from "vitest";

const shared = new URL("../../../../shared/data/sciworld/", import.meta.url);

export interface RecordedStep {
  action: string;
  observation: string;
  /** Score from 0 to 1, or -1. */
  score: number;
  completed: boolean;
}

export interface Recording {
  task: string;
  variation: number;
  taskDescription: string;
  steps: RecordedStep[];
  /** State after the last step. */
  inventory: string;
  look: string;
}

export const recordedKinds = ["gold", "mixed", "explore", "walk"] as const;
export type RecordedKind = (typeof recordedKinds)[number];

const read = new Map<RecordedKind, Recording[]>();

/** Reads the recordings once. */
export function recordings(kind: RecordedKind): Recording[] {
  const found = read.get(kind) ?? linesOf<Recording>(`scienceworld_${kind}.jsonl.gz`);
  read.set(kind, found);
  return found;
}

/** Results of the calls that the original's Python API makes after each step. */
export interface ApiStep extends RecordedStep {
  /** Number of ticks. */
  moves: number;
  look: string;
  inv: string;
  validCount: number;
  /** Digest of the sorted valid actions, one per line. */
  validSortedSha256: string;
  /** Valid actions in the original's order, for some steps. */
  validRaw?: { action: string; template_id: number; obj_ids: number[]; type_ids: number[] }[];
}

export interface ApiRecording {
  task: string;
  variation: number;
  taskDescription: string;
  simplifications: string;
  steps: ApiStep[];
}

export function apiRecordings(): ApiRecording[] {
  return linesOf("scienceworld_pyapi.jsonl.gz");
}

/** Facts of the original about a task and its variation 0. */
export interface TaskFacts {
  task: string;
  maxVariations: number;
  /** First index, last index and count. */
  train: [number, number, number];
  dev: [number, number, number];
  test: [number, number, number];
  taskDescriptionVar0: string;
  possibleActions: string[];
  possibleActionsWithIDs: { action_example: string; template_id: number }[];
  possibleObjectsVar0: string[];
}

export function taskFacts(): TaskFacts[] {
  return JSON.parse(textOf("scienceworld_static.json.gz")) as TaskFacts[];
}

function textOf(name: string): string {
  return gunzipSync(readFileSync(new URL(name, shared)))
    .toString("utf8")
    .trimEnd();
}

function linesOf<T>(name: string): T[] {
  return textOf(name)
    .split("\n")
    .map((line) => JSON.parse(line) as T);
}

/** Defines a test that reads ../shared/data/sciworld, and is skipped if that folder is absent. */
export function sharedTest(title: string, check: (context: TestContext) => void | Promise<void>): void {
  test(title, (context) => {
    if (!existsSync(shared)) context.skip("expected reference traces in ../shared/data/sciworld, but there are none");
    return check(context);
  });
}
