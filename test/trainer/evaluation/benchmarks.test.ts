import { describe, expect, test } from "vitest";
import { z } from "zod";
import { Registry } from "#palestra/envs/registry.js";
import { actionFormat } from "#palestra/server/formats/actions/action-formats.js";
import { benchmark, environmentsOf } from "#palestra/trainer/evaluation/benchmarks.js";
import { type PublishedResults, published } from "#palestra/trainer/evaluation/published.js";
import { testDataFiles } from "../../support/data-shapes.js";

const registry = await Registry.load();
const names = environmentsOf("agentgym-rl");
/** The environments of the preset that this version of the gym has. */
const registered = names.filter((name) => registry.list().some(({ id }) => id === name));

const figure = z.strictObject({ percent: z.number().min(0).max(100), isReadOff: z.literal(true).exactOptional() });
const rows = z.array(z.strictObject({ name: z.string(), figures: z.record(z.string(), figure) })).min(1);
const results = z.record(z.string(), z.strictObject({ source: z.string(), rows }));

testDataFiles("trainer/evaluation/data", {
  "published.json": [published, results satisfies z.ZodType<PublishedResults>],
});

describe("AgentGym-RL's preset", () => {
  test("has its five environments with their round caps", () => {
    expect(names.map((name) => [name, benchmark("agentgym-rl", name).maxRounds])).toEqual([
      ["textcraft", 30],
      ["babyai", 20],
      ["sciworld", 30],
      ["webarena", 15],
      ["searchqa", 10],
    ]);
  });

  test.each(names)("names an existing format for the replies in %s", (name) => {
    expect(() => actionFormat(benchmark("agentgym-rl", name).format)).not.toThrow();
  });

  test.each(registered)("has splits, tasks and options for %s that the environment has", (name) => {
    const { splits, options = {} } = registry.get(name);
    const { idSplit, standIn, options: chosen = {} } = benchmark("agentgym-rl", name);
    // AgentGym's question sets may not be installed.
    if (name !== "searchqa") expect(Object.keys(splits)).toContain(idSplit);
    const size = splits[standIn.split]?.size ?? 0;
    expect(new Set(standIn.tasks).size).toBe(standIn.tasks.length);
    expect(standIn.tasks.filter((index) => index < 0 || index >= size)).toEqual([]);
    for (const [option, value] of Object.entries(chosen)) expect(options[option]?.values).toHaveProperty([value]);
  });

  test("spreads SciWorld's 200 tasks over AgentGym's 23 task types, eight or nine of each", async () => {
    const { standIn } = benchmark("agentgym-rl", "sciworld");
    const { problemOf } = await import("#palestra/envs/sciworld/tasks.js");
    const counts = new Map<string, number>();
    for (const index of standIn.tasks) {
      const { task } = problemOf({ split: standIn.split, index });
      counts.set(task, (counts.get(task) ?? 0) + 1);
    }
    expect(counts.size).toBe(23);
    expect([...new Set(counts.values())].sort()).toEqual([8, 9]);
    expect(standIn.tasks).toHaveLength(200);
  });

  test("quotes a published success rate in percent for each of its environments", () => {
    const rows = published()["agentgym-rl"]?.rows ?? [];
    expect(Object.keys(rows.find(({ name }) => name === "ScalingInter-7B")?.figures ?? {})).toEqual(names);
    const figures = rows.flatMap((row) => Object.entries(row.figures));
    expect(figures.filter(([name, { percent }]) => !names.includes(name) || percent < 0 || percent > 100)).toEqual([]);
  });

  test("refuses an environment that it does not have", () => {
    expect(() => benchmark("agentgym-rl", "chess")).toThrow(
      'expected one of agentgym-rl\'s textcraft, babyai, sciworld, webarena, searchqa, but received "chess"',
    );
    expect(() => environmentsOf("agentgym")).toThrow(/presets agentgym-rl, but received "agentgym"/);
  });
});
