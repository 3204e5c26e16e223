/** The optimal plan of delegate, against an exhaustive search that knows nothing of its independence and its formulas. */
import { describe, expect, test } from "vitest";
import type { Job } from "#palestra/envs/delegate/job/job.js";
import { levels } from "#palestra/envs/delegate/job/skills.js";
import { priceOf } from "#palestra/envs/delegate/job/team.js";
import { JobPlan, moneyWorth } from "#palestra/envs/delegate/plan/job-plan.js";
import { PartPlan } from "#palestra/envs/delegate/plan/part-plan.js";
import { jobOf } from "#palestra/envs/delegate/tasks.js";
import { type Known, meansOf, players } from "./players.js";

/** A pair of a part and a helper that can be asked about it. */
interface Pair {
  part: number;
  cost: number;
  /** Possible skills with their weights, before the answer is drawn. */
  skills: readonly (readonly [skill: number, weight: number])[];
}

/** A way in which the helpers may turn out: whether each pair is right. */
interface World {
  weight: number;
  right: readonly boolean[];
}

function pairsOf(job: Job, known: Known): Pair[] {
  return job.parts.flatMap(({ kind, words }, part) =>
    job.team
      .filter(({ limit }) => words <= limit)
      .map((member) => {
        const { skill, track } = member.skills.get(kind) as NonNullable<ReturnType<typeof member.skills.get>>;
        const weightOf = (level: number, at: number) => {
          const share = job.priors[member.tier][at] as number;
          if (known === "told") return level === skill ? 1 : 0;
          if (known === "hidden") return share;
          return share * level ** track.right * (1 - level) ** (track.calls - track.right);
        };
        const cost = (moneyWorth * priceOf(member, words)) / job.money;
        return { part, cost, skills: levels.map((level, at) => [level, weightOf(level, at)] as const) };
      }),
  );
}

/** Returns all worlds: each skill of each pair, and each outcome. */
function worldsOf(pairs: readonly Pair[]): World[] {
  return pairs.reduce<World[]>(
    (worlds, { skills }) =>
      worlds.flatMap(({ weight, right }) =>
        skills
          .filter(([, share]) => share > 0)
          .flatMap(([skill, share]) => [
            { weight: weight * share * skill, right: [...right, true] },
            { weight: weight * share * (1 - skill), right: [...right, false] },
          ]),
      ),
    [{ weight: 1, right: [] }],
  );
}

const total = (worlds: readonly World[]) => worlds.reduce((sum, { weight }) => sum + weight, 0);

/** Returns the highest weighted return over all orders of calls, which may depend on every answer so far. */
function search(pairs: readonly Pair[], worth: number, worlds: readonly World[], asked: readonly number[]): number {
  const parts = new Set(asked.map((at) => pairs[at]?.part));
  let best = 0;
  for (const part of parts) {
    const own = asked.filter((at) => pairs[at]?.part === part);
    best += worth * Math.max(...own.map((at) => total(worlds.filter(({ right }) => right[at]))));
  }
  for (const [next, { part, cost }] of pairs.entries()) {
    if (asked.includes(next)) continue;
    const earlier = asked.filter((at) => pairs[at]?.part === part);
    // The director sees which of the earlier answers the new one equals: those of the right helpers, if it is right.
    const groups = new Map<string, World[]>();
    for (const world of worlds) {
      const seen = earlier.map((at) => world.right[at] && world.right[next]).join();
      groups.set(seen, [...(groups.get(seen) ?? []), world]);
    }
    let value = -cost * total(worlds);
    for (const group of groups.values()) value += search(pairs, worth, group, [...asked, next]);
    best = Math.max(best, value);
  }
  return best;
}

function bestByForce(job: Job, known: Known): number {
  const pairs = pairsOf(job, known);
  const worlds = worldsOf(pairs);
  return search(pairs, 1 / job.parts.length, worlds, []) / total(worlds);
}

/** Returns a job with fewer parts, which an exhaustive search can solve. */
function small(split: string, index: number, parts: number): Job {
  const job = jobOf({ split, index });
  return { ...job, parts: job.parts.slice(0, parts) };
}

describe("the expected return of the plan is that of an exhaustive search", () => {
  test.each([
    ["easy", 2, "told", 20],
    ["easy", 2, "record", 6],
    ["easy", 2, "hidden", 3],
    ["train", 1, "told", 25],
    ["train", 1, "record", 2],
    ["train", 2, "told", 3],
  ] as const)("for jobs of %s with %i parts and skills %s", (split, parts, known, jobs) => {
    for (let index = 0; index < jobs; index++) {
      const job = small(split, index, parts);
      if (parts === 2 && job.team.length > 3) continue;
      expect(new JobPlan(job, known).gain, `${split}:${index}`).toBeCloseTo(bestByForce(job, known), 9);
    }
  });
});

test("the plan checks a cheap answer with a second helper, and accepts an agreement", () => {
  const plan = new PartPlan(
    [
      { cost: 0.01, right: 0.6 },
      { cost: 0.02, right: 0.6 },
      { cost: 0.2, right: 0.97 },
    ],
    1,
  );
  expect([plan.choose(0).next, plan.choose(0b001).next, plan.choose(0b011).next]).toEqual([0, 1, 2]);
  expect([plan.trusted(0), plan.trusted(0b001), plan.trusted(0b111)]).toEqual([null, 0, 2]);
});

test("a plan whose helpers cost more than a right answer is worth asks nobody", () => {
  expect(new PartPlan([{ cost: 0.5, right: 0.9 }], 0.4).choose(0)).toEqual({ gain: 0, cost: 0, next: null });
});

test.each(["told", "record", "hidden"] as const)(
  "an agent that follows the plan earns and spends what the plan expects, with skills %s",
  (known) => {
    const player = players()["optimal plan"] as ReturnType<typeof players>[string];
    const { reward, optimum, cost, optimalCost, error } = meansOf(player, "train", 400, known);
    // Four standard errors.
    expect(Math.abs(reward - optimum)).toBeLessThan(4 * error);
    expect(error).toBeLessThan(0.012);
    expect(Math.abs(cost - optimalCost)).toBeLessThan(0.02);
  },
);
