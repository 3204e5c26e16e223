/** What AgentGym's BabyAI answered: fixtures of this repository, and the larger traces beside it where they are. */
import { existsSync, readFileSync } from "node:fs";
import { gunzipSync } from "node:zlib";
import { type TestContext, test } from "vitest";
import type { Seen } from "#palestra/envs/babyai/text/seen.js";

export interface RecordedView {
  /** 7 x 7 x 3 bytes in base64. */
  view: string;
  dir: number;
  /** Kind and colour. */
  carrying: [number, number] | null;
  text: string;
  /** Each action's moves, a digit for each. In the order in which the agent is told. */
  actions: Record<string, string>;
  errors: Record<string, string>;
}

export interface RecordedStep {
  action: string;
  observation: string;
  reward: number;
  score: number;
  done: boolean;
}

export interface RecordedEpisode {
  dataIdx: number;
  level: string;
  opening: string;
  steps: RecordedStep[];
}

const fixtures = new URL("../../fixtures/babyai/", import.meta.url);
const shared = new URL("../../../../shared/data/babyai/", import.meta.url);

const unzip = (file: URL) => gunzipSync(readFileSync(file)).toString("utf8");

export function fixture<T>(name: string): T {
  return JSON.parse(unzip(new URL(name, fixtures))) as T;
}

export function sharedLines<T>(name: string): T[] {
  const lines = unzip(new URL(name, shared)).trimEnd().split("\n");
  return lines.map((line) => JSON.parse(line) as T);
}

/** A test that reads ../shared/data/babyai, and skips where that folder is absent. */
export function sharedTest(title: string, check: (context: TestContext) => void): void {
  test(title, (context) => {
    if (!existsSync(shared)) context.skip("expected reference traces in ../shared/data/babyai, but there are none");
    check(context);
  });
}

export function seenIn({ view, dir, carrying }: RecordedView): Seen {
  const [carriedKind, carriedColor] = carrying ?? [0, 0];
  return { agentDir: dir, view: Buffer.from(view, "base64"), carriedKind, carriedColor };
}
