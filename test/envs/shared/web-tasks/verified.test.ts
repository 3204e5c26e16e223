/**
 * Compares WebArena-Verified's evaluators with those of the public package (test/peers/webarena-verified.py), case by
 * case.
 */
import { readFileSync } from "node:fs";
import { gunzipSync } from "node:zlib";
import { describe, expect, test } from "vitest";
import {
  evaluateVerified,
  type NetworkEvent,
  parseVerified,
  type VerifiedSpec,
} from "#palestra/envs/shared/web-tasks/evaluators/verified/index.js";
import type { SiteName } from "#palestra/envs/shared/web-tasks/tasks/sites.js";
import { cpuMs } from "../../../support/cpu-time.js";

interface Recording {
  sites: Record<SiteName, string>;
  specs: Record<string, { sites: SiteName[]; eval: { evaluator: string }[] }>;
  cases: [spec: string, answer: string, events: NetworkEvent[], scores: string][];
}

const recording: Recording = JSON.parse(
  gunzipSync(readFileSync(new URL("../../../fixtures/webarena/verified.json.gz", import.meta.url))).toString(),
);

const specs = new Map(
  Object.entries(recording.specs).map(([name, { sites, eval: evaluators }]): [string, VerifiedSpec] => [
    name,
    parseVerified(evaluators, Object.fromEntries(sites.map((site) => [site, recording.sites[site]]))),
  ]),
);

function scoresOf(spec: string, answer: string, events: readonly NetworkEvent[]): string {
  const { results } = evaluateVerified(specs.get(spec) as VerifiedSpec, { answer, events });
  return results.map(({ score }) => score).join("");
}

/** Permanent differences from the public package's scores: cases by spec, with the values of their answers. */
const differences: readonly { reason: string; cases: Readonly<Record<string, readonly string[]>> }[] = [
  {
    reason: "an answer of the form ^...$ is a text here; the package runs it as a pattern, which matches what it likes",
    cases: {
      "base64 TUlUIExpY2Vuc2U=": ["^.*$"],
      "string Café-Bar No. 5": ["^.*$", "^caf.*5$", "^Cafe Bar No. 5$"],
    },
  },
  {
    reason: "an infinite distance is none here; in the package it is within the tolerance of every other",
    cases: { "distance 5km": ["inf km", "-inf km", "1e400 km", "infinity m"] },
  },
  {
    reason: "a distance is one amount with one unit here; in the package it may be a sum or a product",
    cases: { "distance 5km": ["10/2 km", "km 5", "5 1 km", "((5 km))"] },
  },
  {
    reason:
      "letters of other scripts than the Latin one stay as they are here; the package spells them in Latin letters",
    cases: {
      "location-name DoubleTree by Hilton Hotel": ["ДoubleTree by Hilton Hotel"],
      "string Café-Bar No. 5": ["Cаfe Bar No. 5"],
      "string aДb": ["aDb"],
      "string a中b": ["aZhong b"],
    },
  },
];

/** Number of differences whose answer is a pattern as a whole field. */
const patternFields = { spec: "patterns", count: 2 };

describe("recorded answers and network events", () => {
  const expected = differences.flatMap(({ cases }) =>
    Object.entries(cases).flatMap(([spec, values]) => values.map((value) => `${spec}: ${value}`)),
  );
  const differing = recording.cases.filter(
    ([spec, answer, events, scores]) => scoresOf(spec, answer, events) !== scores,
  );

  test("cover all tasks, with right and wrong ones of each evaluator", () => {
    expect(recording.cases.length).toBeGreaterThan(9000);
    const taken = new Set(recording.cases.map(([spec]) => spec));
    expect(Array.from({ length: 812 }, (_, task) => `${task}`).filter((task) => !taken.has(task))).toEqual([]);
    const counts: Record<string, number> = {};
    for (const [spec, , , scores] of recording.cases)
      for (const [at, { evaluator }] of recording.specs[spec]?.eval.entries() ?? [])
        counts[`${evaluator} ${scores[at]}`] = (counts[`${evaluator} ${scores[at]}`] ?? 0) + 1;
    expect(counts["AgentResponseEvaluator 0"]).toBeGreaterThan(2000);
    expect(counts["AgentResponseEvaluator 1"]).toBeGreaterThan(5000);
    expect(counts["NetworkEventEvaluator 0"]).toBeGreaterThan(1500);
    expect(counts["NetworkEventEvaluator 1"]).toBeGreaterThan(4000);
  });

  test("have the public package's scores except for the listed differences", () => {
    const values = differing
      .filter(([spec]) => spec !== patternFields.spec)
      .map(([spec, answer]) => `${spec}: ${JSON.parse(answer).retrieved_data[0]}`);
    expect(values.sort()).toEqual(expected.sort());
    expect(differing.filter(([spec]) => spec === patternFields.spec)).toHaveLength(patternFields.count);
  });

  test("differ only in lower scores of this project", () => {
    expect(differing.map(([, , , scores]) => scores)).toEqual(differing.map(() => "1"));
  });

  test("name the unsolvable tasks, whose expected values are malformed", () => {
    const unsolvable = [...specs].filter(([, { unsatisfiable }]) => unsatisfiable.length > 0).map(([name]) => name);
    expect(unsolvable).toEqual(["319", "429", "699", "700", "811"]);
    for (const name of unsolvable)
      for (const [spec, , , scores] of recording.cases) if (spec === name) expect(scores).toContain("0");
  });

  test("take milliseconds each", () => {
    const score = () => {
      for (const [spec, answer, events] of recording.cases) scoresOf(spec, answer, events);
    };
    expect(cpuMs(score) / recording.cases.length).toBeLessThan(30);
  });
});

describe("reasons", () => {
  test("name the expected and the received value", () => {
    const reasons = (answer: unknown) =>
      evaluateVerified(specs.get("currency 1234.5") as VerifiedSpec, { answer: JSON.stringify(answer), events: [] })
        .results[0]?.reason;
    const right = { task_type: "RETRIEVE", status: "SUCCESS", retrieved_data: ["$1,234.50"] };
    expect(reasons(right)).toBe("as expected");
    expect(reasons("done")).toBe("expected the answer to be a JSON object with fields, but it is not");
    expect(reasons({ ...right, status: "UNKNOWN_ERROR" })).toBe(
      'expected the answer.status to be "SUCCESS", but received "UNKNOWN_ERROR"',
    );
    expect(reasons({ ...right, retrieved_data: ["5"] })).toBe(
      'expected retrieved_data to have an element like 1234.5, but received ["5"]',
    );
    expect(reasons({ ...right, retrieved_data: null })).toBe(
      "expected retrieved_data to be [1234.5], but received null",
    );
    expect(reasons({ ...right, retrieved_data: [1, 2] })).toBe(
      "expected retrieved_data to have 1 elements, but received 2",
    );
  });

  test("name the missing request", () => {
    const [, reason] = evaluateVerified(specs.get("404") as VerifiedSpec, { answer: "", events: [] }).results;
    expect(reason?.reason).toMatch(
      /^expected a POST request to __REDDIT__\/sv\/124260.json, but no such request was sent$/,
    );
  });
});
