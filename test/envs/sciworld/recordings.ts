/** What the original answered: traces of version 1.3.0, which lie beside the repository. */
import { existsSync, readFileSync } from "node:fs";
import { gunzipSync } from "node:zlib";
import { type TestContext, test } from "vitest";

const shared = new URL("../../../../shared/data/sciworld/", import.meta.url);

export interface RecordedStep {
  action: string;
  observation: string;
  /** 0 to 1, or -1. */
  score: number;
  completed: boolean;
}

export interface Recording {
  task: string;
  variation: number;
  taskDescription: string;
  steps: RecordedStep[];
  /** After the last step. */
  inventory: string;
  look: string;
}

export const recordedKinds = ["gold", "mixed", "explore", "walk"] as const;
export type RecordedKind = (typeof recordedKinds)[number];

const read = new Map<RecordedKind, Recording[]>();

/** Reads them but once. */
export function recordings(kind: RecordedKind): Recording[] {
  const found = read.get(kind) ?? linesOf<Recording>(`scienceworld_${kind}.jsonl.gz`);
  read.set(kind, found);
  return found;
}

/** As the original's Python API asks after each step. */
export interface ApiStep extends RecordedStep {
  /** Ticks. */
  moves: number;
  look: string;
  inv: string;
  validCount: number;
  /** Of the valid actions, sorted, one a line. */
  validSortedSha256: string;
  /** In the original's order; of some steps. */
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

/** What the original says of a task, and of its variation 0. */
export interface TaskFacts {
  task: string;
  maxVariations: number;
  /** First, last, count. */
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

/** A test that reads ../shared/data/sciworld, and skips where that folder is absent. */
export function sharedTest(title: string, check: (context: TestContext) => void | Promise<void>): void {
  test(title, { timeout: 120_000 }, (context) => {
    if (!existsSync(shared)) context.skip("expected reference traces in ../shared/data/sciworld, but there are none");
    return check(context);
  });
}
