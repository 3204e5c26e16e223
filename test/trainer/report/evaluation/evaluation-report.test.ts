/** The data of a benchmark run's page. test/e2e/studio/run-reports.test.ts shows the page in a browser. */
import { describe, expect, test } from "vitest";
import { diagnose } from "#palestra/trainer/evaluation/diagnosis.js";
import type { Evaluation } from "#palestra/trainer/evaluation/evaluate.js";
import type { EpisodeRecord } from "#palestra/trainer/evaluation/record.js";
import { successByRounds } from "#palestra/trainer/evaluation/rounds.js";
import { summarise } from "#palestra/trainer/evaluation/summary.js";
import { evaluationHtml } from "#palestra/trainer/report/evaluation/evaluation-html.js";
import { reportData } from "../../support/report-data.js";

const hostile = '</script><img src=x onerror="alert(1)"> & <!--<script>';

function record(index: number, sample: number, change: Partial<EpisodeRecord> = {}): EpisodeRecord {
  const played = { environment: "textcraft@1", split: "test", index, seed: sample };
  const turns = [{ reply: `I try ${hostile}`, action: "get wood", observation: "Got 1 oak log", reward: 0 }];
  const opening = `Goal ${index}`;
  return {
    played,
    sample,
    family: "easy",
    status: "terminated",
    score: 0,
    solved: false,
    wallMs: 500,
    opening,
    turns,
    ...change,
  };
}

const solved = { score: 1, solved: true };
const failure = {
  class: "policy",
  code: "POLICY_TIMEOUT",
  message: `expected a reply, but received ${hostile}`,
} as const;

function page(records: readonly EpisodeRecord[], k = 2): string {
  const summary = summarise(records, records.length, undefined);
  const byRounds = successByRounds(records, [1, 5], 1);
  const diagnosis = diagnose(records);
  const about = {
    environment: "textcraft@1",
    split: "test",
    policy: hostile,
    k,
    seed: 0,
    maxRounds: 5,
    format: "react",
  };
  const report = {
    ...about,
    options: {},
    policySettings: {},
    notes: [hostile],
    complete: true,
    summary,
    byRounds,
    diagnosis,
  };
  return evaluationHtml({ report, records, prompt: hostile } as Evaluation);
}

const four = [
  record(0, 0, solved),
  record(0, 1),
  record(7, 0, { turns: [{ reply: "LAMP on", observation: "A lamp glows", reward: 1 }] }),
  record(7, 1, { status: "failed", failure, turns: [] }),
];

describe("the page of an evaluation", () => {
  test("has the report, the episodes and the instructions as data", () => {
    const { kind, report, records, prompt } = reportData<Evaluation & { kind: string }>(page(four));
    expect([kind, prompt]).toEqual(["evaluation", hostile]);
    expect(report).toMatchObject({ policy: hostile, k: 2, notes: [hostile] });
    expect(report.summary.failures).toMatchObject([{ code: "POLICY_TIMEOUT", count: 1 }]);
    expect(report.byRounds.map(({ solved }) => solved)).toEqual([1, 1]);
    expect(records).toEqual(JSON.parse(JSON.stringify(four)));
  });

  test("never turns foreign text into HTML", () => {
    const html = page(four);
    expect(html).not.toContain("<img");
    expect(html.match(/<script\b/g)).toHaveLength(2);
    const [data = ""] = /<script type="application\/json".*?<\/script>/s.exec(html) ?? [];
    expect(data).not.toContain("<!--");
  });

  test("names the files with the same data for browsers without scripts", () => {
    expect(page(four)).toMatch(/<noscript>.*report\.md.*episodes\.jsonl.*<\/noscript>/);
  });
});
