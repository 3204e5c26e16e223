/**
 * Folders of runs whose names and files attack the page that shows them. Anyone with write access to a folder of runs
 * can create such files.
 */
import { appendFileSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { diagnose } from "#palestra/trainer/evaluation/diagnosis.js";
import type { Evaluation } from "#palestra/trainer/evaluation/evaluate.js";
import type { EpisodeRecord } from "#palestra/trainer/evaluation/record.js";
import { successByRounds } from "#palestra/trainer/evaluation/rounds.js";
import { summarise } from "#palestra/trainer/evaluation/summary.js";
import { groupFile, groupFileName } from "#palestra/trainer/report/group-file.js";
import { attacks, sly, wide } from "./hostile.js";
import { episodeRecord, group, writeEvaluation } from "./run-folders.js";
import { recordAt } from "./train-records.js";

/** A name that a folder can have: without slashes, and of at most 255 bytes. */
const folderName = (text: string) =>
  text
    .toWellFormed()
    .replace(/[/\\\0]/g, "∕")
    .slice(0, 70);

/** Names of the runs. */
export const names = {
  training: folderName(attacks[4] as string),
  other: folderName(`${attacks[0]} training`),
  evaluation: folderName(attacks[9] as string),
  damaged: folderName(attacks[8] as string),
};

const settings = { [`${sly}${wide}`]: sly, model: `${sly}${wide}`, algorithm: sly, list: [sly, { [wide]: sly }] };

/** Values that a page might fail to draw. */
const wild = { "actor/loss": 1e308, "actor/pg_loss": -1e308, "actor/kl_loss": "<b>1</b>", "critic/vf_loss": [sly] };

export function trainingRecords() {
  const success = { [`${sly}`]: 0.5, [wide]: 0.25, __proto__: 1 };
  return [
    { ...recordAt(1), ...wild, held_out: { step: 1, success } },
    {
      ...recordAt(2),
      "actor/grad_norm": 1e-300,
      held_out: { step: 2, success: { ...success, [attacks[4] as string]: 1 } },
    },
    recordAt(3),
  ];
}

function writeTraining(folder: string): void {
  mkdirSync(join(folder, "groups"), { recursive: true });
  const startedAt = "2026-01-01T00:00:00Z";
  writeFileSync(join(folder, "run.json"), JSON.stringify({ startedAt, settings, engine: { device: `${sly}${wide}` } }));
  const lines = trainingRecords().map((record) => `${JSON.stringify(record)}\n`);
  writeFileSync(join(folder, "metrics.jsonl"), lines.join(""));
  // A number that is read as infinity. JSON.stringify never writes one, but a file can contain it.
  appendFileSync(
    join(folder, "metrics.jsonl"),
    '{"step":9007199254740991,"time":1e300,"episode/success_rate":1e999}\n',
  );
  const task = { environment: `${sly} ${wide}`, split: sly, index: 7, seed: 5 };
  const hostile = { ...group, group: "<b>a/..%2F\u202e", task, leftOut: null };
  const texts = [`${attacks[0]}${wide}`, attacks[4] as string, "L".repeat(2 ** 20)].map((text) => Buffer.from(text));
  const ends = texts.map((_, i) => BigInt(Buffer.concat(texts.slice(0, i + 1)).length));
  const vocabulary = { bytes: Buffer.concat(texts), offsets: BigUint64Array.from([0n, ...ends]) };
  writeFileSync(join(folder, "groups", groupFileName(3)), groupFile(3, [hostile], vocabulary));
}

const failure = { class: "policy", code: `${attacks[4]}`, message: `${sly}${wide}` } as const;

export function hostileEpisodes(): EpisodeRecord[] {
  const turn = { reply: `${sly}${wide}`, action: sly, observation: `${sly}\n${wide}`, reward: 0 };
  return [
    episodeRecord(0, { family: sly, opening: `${sly} ${wide}`, turns: [turn, { ...turn, action: "go" }] }),
    episodeRecord(1, { family: wide, solved: false, turns: [{ ...turn, observation: "L".repeat(2 ** 20) + sly }] }),
    episodeRecord(2, { family: sly, status: "failed", failure, turns: [] } as Partial<EpisodeRecord>),
    episodeRecord(3, { family: attacks[4] as string, turns: [turn] }),
  ];
}

export function hostileEvaluation(): Evaluation {
  const records = hostileEpisodes();
  const report = {
    ...{ environment: `${sly}${wide}`, split: sly, policy: `${sly}${wide}`, k: 1, seed: 0, maxRounds: 5, format: sly },
    ...{ options: { [sly]: wide }, policySettings: { [wide]: sly }, notes: [`${sly}${wide}`], complete: true },
    summary: summarise(records, records.length, undefined),
    byRounds: successByRounds(records, [1, 5], 1),
    diagnosis: diagnose(records),
  };
  return { report, records, prompt: `${sly}${wide}` };
}

/** Writes two training runs, an evaluation, and an evaluation with an invalid report. */
export function writeHostileRuns(root: string): void {
  writeTraining(join(root, names.training));
  writeTraining(join(root, names.other));
  for (const name of [names.evaluation, names.damaged]) {
    mkdirSync(join(root, name), { recursive: true });
    writeEvaluation(join(root, name), hostileEpisodes());
  }
  const { report } = hostileEvaluation();
  writeFileSync(join(root, names.evaluation, "report.json"), JSON.stringify(report));
  const damaged = { ...report, summary: sly, byRounds: { [sly]: 1 }, diagnosis: [sly], notes: sly };
  writeFileSync(join(root, names.damaged, "report.json"), JSON.stringify(damaged));
}
