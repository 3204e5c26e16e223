/** A training run of a live product that is killed, and what becomes of the rewards that it had confirmed. */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { Runs } from "#palestra/server/runs/runs.js";
import { engineOfFile, needsEngine, temporaryFolder } from "../native/tiny-models.js";
import { scratch } from "../support/serving.js";
import { writeAgentModel } from "../trainer/endpoint/agent-model.js";
import { colourDialogues, colourTexts, startProduct } from "../trainer/endpoint/product.js";
import { reach, said, startTraining } from "./killed-training.js";

needsEngine();
const engine = await engineOfFile(1);
const model =
  engine &&
  (await writeAgentModel(engine, temporaryFolder(), { texts: colourTexts, dialogues: colourDialogues, epochs: 100 }));
const urlOf = /rollout endpoint at (http:\S+)/;
const again = /(\d+) rewarded conversations? of the interrupted run waits? for a train step; (\d+) more are left out/;

test("a killed run loses no confirmed reward, but those that are too far from its checkpoint, and says how many", async () => {
  const folder = join(scratch(), "run");
  const settings = {
    rollout: "endpoint",
    endpoint_port: 0,
    model,
    context_length: 128,
    max_new_tokens: 6,
    algorithm: "reinforce",
    baseline: "ema",
    batch_size: 8,
    max_concurrent_groups: 32,
    max_head_offpolicyness: 2,
    ppo_n_minibatches: 1,
    total_train_steps: 12,
    save_freq_steps: 4,
    threads: 1,
  };
  const names = (kind: string) => (existsSync(join(folder, kind)) ? readdirSync(join(folder, kind)) : []);
  const stateOf = (step: string) => JSON.parse(readFileSync(join(folder, "checkpoints", step, "state.json"), "utf8"));

  const first = startTraining({ folder, settings });
  onTestFinished(async () => void (await first.kill()));
  await reach(first, folder, said(urlOf));
  const product = startProduct(urlOf.exec(first.stderr)?.[1] as string, 1);
  // Some train steps after a checkpoint, so that their batches are lost together with the weights.
  await reach(first, folder, () => names("checkpoints").includes("step-00000004") && names("rewarded").length >= 20);
  await first.kill();
  await product.closed;
  const newest = names("checkpoints")
    .filter((name) => name.startsWith("step-"))
    .sort()
    .at(-1) as string;
  const saved = Number(newest.slice(5));
  const { settled } = stateOf(newest).parts.player;
  const files = names("rewarded")
    .filter((name) => name.endsWith(".json"))
    .map((name) => name.replace(".json", ""));
  // The checkpoint includes the batches before it. Every later reward is on the disk.
  const accepted = [...product.confirmed.values()].filter((status) => status === "accepted").length;
  const unlearnt = files.filter((id) => !settled.includes(id));
  expect(unlearnt.length).toBeGreaterThanOrEqual(accepted - saved * settings.batch_size);
  expect(unlearnt.length).toBeGreaterThan(0);

  const second = startTraining({ folder, settings });
  onTestFinished(async () => void (await second.kill()));
  await reach(second, folder, said(urlOf));
  expect(second.stderr).toContain(`resuming after train step ${saved}`);
  const [, waiting, stale] = (again.exec(second.stderr) ?? []).map(Number);
  expect((waiting as number) + (stale as number), second.stderr).toBe(unlearnt.length);
  expect(waiting).toBeGreaterThan(0);
  const later = startProduct(urlOf.exec(second.stderr)?.[1] as string, 2);
  expect((await second.exited).code, second.stderr).toBe(0);
  await later.closed;
  const lines = readFileSync(join(folder, "metrics.jsonl"), "utf8")
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line));
  expect(lines.map(({ step }) => step)).toEqual(Array.from({ length: 12 }, (_, at) => at + 1));
  expect(Math.max(...lines.map((line) => line["staleness/max"]))).toBeLessThanOrEqual(2);
  // The next train step learned from the conversations on the disk before those of new calls.
  const runs = new Runs([join(folder, "..")]);
  const call = async (...[name, params]: Parameters<Runs["call"]>) => JSON.parse(await runs.call(name, params));
  const step = saved + 1;
  const { groups } = await call("groups", { run: "run", step });
  const learnt = groups.map(({ group }: { group: string }) => call("rollout", { run: "run", step, group, index: 0 }));
  const ids = (await Promise.all(learnt)).map(({ rollout }) => rollout.episodeId as string);
  await runs.close();
  expect(ids.filter((id) => unlearnt.includes(id)).length).toBe(Math.min(waiting as number, settings.batch_size));
  // The running mean of the returns survives the kill.
  const means: number[] = lines.map((line) => line["episode/reward/mean"]);
  const { carried } = stateOf("step-00000012").parts;
  expect(carried).toBeGreaterThan(0);
  expect(carried).toBeCloseTo(
    means.reduce((mean, next) => 0.9 * mean + (1 - 0.9) * next),
    12,
  );
});
