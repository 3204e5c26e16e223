/** Data files that a gym reads at its start. */
import { execFileSync } from "node:child_process";
import { expect, test } from "vitest";

/** Loads the specs of all environments in a process of its own, and lists the data files that were read. */
const program = `
  import fs from "node:fs";
  import { syncBuiltinESMExports } from "node:module";
  const { readFileSync } = fs;
  const read = [];
  fs.readFileSync = (path, ...rest) => (read.push(String(path)), readFileSync(path, ...rest));
  syncBuiltinESMExports();
  const { Registry } = await import("#palestra/envs/registry.js");
  await Registry.load();
  const { bundledQuestions } = await import("#palestra/envs/shared/synthesis/questions.js");
  const atStart = read.length;
  bundledQuestions();
  const files = read.map((path) => /\\/\\.modules\\/(.*\\/data\\/.*)/.exec(path)?.[1]);
  console.log(JSON.stringify({ start: files.slice(0, atStart), used: files.slice(atStart) }));
`;

test("the specs of the environments are loaded without their data, which the first task reads", () => {
  const text = execFileSync(process.execPath, ["--input-type=module", "--eval", program], { encoding: "utf8" });
  const { start, used } = JSON.parse(text) as Record<"start" | "used", (string | null)[]>;
  // The sites of the lab read their seeds as they are loaded.
  expect(start.filter((path) => path !== null && !path.startsWith("envs/webarena-lab/"))).toEqual([]);
  expect(used).toEqual(["envs/shared/synthesis/data/questions.jsonl"]);
});
