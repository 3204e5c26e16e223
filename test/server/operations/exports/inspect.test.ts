/** Exports as Inspect and Harbor themselves read them, in a Python process. */
import { execFileSync } from "node:child_process";
import { existsSync, writeFileSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { fixture, openGym, scratchDir, type TestGym } from "../../../support/gym.js";
import { episodeRecord, writeEvaluation } from "../../../support/run-folders.js";
import { root } from "../../../support/server-process.js";
import { download, hostile, paint } from "./painted.js";

const cache = process.env.XDG_CACHE_HOME ?? join(homedir(), ".cache");
/** A Python with the packages `inspect-ai` and `harbor`, which .ci/run installs. */
const python = process.env.INSPECT_PYTHON ?? join(cache, "palestra/inspect-ai-0.3.285/bin/python");

interface Times {
  started: number;
  steps: number[];
  completed: number;
}

/** Returns the times of an episode, in milliseconds since the Unix epoch. */
async function timesOf(gym: TestGym, episodeId: string): Promise<Times> {
  const { createdAt } = await gym.call("get", { episodeId });
  const steps = (await gym.call("transcript", { episodeId })).steps.map(({ atMs }) => atMs as number);
  return { started: Date.parse(createdAt), steps, completed: steps.at(-1) as number };
}

const sampleTimes = ({ started, completed }: Times) => [started, completed, (completed - started) / 1_000];

test("Inspect and Harbor read exported episodes", async (context) => {
  if (!existsSync(python)) context.skip(`no Python with Inspect at ${python}, and no INSPECT_PYTHON`);
  const gym = await openGym({ environments: [fixture("painter")] });
  const solved = await paint(gym, ["red", hostile, "blue"], 2);
  const truncated = await paint(gym, ["red", "red", "red", "red"]);
  const folder = scratchDir();
  const log = join(folder, "two.eval");
  const payload = { format: "eval", episodeIds: [solved, truncated] };
  writeFileSync(log, (await gym.app.inject({ method: "POST", url: "/v1/export", payload })).rawPayload);
  const trajectory = join(folder, "trajectory.json");
  writeFileSync(trajectory, (await download(gym, solved, "atif")).rawPayload);

  const program = join(root, "test/server/operations/exports/read_exports.py");
  const read = JSON.parse(execFileSync(python, [program, log, trajectory], { encoding: "utf8" }));
  const [first, second] = [await timesOf(gym, solved), await timesOf(gym, truncated)];
  expect(read.header).toEqual({
    status: "success",
    task: "painter@1",
    samples: null,
    times: [first.started, second.completed],
    results: { return: { mean: 0.75 }, solved: { accuracy: 0.5 } },
  });
  expect(read.summaries).toEqual([
    {
      id: solved,
      input: "Paint 2 in red and blue.",
      scores: { return: 1, solved: "C" },
      count: 8,
      limit: null,
      times: sampleTimes(first),
    },
    {
      id: truncated,
      input: "Paint 0 in red and blue.",
      scores: { return: 0.5, solved: "I" },
      count: 10,
      limit: "turn",
      times: sampleTimes(second),
    },
  ]);
  expect(read.one).toBe(solved);
  const samples = read.samples as {
    id: string;
    messages: unknown;
    metadata: Record<string, unknown>;
    completion: string;
  }[];
  const sample = samples.find(({ id }) => id === solved);
  expect(sample?.messages).toEqual([
    ["system", "Name a colour.", 0],
    ["user", "Paint 2 in red and blue.", 0],
    ["assistant", "red", 0],
    ["user", "You said red.", 1],
    ["assistant", hostile, 0],
    ["user", `You said ${hostile}.`, 0],
    ["assistant", "blue", 0],
    ["user", "You said blue.", 1],
  ]);
  expect(sample?.completion).toBe("blue");
  expect(sample?.metadata).toMatchObject({
    environment: "painter@1",
    task: { split: "only", index: 2 },
    seed: 0,
    steps: 3,
  });
  expect(read.trajectories).toEqual([
    {
      steps: [
        ["system", "Name a colour."],
        ["user", "Paint 2 in red and blue."],
        ["agent", "red"],
        ["agent", hostile],
        ["agent", "blue"],
      ],
      times: [first.started, first.started, ...first.steps],
      pictures: true,
      return: 1,
    },
  ]);
});

test("Inspect reads an exported evaluation, with an epoch for each episode of a task", async (context) => {
  if (!existsSync(python)) context.skip(`no Python with Inspect at ${python}, and no INSPECT_PYTHON`);
  const folder = scratchDir();
  const second = { ...episodeRecord(0, { score: 0, solved: false, status: "truncated" }), sample: 1 };
  writeEvaluation(join(folder, "eval"), [episodeRecord(0, { score: 1 }), second, episodeRecord(1)]);
  const gym = await openGym({ runs: [folder] });
  const log = join(folder, "run.eval");
  writeFileSync(log, (await gym.app.inject("/v1/runs/eval/export?format=eval")).rawPayload);

  const program = join(root, "test/server/operations/exports/read_exports.py");
  const read = JSON.parse(execFileSync(python, [program, log], { encoding: "utf8" }));
  expect(read.header).toMatchObject({
    task: "textcraft@1",
    results: { score: { mean: (1 + 0 + 0.1) / 3 }, solved: { accuracy: 1 / 3 } },
  });
  expect(read.summaries).toMatchObject([
    { id: "all-0", scores: { score: 1, solved: "C" }, count: 3, limit: null },
    { id: "all-0", scores: { score: 0, solved: "I" }, limit: "turn" },
    { id: "all-1", scores: { score: 0.1, solved: "I" } },
  ]);
  expect(read.samples[0].messages).toEqual([
    ["user", "Craft 0 planks", 0],
    ["assistant", "Action: go", 0],
    ["user", "Done", 0],
  ]);
});
