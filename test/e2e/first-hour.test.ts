/**
 * The first hour of a new user: runs the commands and programs of the READMEs in a fresh clone, in order, and checks
 * their output. A new step on a page needs a row below. A step is run as printed, run with a stated substitution, or
 * not run for a stated reason.
 *
 * To save time, the installed packages come from the working tree, and so does the engine once the gym serves.
 */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, type TestContext, test } from "vitest";
import type { EnvironmentSpec } from "#palestra/envs/env.js";
import { root } from "../support/server-process.js";
import { FirstHourClone, parrot, type Walk } from "./first-hour-clone.js";
import {
  addQuestions,
  addTasks,
  askQuestion,
  buildIndex,
  checkEnvironments,
  checkSandboxes,
  listEnvironments,
  setUpBrowser,
  setUpDesktop,
  setUpImages,
  withoutEngines,
} from "./first-hour-environments.js";
import {
  compareEvaluations,
  drawRounds,
  evaluateBenchmark,
  evaluateExpert,
  evaluateServer,
  expectBenchmark,
  expectEpisodes,
  exportEpisodes,
  exportEvaluation,
  readTrainHelp,
  startEndpointTraining,
  summarizeRuns,
  trainAgent,
  trainSeeds,
  trainShortly,
} from "./first-hour-runs.js";
import {
  createGroup,
  createLimitedToken,
  openWithFormat,
  playByHand,
  playSeats,
  playWithCurl,
  playWithPython,
  playWithTypeScript,
  revokeToken,
  scoreAnswers,
  serveFromFreshClone,
  serveOtherMachines,
  serveOwnModule,
  serveOwnTasks,
  serveStarter,
  serveThisMachine,
} from "./first-hour-serving.js";
import { type ReadmeStep, readmeSteps } from "./readme-steps.js";

/**
 * Pages in the order of the walk. The first page starts the gym and at its end a training, whose agent is on the second
 * page.
 */
const pages = [
  "README.md",
  "trainer/endpoint/README.md",
  "server/README.md",
  "envs/README.md",
  "trainer/README.md",
  "sandboxes/README.md",
  "test/README.md",
];
const steps = readmeSteps(pages.map((page) => ({ page, text: readFileSync(join(root, page), "utf8") })));

let walk: Walk;

beforeAll(async () => {
  walk = { clone: await FirstHourClone.make(), model: await parrot("Action: left") };
});
afterAll(async () => {
  walk?.model.close();
  await walk?.clone.close();
});

interface Row {
  kind: ReadmeStep["kind"];
  matches: RegExp;
  /** Reason for a difference from the README's text other than ports. */
  substituted?: string;
  /** Reason why the step is not run. */
  skipped?: string;
  run?(walk: Walk, text: string, context: TestContext): Promise<void>;
}

const shorter = "a shorter run, in the gym that runs, whose port is not 8700";

const rows: Row[] = [
  { kind: "sh", matches: /^npm start$/, substituted: "another port", run: serveFromFreshClone },
  { kind: "sh", matches: /^npm test$/, skipped: "the continuous integration runs it" },
  { kind: "sh", matches: /^npm run test:quick$/, skipped: "npm test runs the same checks and tests" },
  { kind: "sh", matches: /^npm run test:long$/, skipped: "this test is part of it" },
  { kind: "sh", matches: /^npm run check$/, skipped: "npm test runs the same checks" },
  { kind: "sh", matches: /^npm run test:postgres$/, skipped: "repeats tests of npm test; npm test runs some of them" },
  {
    kind: "sh",
    matches: /^npx palestra help$/,
    run: async ({ clone }, command) => void (await clone.succeeds(command)),
  },
  { kind: "sh", matches: /^npm run docs$/, skipped: "docs-site.test.ts builds the site in a fresh clone" },
  { kind: "sh", matches: /^npm run generate$/, skipped: "test/server/app/openapi.test.ts compares what it writes" },
  { kind: "curl", matches: /\/seats/, run: playSeats },
  { kind: "curl", matches: /\/step/, run: playWithCurl },
  { kind: "curl", matches: /"format"/, run: openWithFormat },
  { kind: "python", matches: /^import requests/, run: playWithPython },
  {
    kind: "sh",
    matches: /^(export )?PALESTRA_(LOG_URL|FLEET_ADDRESS)=/,
    skipped: "no database is there; postgres.test.ts and fleet.test.ts start one for the log",
  },
  { kind: "ts", matches: /openapi-fetch/, run: playWithTypeScript },
  {
    kind: "ts",
    matches: /^seats: \{/,
    skipped: "a part of a spec; check-env.test.ts checks an environment with seats",
  },
  {
    kind: "ts",
    matches: /^verdict: /,
    substituted: "one call of the function alone, without a spec around it",
    run: async (_walk, text) => {
      const spec = new Function(`return ({ ${text} });`)() as Pick<EnvironmentSpec, "verdict">;
      const wrong = spec.verdict?.({ right: "4" } as never, { solved: false } as never);
      expect(wrong).toEqual({ why: "Answered nothing, expected 4.", expected: "4" });
    },
  },
  {
    kind: "sh",
    matches: /^npx palestra serve$/,
    substituted: "another port and data directory, since the gym of npm start is running",
    run: serveThisMachine,
  },
  {
    kind: "sh",
    matches: /^npx palestra ui$/,
    substituted: "no browser",
    run: async ({ clone }, command) => {
      const [, studio] = /The studio is at (\S+)/.exec(await clone.succeeds(`${command} --no-open`)) ?? [];
      expect((await fetch(studio as string)).status).toBe(200);
    },
  },
  {
    kind: "sh",
    matches: /^npx palestra serve --host 0\.0\.0\.0$/,
    substituted: "another port and data directory, since the gym of npm start is running",
    run: serveOtherMachines,
  },
  {
    kind: "sh",
    matches: /^npx palestra token create --name ada$/,
    run: async ({ clone }, command) => expect(await clone.succeeds(command)).toMatch(/^\S{20,}\n$/),
  },
  {
    kind: "sh",
    matches: /^npx palestra token list$/,
    run: async ({ clone }, command) => expect(await clone.succeeds(command)).toContain("ada"),
  },
  { kind: "sh", matches: /^npx palestra token revoke ada$/, run: revokeToken },
  { kind: "sh", matches: /^npx palestra token group /, run: createGroup },
  { kind: "sh", matches: /^npx palestra token create --name grace /, run: createLimitedToken },
  {
    kind: "sh",
    matches: /^pg_(dump|restore) /,
    skipped: "no database is there; postgres-backup.test.ts makes and restores a backup",
  },
  {
    kind: "sh",
    matches: /^npx palestra fleet /,
    skipped: "no fleet is there; fleet-moves.test.ts manages one",
  },
  {
    kind: "sh",
    matches: /^npx palestra log copy /,
    skipped: "no database is there; copy.test.ts starts one and copies to it and back",
  },
  {
    kind: "sh",
    matches: /^npx palestra log /,
    substituted: "the data directory of a gym that is stopped",
    run: async ({ clone }, command) => {
      const output = await clone.succeeds(command.replace("npx palestra", "npx palestra --data-dir local"));
      expect(output).toMatch(/^The log is intact: |^.+ has \d+ episodes\.$/m);
    },
  },
  { kind: "sh", matches: /^npx palestra envs$/, run: listEnvironments },
  { kind: "sh", matches: /^npx palestra play /, run: playByHand },
  { kind: "sh", matches: /^npx palestra setup tasks /, substituted: "bundled tasks as one's own", run: addTasks },
  { kind: "sh", matches: /^npx palestra index build /, substituted: "two pages", run: buildIndex },
  { kind: "sh", matches: /^npx palestra setup questions /, substituted: "one question", run: addQuestions },
  { kind: "sh", matches: /^npx palestra ask /, substituted: "a small server", run: askQuestion },
  {
    kind: "sh",
    matches: /^npx palestra serve --tasks /,
    substituted: "another port and data directory, since the gym of npm start is running",
    run: serveOwnTasks,
  },
  { kind: "curl", matches: /\/v1\/rewards/, run: scoreAnswers },
  { kind: "sh", matches: /^npx palestra setup images$/, run: setUpImages },
  { kind: "sh", matches: /^npx palestra setup desktop$/, run: setUpDesktop },
  { kind: "sh", matches: /^npx palestra setup browser$/, run: setUpBrowser },
  { kind: "sh", matches: /^npx palestra check --sandbox process$/, run: checkSandboxes },
  {
    kind: "sh",
    matches: /^npx palestra check --all --json$/,
    substituted:
      "two tasks of each split, no browser and no simulator: test/envs/conformance checks what is played in them",
    run: ({ clone }, command) => checkEnvironments(clone, `${withoutEngines} ${command} --episodes 2`),
  },
  {
    kind: "sh",
    matches: /^npx palestra eval --preset .*openai:/,
    substituted: "a small server, a task of each environment",
    run: evaluateBenchmark,
  },
  {
    kind: "sh",
    matches: /^npx palestra eval --preset .*--policy expert$/,
    substituted: "a task of each environment",
    run: async ({ clone }, command) =>
      expectBenchmark(await clone.succeeds(`${clone.inGym(command)} --limit 1 --json`)),
  },
  { kind: "sh", matches: /^npx palestra eval --compare /, substituted: "few tasks", run: compareEvaluations },
  { kind: "sh", matches: /^npx palestra eval --by-rounds /, run: drawRounds },
  {
    kind: "sh",
    matches: /^npx palestra eval --transfer /,
    skipped: "test/e2e/eval-transfer.test.ts plays the matrix of two runs",
  },
  {
    kind: "sh",
    matches: /^npx palestra eval .*--partner /,
    substituted: "few tasks",
    run: async ({ clone }, command) => {
      const episodes = command.includes("--k 2") ? 4 : 2;
      expectEpisodes(await clone.succeeds(`${clone.inGym(command)} --limit 2 --rounds 2`), episodes);
    },
  },
  {
    kind: "sh",
    matches: /^npx palestra eval .*openai:/,
    substituted: "a small server, few tasks",
    run: evaluateServer,
  },
  { kind: "sh", matches: /^npx palestra train$/, substituted: shorter, run: trainShortly },
  { kind: "sh", matches: /^npx palestra train --preset math$/, substituted: shorter, run: trainShortly },
  { kind: "sh", matches: /^npx palestra train --seeds /, substituted: "short runs of two seeds", run: trainSeeds },
  { kind: "sh", matches: /^npx palestra train --summary /, run: summarizeRuns },
  {
    kind: "sh",
    matches: /^npx palestra train --preset smollm2 .*--prompt_examples/,
    skipped: "needs weights; test/trainer/prompt-examples.test.ts trains without cloning",
  },
  { kind: "sh", matches: /^npx palestra train --help$/, run: readTrainHelp },
  {
    kind: "sh",
    matches: /^npx palestra train .*--partner /,
    skipped: "test/trainer/partners.test.ts trains with partners",
  },
  {
    kind: "sh",
    matches: /^npx palestra train --clone_dialogues /,
    skipped: "test/trainer/start/dialogue-files.test.ts clones the lines of an export",
  },
  {
    kind: "sh",
    matches: /^npx palestra train .*--algorithm on-policy-distillation /,
    skipped: "needs a trained teacher; test/trainer/distillation.test.ts trains with teachers",
  },
  { kind: "sh", matches: /^npm run train$/, substituted: shorter, run: trainShortly },
  {
    kind: "sh",
    matches: /^npx palestra train --rollout endpoint .*--algorithm reinforce/,
    skipped: "test/trainer/endpoint/readme.test.ts trains with its settings",
  },
  {
    kind: "sh",
    matches: /^npx palestra train --rollout endpoint /,
    substituted: "a very small model, one train step",
    run: startEndpointTraining,
  },
  { kind: "python", matches: /\/rollouts/, run: trainAgent },
  { kind: "python", matches: /^import json/, skipped: "test/trainer/endpoint/readme.test.ts trains with it" },
  { kind: "sh", matches: /^VLLM_SERVER_DEV_MODE=1 vllm serve /, skipped: "a program that is not Palestra's" },
  {
    kind: "sh",
    matches: /^npx palestra train --preset qwen2\.5-0\.5b --policy openai:/,
    skipped: "needs vLLM and weights; test/trainer/train-policy-server.test.ts trains with a server",
  },
  { kind: "sh", matches: /^npx palestra eval .*--policy expert$/, substituted: "few tasks", run: evaluateExpert },
  {
    kind: "sh",
    matches: /^npx palestra eval .*--policy native:/,
    substituted: "few tasks",
    run: async ({ clone }, command) =>
      expectEpisodes(await clone.succeeds(`${clone.inGym(command)} --limit 2 --rounds 2`), 2),
  },
  {
    kind: "sh",
    matches: /^npx palestra convert .*--format peft /,
    skipped: "no run of the walk has adapters; test/server/program/commands/convert.test.ts converts some",
  },
  {
    kind: "sh",
    matches: /^npx palestra convert /,
    run: async ({ clone }, command) => void (await clone.succeeds(command)),
  },
  { kind: "sh", matches: /^npx palestra export --gym /, run: exportEpisodes },
  {
    kind: "sh",
    matches: /^npx palestra export runs\/my-eval /,
    substituted: "a small evaluation, played first",
    run: exportEvaluation,
  },
  {
    kind: "sh",
    matches: /^npx palestra check <id>$/,
    substituted: "an environment for <id>",
    run: async ({ clone }, command) => void (await clone.succeeds(command.replace("<id>", "textcraft"))),
  },
  {
    kind: "sh",
    matches: /^npx palestra --environment-module \.\/maze\.js serve$/,
    substituted: "another port",
    run: serveOwnModule,
  },
  {
    kind: "sh",
    matches: /^npx palestra init treasure-hunt$/,
    run: async ({ clone }, command) => void (await clone.succeeds(command)),
  },
  { kind: "sh", matches: /^cd treasure-hunt$/, skipped: "the next rows change into the folder themselves" },
  {
    kind: "sh",
    matches: /^npm install$|^npx palestra --environment-module environment\.js eval /,
    run: async ({ clone }, command) => void (await clone.succeeds(`cd treasure-hunt && ${command}`)),
  },
  {
    kind: "sh",
    matches: /^npm run play$/,
    run: async ({ clone }, command) => {
      expect(await clone.succeeds(`cd treasure-hunt && ${command}`, "go north\n")).toContain("treasure");
    },
  },
  { kind: "sh", matches: /^npm run serve$/, substituted: "another port", run: serveStarter },
  { kind: "sh", matches: /^npm run -s bench -- /, skipped: "a measurement of minutes; test/bench has its tests" },
];

const rowOf = ({ kind, text }: ReadmeStep) => rows.find((row) => row.kind === kind && row.matches.test(text));

test("every step has a row", () => {
  expect(steps.filter((step) => !rowOf(step)).map(({ page, text }) => `${page}: ${text}`)).toEqual([]);
});

const titleOf = ({ kind, text }: ReadmeStep) => (kind === "sh" ? text : `the ${kind} block`);

test("every row is a step of a page", () => {
  const unused = rows.filter((row) => !steps.some((step) => rowOf(step) === row));
  expect(unused.map(({ matches }) => matches)).toEqual([]);
});

describe.each(pages)("%s, step by step", (page) => {
  for (const step of steps.filter((each) => each.page === page)) {
    const row = rowOf(step);
    const note = row?.substituted ? ` (with ${row.substituted})` : "";
    test(`${titleOf(step)}${note}`, { timeout: 600_000 }, async (context) => {
      // After a timeout, the only running programs are those that the reader also leaves running.
      context.onTestFinished(() => walk.clone.stopAllBut([walk.gym, walk.endpointTraining]));
      if (!row) throw new Error(`expected a row for this step of ${page}, but found none:\n${step.text}`);
      if (!row.run) return context.skip(row.skipped);
      await row.run(walk, walk.clone.adapt(step.text), context);
    });
  }
});
