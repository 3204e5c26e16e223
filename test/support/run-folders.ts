/** Folders of runs, written with the trainer's own writers. */
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { EpisodeRecord } from "#palestra/trainer/evaluation/record.js";
import { RecordFile } from "#palestra/trainer/evaluation/record-file.js";
import { type GroupEntry, groupFile, groupFileName } from "#palestra/trainer/report/group-file.js";
import { MetricsLog } from "#palestra/trainer/report/metrics.js";
import type { Vocabulary } from "#palestra/trainer/report/token-texts.js";
import { recordAt } from "./train-records.js";

/** Writes the metrics of train steps, like a run that resumes from step `resumedAt`. */
export function writeMetrics(folder: string, steps: readonly number[], resumedAt = 0): void {
  const log = new MetricsLog(join(folder, "metrics.jsonl"), resumedAt);
  for (const step of steps) log.write(recordAt(step, { time: 1_795_000_000 + step + resumedAt / 1_000 }));
  log.close();
}

const played = { environment: "textcraft@1", split: "all", index: 7, seed: 5 };

export const group: GroupEntry = {
  group: "12",
  task: played,
  leftOut: null,
  rollouts: [
    {
      episodeId: "ep-1",
      row: null,
      return: 1,
      solved: true,
      status: "terminated",
      steps: [{ first: 1, end: 3, action: "go", reward: 1 }],
      tokens: Int32Array.of(0, 1, 2),
      mask: Uint8Array.of(0, 1, 1),
      logprobs: Float32Array.of(0, -0.25, -1.5),
      versions: Int32Array.of(-1, 3, 4),
      advantages: Float32Array.of(0, 0.5, 1),
    },
    {
      episodeId: "ep-2",
      row: null,
      return: 0,
      solved: false,
      status: "failed",
      failure: { class: "infrastructure", code: "HOST_FAILED", message: "gone" },
      steps: [],
      tokens: new Int32Array(),
      mask: new Uint8Array(),
      logprobs: new Float32Array(),
      versions: new Int32Array(),
      advantages: undefined,
    },
  ],
};

/** @param rollouts rollouts of the only group @param vocabulary texts of the tokens */
export function writeGroups(
  folder: string,
  step: number,
  rollouts: GroupEntry["rollouts"] = group.rollouts,
  vocabulary?: Vocabulary,
): void {
  mkdirSync(join(folder, "groups"), { recursive: true });
  writeFileSync(join(folder, "groups", groupFileName(step)), groupFile(step, [{ ...group, rollouts }], vocabulary));
}

export function episodeRecord(index: number, changes: Partial<EpisodeRecord> = {}): EpisodeRecord {
  return {
    played: { ...played, index },
    sample: 0,
    family: index % 2 === 0 ? "even" : "odd",
    status: "terminated",
    score: index / 10,
    solved: index % 2 === 0,
    wallMs: 12,
    opening: `Craft ${index} planks`,
    turns: [{ reply: "Action: go", action: "go", observation: "Done", reward: 1 }],
    ...changes,
  };
}

export function writeEvaluation(folder: string, records: readonly EpisodeRecord[]): void {
  const file = RecordFile.open(join(folder, "episodes.jsonl"), {
    environment: "textcraft@1",
    split: "all",
    policy: "p",
  });
  for (const record of records) file.append(record);
  file.close();
}
