/** Evaluations of environments with several players: a policy beside a partner, and results by seat. */
import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import { actionFormat } from "#palestra/server/formats/actions/action-formats.js";
import { partnerSeats } from "#palestra/trainer/evaluation/by-seat.js";
import { type Evaluation, type EvaluationPlan, evaluate } from "#palestra/trainer/evaluation/evaluate.js";
import { withinRounds } from "#palestra/trainer/evaluation/rounds.js";
import { ExpertPolicy } from "#palestra/trainer/policy/expert.js";
import type { Policy } from "#palestra/trainer/policy/policy.js";
import { evaluationHtml } from "#palestra/trainer/report/evaluation/evaluation-html.js";
import { evaluationMarkdown } from "#palestra/trainer/report/evaluation/evaluation-markdown.js";
import { gymOfFile } from "../support/gym-of-file.js";
import { reportData } from "../support/report-data.js";

const file = gymOfFile();
const plain = actionFormat("plain");
const expert = new ExpertPolicy(plain);

/** Ends the bargain at its first turn. */
const walker: Policy = {
  name: "walker",
  converse: () => ({
    reply: async () => ({ text: "walk away", finish: "stop", first: 0, end: 0 }),
    tokens: () => undefined,
    close: () => {},
  }),
  close: async () => {},
};

function play(policy: Policy, partner?: Policy, change: Partial<EvaluationPlan> = {}): Promise<Evaluation> {
  const all = ["left", "right"];
  const plan: EvaluationPlan = {
    ...{ environment: "bargain@1", split: "test", tasks: [0, 1, 2, 3], k: 1, seed: 0, concurrency: 4 },
    rollout: { maxRounds: 10, format: plain, retries: 0, backOff: { baseMs: 1, maxMs: 2 } },
    ...(partner && { seats: { all, ofPolicy: all } }),
    ...{ policySettings: {}, notes: [], ...change },
  };
  const directory = mkdtempSync(join(tmpdir(), "by-seat-"));
  return evaluate(plan, { gym: file.gym, policy, partner, directory, signal: new AbortController().signal });
}

let alone: Evaluation;
let beside: Evaluation;
beforeAll(async () => {
  alone = await play(expert);
  beside = await play(expert, walker);
});

const figures = ({ report: { summary } }: Evaluation) =>
  (summary.seats ?? []).map(({ seat, player, episodes, successRate }) => [seat, player, episodes, successRate?.value]);

describe("results by seat", () => {
  test("of a policy alone are those of the policy in all seats, with each seat's own rewards", () => {
    expect(figures(alone)).toEqual([
      ["left", "policy", 4, 1],
      ["right", "policy", 4, 1],
    ]);
    const totals = alone.records.map(({ turns }) => turns.at(-1)?.rewards ?? {});
    const mean = (seat: string) => totals.reduce((sum, rewards) => sum + (rewards[seat] ?? 0), 0) / 4;
    expect(alone.report.summary.seats?.map(({ meanReturn }) => meanReturn?.value)).toEqual([
      expect.closeTo(mean("left"), 6),
      expect.closeTo(mean("right"), 6),
    ]);
    expect(mean("left")).toBeGreaterThan(0);
  });

  test("beside a partner tell who played which seat, in turn", () => {
    expect(beside.records.map(({ players }) => players?.left)).toEqual(["policy", "partner", "policy", "partner"]);
    expect(figures(beside)).toEqual([
      ["left", "policy", 2, 0],
      ["left", "partner", 2, 0],
      ["right", "policy", 2, 0],
      ["right", "partner", 2, 0],
    ]);
    const [first, second] = beside.records;
    expect(first?.turns.map(({ seat, action }) => [seat, action?.split(" ")[0]])).toEqual([
      ["left", "say"],
      ["right", "walk"],
    ]);
    expect(second?.turns.map(({ seat, action }) => [seat, action])).toEqual([["left", "walk away"]]);
  });

  test("are in the reports", () => {
    const markdown = evaluationMarkdown(alone.report);
    expect(markdown).toContain("## By seat");
    expect(markdown).toContain("| left | policy | 4 | 100.0 %");
    expect(reportData<Evaluation>(evaluationHtml(alone)).report.summary.seats).toHaveLength(2);
  });

  test("of an episode that is cut at fewer rounds have the rewards until there", () => {
    const cut = withinRounds(alone.records[0] as (typeof alone.records)[0], 1, 1);
    expect(cut.turns.every(({ rewards }) => rewards === undefined)).toBe(true);
    expect(cut.players).toEqual({ left: "policy", right: "policy" });
  });
});

test("the policy's seat is the next one for the next task and for the next sample", () => {
  const seats = { all: ["a", "b", "c"], ofPolicy: ["a", "c"] };
  const own = (index: number, sample: number) =>
    seats.all.filter((seat) => !partnerSeats(seats, index, sample).includes(seat));
  expect([own(0, 0), own(1, 0), own(1, 1), own(2, 0)]).toEqual([["a"], ["c"], ["a"], ["a"]]);
});
