/** `palestra endpoint`, and a killed training run with agents, in their own processes. */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { engineOfFile, needsEngine, temporaryFolder } from "../native/tiny-models.js";
import { type ServerProcess, startNode } from "../support/server-process.js";
import { scratch } from "../support/serving.js";
import { writeAgentModel } from "../trainer/endpoint/agent-model.js";
import { chat, claim, post } from "../trainer/endpoint/serving.js";
import { reach, said, startTraining } from "./killed-training.js";

needsEngine();
const engine = await engineOfFile(1);
const model =
  engine && (await writeAgentModel(engine, temporaryFolder(), { texts: ["say it", "again"], context: 256 }));
const say = [{ role: "user", content: "say it" }];

function start(...flags: string[]): ServerProcess {
  const endpoint = startNode(["dist/server/program/cli.js", "endpoint", "--port", "0", ...flags]);
  onTestFinished(async () => void (await endpoint.kill()));
  return endpoint;
}

test("`palestra endpoint` serves a model to agents without training it", async () => {
  const endpoint = start("--model", model, "--max-new-tokens", "8");
  const url = await endpoint.listeningUrl();
  const rollout = await claim(url, "a task", "eval");
  const { status, body } = await chat(rollout, say);
  expect([status, body.object, body.model]).toEqual([200, "chat.completion", "palestra"]);
  expect(body.usage.completion_tokens).toBeLessThanOrEqual(8);
  expect((await post(`${url}/rollouts/${rollout.id}/reward`, { reward: 1, end: true })).status).toBe(200);
  const refused = await post(`${url}/rollouts`, { task: "a task", mode: "train" });
  expect([refused.status, refused.body.error.message]).toEqual([
    400,
    "expected mode eval, since this endpoint does not train, but received train",
  ]);
  const told = (await (await fetch(`${url}/status`)).json()) as unknown;
  expect(told).toMatchObject({ rollouts: { open: 0, ended: 1 }, evaluations: { ended: 1, solved: 1 } });
  expect(await endpoint.stop()).toEqual({ code: 0, signal: null });
});

test.each([
  [["--model", "nowhere"], 1, "nowhere"],
  [["--model", "nowhere", "--host", "0.0.0.0"], 2, "expected an address of this machine, but received 0.0.0.0"],
  [["--model", "nowhere", "--lease", "0"], 2, "--lease"],
  [[], 2, "--model"],
])("%j is refused in one line", async (flags, code, message) => {
  const endpoint = start(...flags);
  expect((await endpoint.exited).code).toBe(code);
  expect(endpoint.stderr).toContain(message);
  expect(endpoint.stderr.trimEnd().split("\n")).toHaveLength(1);
});

/** Plays rollouts of one task one after another, until the endpoint closes. */
async function playOn(url: string): Promise<void> {
  const play = async () => {
    const rollout = await claim(url, "a task");
    const { body } = await chat(rollout, say);
    const { completion_tokens: length } = body.usage;
    await post(`${url}/rollouts/${rollout.id}/reward`, { reward: length % 2, end: true });
  };
  const worker = async () => {
    for (;;) await play();
  };
  await Promise.all(Array.from({ length: 4 }, worker)).catch(() => {});
}

test("a killed run with agents resumes from its checkpoint", async () => {
  const folder = join(scratch(), "run");
  const settings = {
    rollout: "endpoint",
    endpoint_port: 0,
    model,
    context_length: 128,
    max_new_tokens: 8,
    n_samples: 4,
    batch_size: 1,
    ppo_n_minibatches: 1,
    total_train_steps: 8,
    save_freq_steps: 2,
    threads: 1,
  };
  const urlOf = /rollout endpoint at (http:\S+)/;
  const stepsSaved = () => (existsSync(join(folder, "checkpoints")) ? readdirSync(join(folder, "checkpoints")) : []);

  const first = startTraining({ folder, settings });
  onTestFinished(async () => void (await first.kill()));
  await reach(first, folder, said(urlOf));
  const agents = playOn(urlOf.exec(first.stderr)?.[1] as string);
  await reach(first, folder, () => stepsSaved().some((name) => name >= "step-00000004"));
  await first.kill();
  await agents;
  const saved = Number(stepsSaved().sort().at(-1)?.slice(5));
  expect(saved, first.stderr).toBeGreaterThanOrEqual(4);

  const second = startTraining({ folder, settings });
  onTestFinished(async () => void (await second.kill()));
  await reach(second, folder, said(urlOf));
  expect(second.stderr).toContain(`resuming after train step ${saved}`);
  await playOn(urlOf.exec(second.stderr)?.[1] as string);
  expect((await second.exited).code, second.stderr).toBe(0);
  const lines = readFileSync(join(folder, "metrics.jsonl"), "utf8").trimEnd().split("\n");
  expect(lines.map((line) => (JSON.parse(line) as { step: number }).step)).toEqual([1, 2, 3, 4, 5, 6, 7, 8]);
});
