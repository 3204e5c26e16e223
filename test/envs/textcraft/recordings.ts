/** Recordings of the reference engine: fixtures of this repository, and larger traces beside it if present. */
import { existsSync, readFileSync } from "node:fs";
import { gunzipSync } from "node:zlib";
import { type TestContext, test } from "vitest";

export interface RecordedStep {
  action: string;
  observation: string;
  reward: number;
  done: boolean;
  /** Set instead of the other fields if the reference threw. */
  error?: string;
}

export interface RecordedEpisode {
  dataIdx: number;
  goal: string;
  start: string;
  steps: RecordedStep[];
  /** Items in the order of insertion. */
  inventory: Record<string, number | string>;
}

export interface RecordedGoal {
  index: number;
  goal: string;
  depth: number;
  neededRecipes: string[];
  distractorCandidates: string[];
  commandLines: number;
}

const fixtures = new URL("../../fixtures/textcraft/", import.meta.url);
const shared = new URL("../../../../shared/data/textcraft/", import.meta.url);

const unzip = (file: URL) => gunzipSync(readFileSync(file)).toString("utf8");

export function fixture<T>(name: string): T {
  return JSON.parse(unzip(new URL(name, fixtures))) as T;
}

export function sharedDocument<T>(name: string): T {
  return JSON.parse(unzip(new URL(name, shared))) as T;
}

export function sharedLines<T>(name: string): T[] {
  const lines = unzip(new URL(name, shared)).trimEnd().split("\n");
  return lines.map((line) => JSON.parse(line) as T);
}

/** Defines a test that reads ../shared/data/textcraft, and is skipped if that folder is absent. */
export function sharedTest(title: string, check: (context: TestContext) => void): void {
  test(title, (context) => {
    if (!existsSync(shared)) context.skip("expected reference traces in ../shared/data/textcraft, but there are none");
    check(context);
  });
}
