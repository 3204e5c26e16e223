/** Steps of the first hour that set up, list and check environments and sandboxes. */
import { expect, type TestContext } from "vitest";
import { Registry, versionedId } from "#palestra/envs/registry.js";
import { missing as missingForBrowsers } from "../support/browsers.js";
import { findEngine } from "../support/docker.js";
import { missingForProcesses } from "../support/processes.js";
import { type FirstHourClone, parrot, type Walk } from "./first-hour-clone.js";

export async function listEnvironments(walk: Walk, command: string): Promise<void> {
  const output = await walk.clone.succeeds(command);
  for (const id of ["textcraft", "babyai", "sciworld", "workbench"]) expect(output).toMatch(new RegExp(`^${id}`, "m"));
}

export async function setUpImages(walk: Walk, command: string, context: TestContext): Promise<void> {
  const engine = await findEngine();
  if (typeof engine !== "string") return context.skip(engine.reason);
  expect(await walk.clone.succeeds(`DOCKER_HOST=${engine} ${command}`)).toMatch(/palestra-base:1 (is )?at unix:/);
}

export async function setUpDesktop(walk: Walk, command: string, context: TestContext): Promise<void> {
  const engine = await findEngine();
  if (typeof engine !== "string") return context.skip(engine.reason);
  expect(await walk.clone.succeeds(`DOCKER_HOST=${engine} ${command}`)).toMatch(/palestra-desktop:1 (is )?at unix:/);
}

export async function setUpBrowser(walk: Walk, command: string, context: TestContext): Promise<void> {
  if (missingForBrowsers) return context.skip(missingForBrowsers);
  expect(await walk.clone.succeeds(command)).toMatch(/Getting browser: .+chrom/i);
}

export async function checkSandboxes(walk: Walk, command: string, context: TestContext): Promise<void> {
  if (missingForProcesses) return context.skip(missingForProcesses);
  expect(await walk.clone.succeeds(command)).toMatch(/^\d\d passed, 0 failed, \d+ guarantees refused$/m);
}

export async function addTasks(walk: Walk, command: string): Promise<void> {
  // A separate split, which no later step plays.
  const elsewhere = `export XDG_DATA_HOME="$PWD/data-home"; cp -r envs/workbench/data/tasks my-tasks`;
  const grader = "find my-tasks -name tests -exec cp envs/workbench/data/grader.py {} \\;";
  const output = await walk.clone.succeeds(`${elsewhere}; ${grader}; ${command}; npx palestra envs`);
  expect(output).toContain("The split my-tasks has 24 of 24 tasks.");
  expect(output).toMatch(/^workbench@2[\s\S]*my-tasks 24/m);
}

const searchHome = `export XDG_DATA_HOME="$PWD/search-home"`;

export async function buildIndex(walk: Walk, command: string): Promise<void> {
  const pages = ["a", "b"].map((id) => JSON.stringify({ id, title: `Page ${id}`, text: `All about ${id}.` }));
  walk.clone.write("my-pages.jsonl", pages.join("\n"));
  const output = await walk.clone.succeeds(`${searchHome}; ${command}; npx palestra index search my-pages about b`);
  expect(output).toContain("my-pages: 2 pages in 2 passages");
  expect(output).toMatch(/^Page b \[b\]/m);
}

export async function addQuestions(walk: Walk, command: string): Promise<void> {
  walk.clone.write("my-questions.jsonl", JSON.stringify({ question: "What is page b about?", answer: "b" }));
  const played = `echo "<search>page b</search>" | npx palestra play searchqa --task my-questions:0`;
  const output = await walk.clone.succeeds(`${searchHome}; ${command}; ${played}`);
  expect(output).toContain("1 questions, split my-questions");
  expect(output).toContain("Doc 1(Title: Page b) All about b.");
}

export async function askQuestion(walk: Walk, command: string): Promise<void> {
  const answering = await parrot("<answer>George de Hevesy</answer><cite>element/hafnium</cite>");
  try {
    const output = await walk.clone.succeeds(command.replace(/openai:\S+#/, `openai:${answering.url}#`));
    expect(output).toMatch(/^answer {2}George de Hevesy$/m);
  } finally {
    answering.close();
  }
}

/** Environment without a browser and without an installed simulator. */
export const withoutEngines = "PALESTRA_SANDBOXES_BROWSER=/none XDG_CACHE_HOME=/dev/null/none";

interface CheckReport {
  failed: number;
  results: { environment: string; check: string; outcome: "passed" | "failed" | "skipped" }[];
}

/** Expects that every environment is played, except those with a missing requirement. */
export async function checkEnvironments(clone: FirstHourClone, command: string): Promise<void> {
  const { stdout } = await clone.run(command);
  const { failed, results } = JSON.parse(stdout) as CheckReport;
  expect(results.filter(({ outcome }) => outcome === "failed")).toEqual([]);
  expect(failed).toBe(0);
  const having = (check: string, outcome: string) =>
    results.filter((one) => one.check === check && one.outcome === outcome).map(({ environment }) => environment);
  const all = [...new Set(results.map(({ environment }) => environment))];
  expect(all).toEqual((await Registry.load()).list().map(versionedId));
  const playable = all.filter((name) => !having("requirements", "skipped").includes(name));
  expect(playable).toEqual(expect.arrayContaining(["textcraft@1", "babyai@1", "sciworld@1"]));
  expect(having("determinism", "passed")).toEqual(playable);
}
