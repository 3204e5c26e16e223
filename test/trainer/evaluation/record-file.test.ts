import { appendFileSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { EpisodeRecord } from "#palestra/trainer/evaluation/record.js";
import { RecordFile } from "#palestra/trainer/evaluation/record-file.js";
import { scratchDir } from "../../support/gym.js";

const measurement = { environment: "textcraft@1", options: { a: "b" }, temperature: undefined };

function record(index: number): EpisodeRecord {
  const played = { environment: "textcraft@1", split: "test", index, seed: 0 };
  return { played, sample: 0, status: "terminated", score: 1, solved: true, wallMs: 5, opening: "ü\n", turns: [] };
}

function written(count: number): string {
  const path = join(scratchDir(), "deep", "episodes.jsonl");
  const file = RecordFile.open(path, measurement);
  for (let index = 0; index < count; index++) file.append(record(index));
  file.close();
  return path;
}

function found(path: string): readonly EpisodeRecord[] {
  const file = RecordFile.open(path, measurement);
  file.close();
  return file.found;
}

test("written records are found again", () => {
  expect(found(written(3))).toEqual([0, 1, 2].map(record));
});

test("a half-written line of a killed process is cut off, and later records are complete", () => {
  const path = written(2);
  appendFileSync(path, JSON.stringify(record(2)).slice(0, 30));
  expect(found(path)).toEqual([0, 1].map(record));
  const file = RecordFile.open(path, measurement);
  file.append(record(3));
  file.close();
  expect(found(path)).toEqual([0, 1, 3].map(record));
  expect(readFileSync(path, "utf8").endsWith("\n")).toBe(true);
});

test("a file with episodes of another evaluation is refused", () => {
  const path = written(1);
  const open = () => RecordFile.open(path, { ...measurement, environment: "babyai@1" });
  expect(open).toThrow(expect.objectContaining({ code: "MEASUREMENT_CHANGED" }));
  expect(open).toThrow(/to contain episodes with environment "babyai@1", but received environment "textcraft@1"/);
});
