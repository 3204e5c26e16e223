/** The health of training runs, on the metrics of real runs of the small model and on records with one figure changed. */
import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { type Finding, type HealthRecord, healthOf, worstOf } from "#palestra/server/formats/health/health.js";
import { thresholds } from "#palestra/server/formats/health/thresholds.js";
import { settingNames } from "#palestra/trainer/settings/fields.js";

/** Reads the metrics of a run that was recorded. */
function recorded(name: "stuck" | "torn" | "well"): HealthRecord[] {
  const text = readFileSync(new URL(`../../../fixtures/trainer/runs/${name}.jsonl`, import.meta.url), "utf8");
  return text
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line));
}

function levelsOf(findings: readonly Finding[]): Record<string, string> {
  return Object.fromEntries(findings.map(({ check, level }) => [check, level]));
}

/** Returns train steps of a healthy run with some metrics changed. */
function steps(count: number, changed: (step: number) => Record<string, unknown> = () => ({})): HealthRecord[] {
  return Array.from({ length: count }, (_, at) => ({
    step: at + 1,
    "actor/no_gradient": 0,
    "actor/entropy": 1,
    "actor/ppo_kl": 0.001,
    "actor/pg_clipfrac": 0.01,
    "episode/success_rate": 0.5,
    "groups/count": 4,
    "groups/zero_variance": 1,
    "groups/too_small": 0,
    "groups/filtered": 0,
    "staleness/mean": 0.5,
    "staleness/max": 1,
    "perf/idle/train": 0.2,
    "perf/idle/generate": 0.1,
    ...changed(at + 1),
  }));
}

function evaluation(step: number, success: number, episodes = 100): HealthRecord {
  return {
    step,
    "val/success_rate": success,
    held_out: { step, success: {}, episodes: { set: episodes } },
  } as HealthRecord;
}

function found(check: string, records: readonly HealthRecord[], settings = {}): Finding {
  const finding = healthOf(records, settings).find((one) => one.check === check);
  if (!finding) throw new Error(`expected a finding of ${check}, but received none`);
  return finding;
}

describe("recorded runs", () => {
  test("a run that an unschooled model cannot start has no gradient, since no rollout is solved", () => {
    const findings = healthOf(recorded("stuck"), {});
    expect(worstOf(findings)).toEqual({
      check: "gradient",
      level: "red",
      cause: "8 of 8 train steps had no gradient: every group had equal rewards, and 0 % of the episodes were solved.",
      change:
        "The tasks are too hard: clone experts first with `clone_episodes`, allow more replies with `max_rounds`, or choose easier ones with `train_tasks`.",
    });
    expect(levelsOf(findings)).toMatchObject({ groups: "red", staleness: "green" });
  });

  test("a run with a learning rate that is too high is torn apart by its updates, which comes before their effects", () => {
    const findings = healthOf(recorded("torn"), {});
    expect(worstOf(findings)).toMatchObject({ check: "KL", level: "red" });
    expect(worstOf(findings)?.change).toContain("`lr`");
    expect(levelsOf(findings)).toMatchObject({ clipping: "red", gradient: "red", "held-out trend": "red" });
    expect(found("held-out trend", recorded("torn")).cause).toBe(
      "Held-out success went from 30 % to 0 % in 5 evaluations: it is lower than at the start.",
    );
  });

  test("a run that learns is green but for what its figures show", () => {
    const levels = levelsOf(healthOf(recorded("well"), {}));
    expect(levels).toMatchObject({
      gradient: "green",
      groups: "green",
      entropy: "green",
      KL: "green",
      clipping: "green",
    });
    expect(Object.values(levels)).not.toContain("red");
  });
});

describe("the checks", () => {
  test("nothing is judged before the third train step, or without metrics", () => {
    expect(healthOf([], {})).toEqual([]);
    expect(healthOf(steps(2), {})).toEqual([]);
    expect(healthOf(steps(3), {}).length).toBeGreaterThan(5);
    const bare = [1, 2, 3].map((step) => ({ step, "groups/count": 0, "actor/entropy": null, "staleness/max": "old" }));
    expect(healthOf(bare, {})).toEqual([]);
  });

  test.each([
    ["gradient", (step: number) => ({ "actor/no_gradient": step % 4 === 0 ? 1 : 0 }), "amber"],
    ["gradient", (step: number) => ({ "actor/no_gradient": step % 2 }), "red"],
    ["groups", () => ({ "groups/zero_variance": 2 }), "amber"],
    ["groups", () => ({ "groups/filtered": 12 }), "red"],
    ["entropy", (step: number) => ({ "actor/entropy": step > 15 ? 0.2 : 1 }), "amber"],
    ["entropy", (step: number) => ({ "actor/entropy": step > 15 ? 0.01 : 1 }), "red"],
    ["entropy", (step: number) => ({ "actor/entropy": step > 15 ? 3 : 1 }), "amber"],
    ["entropy", (step: number) => ({ "actor/entropy": step > 15 ? 9 : 1 }), "red"],
    ["KL", () => ({ "actor/ppo_kl": 0.06 }), "amber"],
    ["KL", () => ({ "actor/kl_loss": 2 }), "red"],
    ["clipping", () => ({ "actor/pg_clipfrac": 0.25 }), "amber"],
    ["clipping", () => ({ "actor/behav_imp_weight/cut": 0.5 }), "red"],
    ["staleness", () => ({ "staleness/max": 2 }), "amber"],
    ["staleness", () => ({ "staleness/max": 5 }), "red"],
    ["idle time", () => ({ "perf/idle/train": 0.6 }), "amber"],
    ["idle time", () => ({ "perf/idle/generate": 0.95 }), "red"],
  ])("%s with changed figures is judged", (check, changed, level) => {
    expect(found(check, steps(20)).level).toBe("green");
    expect(found(check, steps(20)).change).toBeNull();
    expect(found(check, steps(20, changed)).level).toBe(level);
  });

  test("only the newest train steps count, so that a run recovers", () => {
    const records = steps(60, (step) => ({ "actor/no_gradient": step <= 10 ? 1 : 0 }));
    expect(found("gradient", records).cause).toBe("Each of 50 train steps had a gradient.");
  });

  test("the decoupled loss allows older tokens", () => {
    const records = steps(5, () => ({ "staleness/max": 5 }));
    expect(found("staleness", records, { use_decoupled_loss: true }).level).toBe("green");
    expect(found("staleness", records).change).toContain("`use_decoupled_loss`");
  });

  test("an entropy that a backend does not report, and groups that an algorithm does not compare, are left out", () => {
    const checks = levelsOf(
      healthOf(
        steps(5, () => ({ "actor/entropy": 0 })),
        { algorithm: "ppo" },
      ),
    );
    expect(Object.keys(checks)).not.toContain("entropy");
    expect(Object.keys(checks)).not.toContain("groups");
  });

  test("the held-out trend is judged by the error of its evaluations", () => {
    const trend = (...shares: number[]) =>
      found("held-out trend", [...steps(5), ...shares.map((share, at) => evaluation(10 * at, share))]);
    expect(trend(0.3, 0.6).level).toBe("green");
    expect(trend(0.3, 0.32).cause).toContain("too few evaluations");
    expect(trend(0.3, 0.31, 0.3, 0.32).level).toBe("amber");
    expect(trend(0.3, 0.8, 0.5).cause).toContain("fell from its best of 80 % at train step 10");
    expect(trend(0.6, 0.5, 0.2).level).toBe("red");
    expect(trend(1, 1).level).toBe("green");
  });
});

test("every remedy names settings of the trainer", () => {
  const broken = [
    steps(20, () => ({ "actor/no_gradient": 1, "groups/zero_variance": 4, "staleness/max": 9 })),
    steps(20, () => ({ "actor/no_gradient": 1, "episode/success_rate": 0, "actor/kl_loss": 3 })),
    steps(20, () => ({ "actor/no_gradient": 1, "episode/success_rate": 1, "actor/ppo_kl": 3, "perf/idle/train": 1 })),
    steps(20, (step) => ({ "actor/entropy": step, "actor/pg_clipfrac": 1, "perf/idle/generate": 1 })),
    steps(20, (step) => ({ "actor/entropy": 1 / step ** 3, "actor/behav_imp_weight/cut": 1 })),
    [...steps(5), evaluation(0, 0.5), evaluation(5, 0.1)],
    [...steps(5), evaluation(0, 0.1), evaluation(5, 0.9), evaluation(6, 0.5)],
    [...steps(5), ...[0, 1, 2, 3].map((step) => evaluation(step, 0.5))],
  ];
  const settings = [{}, { max_head_offpolicyness: 0, use_decoupled_loss: true, algorithm: "dapo", entropy_coef: 0.1 }];
  const changes = broken.flatMap((records) => settings.flatMap((given) => healthOf(records, given)));
  const named = changes.flatMap(({ change }) => [...(change ?? "").matchAll(/`(\w+)`/g)].map(([, name]) => name));
  const unknown = new Set(named.filter((name) => name !== "best" && !settingNames.includes(name as never)));
  expect([...unknown]).toEqual([]);
  expect(new Set(named).size).toBeGreaterThan(15);
  for (const { level, change } of changes) expect(change === null).toBe(level === "green");
});

test("the page on reading a run states every bound", () => {
  const page = readFileSync(new URL("../../../../trainer/report/README.md", import.meta.url), "utf8");
  const rows = page.split("\n").filter((line) => line.startsWith("|"));
  const missing = Object.entries(thresholds).filter(([, { amber, red }]) => {
    const written = (bound: number) => [`${bound}`, `${Math.round(bound * 100)} %`];
    return !rows.some((row) => {
      const [, , amberCell = "", redCell = ""] = row.split("|").map((cell) => cell.trim());
      return (
        written(amber).some((text) => amberCell.includes(text)) && written(red).some((text) => redCell.includes(text))
      );
    });
  });
  expect(missing).toEqual([]);
});
