/** `palestra eval --compare` as users run it, over evaluations that were played, or written by the trainer's own writer. */
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { palestra } from "../support/palestra.js";
import { episodeRecord, writeEvaluation } from "../support/run-folders.js";
import { scratch, serve } from "../support/serving.js";

async function compare(args: string[], runs: string) {
  return palestra(["eval", "--compare", ...args], { PALESTRA_RUNS: runs });
}

test("two evaluations of a gym are compared by their names: broken tasks, the difference, and what differs", async () => {
  const runs = scratch();
  const { url } = await serve({ env: { PALESTRA_LOCAL_EXPERT: "true" } });
  const flags = ["--env", "babyai", "--split", "GoToObj", "--gym", url, "--rounds", "6", "--limit", "8"];
  for (const policy of ["expert", "random"]) {
    const { code, stderr } = await palestra(["eval", ...flags, "--policy", policy, "--out", join(runs, policy)]);
    expect([code, stderr]).toEqual([0, expect.anything()]);
  }
  const { code, stdout } = await compare(["expert", "random", "--json"], runs);
  expect(code).toBe(0);
  const comparison = JSON.parse(stdout);
  expect(comparison).toMatchObject({ pairs: 8, lost: 0, onlyInA: 0, onlyInB: 0, counts: { fixed: 0 } });
  const { counts, successRate, tasks, differences } = comparison;
  expect(counts.broken).toBeGreaterThan(0);
  expect(counts.broken + counts.same).toBe(8);
  expect(successRate.difference.value).toBeCloseTo(-counts.broken / 8, 12);
  expect(successRate.difference.high).toBeLessThan(successRate.difference.value + 1);
  expect(tasks[0]).toMatchObject({ change: "broken", solved: [1, 0], pairs: [[{ solved: true }, { solved: false }]] });
  expect(differences).toEqual([{ name: "policy", a: "expert", b: "random" }]);

  const text = await compare([join(runs, "random"), join(runs, "expert")], scratch());
  expect(text.stdout).toMatch(/^success rate {3}A \S+ %, B 100\.0 %, difference \+\S+ points \[\S+, \+\S+\]$/m);
  expect(text.stdout).toContain(`changes        0 broken, ${counts.broken} fixed, ${counts.same} same`);
  expect(text.stdout).toMatch(/^fixed {10}GoToObj:\d+ .*solved 0 of 1 -> 1 of 1$/m);
  expect(text.stdout).toMatch(/^differs {8}policy: random in A, expert in B$/m);
});

describe("a comparison is refused with a reason", () => {
  /** Writes evaluations below a folder of runs. */
  function written(): string {
    const runs = scratch();
    const tasks = { one: [0, 1], other: [8], "suite/textcraft": [0], "suite/babyai": [0] };
    for (const [name, indices] of Object.entries(tasks)) {
      mkdirSync(join(runs, name), { recursive: true });
      writeEvaluation(
        join(runs, name),
        indices.map((index) => episodeRecord(index)),
      );
    }
    return runs;
  }

  test.each([
    [["one", "other"], /they have no task in common: 0, 1 and 8\. Only episodes with the same environment/],
    [["one"], /expected two evaluations after --compare, but received one: one/],
    [["one", "one", "other"], /received 3: one, one, other/],
    [["one", "othr"], /expected the folder of an evaluation, or its name in .*"othr" \(Did you mean other\?\)/],
    [["one", "suite"], /suite with several: babyai, textcraft/],
    [["one", "one", "--policy", "random"], /expected --compare with no flag but --json, but received --policy/],
    [["one", "one", "--k", "3"], /but received --k/],
  ])("%j", async (args, message) => {
    const { code, stdout, stderr } = await compare(args, written());
    expect([code, stdout]).toEqual([2, ""]);
    expect(stderr).toMatch(message);
  });

  test("a benchmark without a policy still misses it", async () => {
    const { code, stderr } = await palestra(["eval", "--env", "textcraft"]);
    expect(code).toBe(2);
    expect(stderr).toContain("required option '--policy <policy>' not specified");
  });
});
