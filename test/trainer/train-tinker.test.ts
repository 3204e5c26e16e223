/**
 * Runs on a server of the Tinker API in a process of its own, which trains and samples with the real engine: a whole run, a
 * resumed one, and a server that is killed in the middle.
 */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, expect, onTestFinished, test } from "vitest";
import { readMetrics } from "#palestra/trainer/report/metrics.js";
import { TrainReport } from "#palestra/trainer/report/train-report.js";
import type { TrainStepReport } from "#palestra/trainer/run/observer.js";
import type { TrainSettings } from "#palestra/trainer/settings/settings.js";
import { train } from "#palestra/trainer/train.js";
import { needsEngine } from "../native/tiny-models.js";
import { type ServerProcess, startNode } from "../support/server-process.js";
import { gymOfFile } from "./support/gym-of-file.js";
import { Notes, tinySettings } from "./support/training.js";

needsEngine();
const file = gymOfFile();
const engineOnly = { dtype: undefined, deterministic: false, threads: 0, max_tokens_per_mb: 4096 } as const;

beforeAll(async () => {
  const settings = tinySettings(join(file.folder, "start"), { total_train_steps: 0, clone_epochs: 44 });
  await train(settings, file.gym, new Notes(), new AbortController().signal);
});

const base = () => join(file.folder, "start", "final");

async function startServer(weights: string, port = 0): Promise<{ process: ServerProcess; url: string }> {
  const script = "test/trainer/support/tinker-server-process.ts";
  const child = startNode(["--import", "tsx", script, base(), weights, `${port}`], { showErrors: true });
  onTestFinished(async () => void (await child.kill()));
  return { process: child, url: await child.listeningUrl() };
}

function settingsOf(url: string, output: string, changes: Partial<TrainSettings> = {}): TrainSettings {
  return tinySettings(join(file.folder, output), {
    ...engineOnly,
    backend: `tinker:${url}`,
    model: base(),
    clone_episodes: 0,
    lora_rank: 4,
    ppo_n_minibatches: 1,
    max_head_offpolicyness: 0,
    batch_size: 4,
    n_samples: 6,
    ...changes,
  });
}

/** Runs with a report, whose lines it returns. */
async function run(settings: TrainSettings, onTrainStep: (step: TrainStepReport) => void = () => {}) {
  const lines: string[] = [];
  const report = new TrainReport(settings, (line) => lines.push(line));
  const told = report.onTrainStep.bind(report);
  report.onTrainStep = (step) => {
    told(step);
    onTrainStep(step);
  };
  const result = await train(settings, file.gym, report, new AbortController().signal).finally(() => report.close());
  const records = readMetrics(join(settings.output, "metrics.jsonl"));
  return { result, lines, norms: records.flatMap((record) => record["actor/grad_norm"] ?? []), records };
}

test("a run trains and samples on the server, and a resumed run continues from the server's weights", async () => {
  const { url } = await startServer(join(file.folder, "weights"));
  const whole = await run(settingsOf(url, "whole"));
  expect(whole.result).toMatchObject({ trainSteps: 4, end: "done" });
  expect(whole.norms.filter((norm) => norm > 0)).toHaveLength(4);
  expect(whole.records.filter((record) => record["staleness/max"] === 0)).toHaveLength(4);
  expect(whole.records.at(-2)?.["backend/sampled_tokens"]).toBeGreaterThan(0);
  expect(whole.lines.at(-1)).toMatch(
    /^the server: \d+ tokens trained, \d+ scored, \d+ read and \d+ sampled; training waited \d+ s/,
  );
  const checkpoint = join(file.folder, "whole", "checkpoints", "step-00000004");
  expect(readdirSync(checkpoint).sort()).toEqual(["state.json", "tinker.json"]);
  expect(JSON.parse(readFileSync(join(checkpoint, "tinker.json"), "utf8"))).toMatchObject({ version: 4 });

  await run(settingsOf(url, "halves", { total_train_steps: 2 }));
  const second = await run(settingsOf(url, "halves"));
  expect(second.lines).toContain("resuming after train step 2");
  expect(second.norms).toEqual(whole.norms);
});

test("after kill -9 of the server, the run waits for it and goes back to the checkpoint", async () => {
  const weights = join(file.folder, "weights-of-killed");
  const first = await startServer(weights);
  const whole = await run(settingsOf(first.url, "not-killed"));
  let again: Promise<unknown> | undefined;
  const killed = await run(settingsOf(first.url, "killed"), ({ trainStep }) => {
    if (trainStep !== 3 || again) return;
    again = first.process.kill().then(() => startServer(weights, Number(new URL(first.url).port)));
  });
  await again;
  expect(killed.lines).toContain("resuming after train step 2");
  expect(killed.lines.filter((line) => line.endsWith("The run goes back to its newest checkpoint."))).toHaveLength(1);
  expect(killed.result).toMatchObject({ trainSteps: 4, end: "done" });
  expect(killed.norms).toEqual(whole.norms);
});
