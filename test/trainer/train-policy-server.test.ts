/**
 * Training with a sampling server in a process of its own: tokens and weights go over the network, and no token is
 * lost.
 */
import { cpSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { Engine } from "#palestra/native/api/index.js";
import { oldestVersion, type Trajectory } from "#palestra/trainer/rollout/trajectory.js";
import type { TrainStepReport } from "#palestra/trainer/run/observer.js";
import type { TrainSettings } from "#palestra/trainer/settings/settings.js";
import { type TrainResult, train } from "#palestra/trainer/train.js";
import { needsEngine } from "../native/tiny-models.js";
import { startNode } from "../support/server-process.js";
import { gymOfFile } from "./support/gym-of-file.js";
import { Notes, tinySettings } from "./support/training.js";

needsEngine();
const file = gymOfFile();

beforeAll(async () => {
  await run(settingsOf("start", { total_train_steps: 0, policy: "native" }));
});

async function startPolicyServer(...args: string[]): Promise<string> {
  const child = startNode(["--import", "tsx", "test/trainer/support/policy-server.ts", ...args], { showErrors: true });
  onTestFinished(async () => void (await child.stop()));
  return child.listeningUrl();
}

const settingsOf = (output: string, changes: Partial<TrainSettings>) =>
  tinySettings(join(file.folder, output), {
    ppo_n_minibatches: 1,
    total_train_steps: 3,
    eval_episodes: 4,
    ...changes,
  });

/** Settings of a run that starts from the weights cloned once for all tests of the file. */
function servedBy(url: string, output: string, changes: Partial<TrainSettings> = {}): TrainSettings {
  const model = join(file.folder, "start", "final");
  return settingsOf(output, { policy: `openai:${url}/v1#policy`, model, clone_episodes: 0, ...changes });
}

async function run(
  settings: TrainSettings,
  onTrainStep: (report: TrainStepReport) => void = () => {},
  signal = new AbortController().signal,
): Promise<{ result: TrainResult; steps: TrainStepReport[] }> {
  const notes = new Notes();
  notes.onTrainStepHook = onTrainStep;
  return { result: await train(settings, file.gym, notes, signal), steps: notes.steps };
}

/** The control requests that the server got, and the number of replies that they interrupted. */
async function accountOf(url: string): Promise<{ told: string[]; interrupted: number }> {
  return (await fetch(`${url}/told`)).json() as ReturnType<typeof accountOf>;
}

/**
 * The largest difference between the server's log-probabilities of its tokens and those of these weights, both on a
 * CPU.
 */
async function mismatch(folder: string, trajectories: readonly Trajectory[]): Promise<number> {
  const engine = await Engine.create({ device: "cpu", threads: 1 });
  try {
    const trainer = await (await engine.loadModel(folder)).trainer({ maxTokens: 1024 });
    let most = 0;
    for (const { tokens, mask, logprobs } of trajectories) {
      const { logprob } = await trainer.score({ tokens, mask });
      for (const [at, value] of logprob.entries()) most = Math.max(most, Math.abs(value - (logprobs[at] as number)));
    }
    return most;
  } finally {
    await engine.close();
  }
}

describe("in synchronous mode", () => {
  test.each(["vllm", "sglang"])(
    "a server like %s samples with the pushed weights, with equal log-probabilities of every token",
    async (kind) => {
      const url = await startPolicyServer(kind);
      const settings = servedBy(url, `sync-${kind}`, { max_head_offpolicyness: 0 });
      const weights = join(settings.output, "weights");
      // The weights that sampled the step's episodes. The newest two versions exist.
      const keep = ({ trainStep }: TrainStepReport) => {
        const version = String(trainStep - 1);
        cpSync(join(weights, version), join(settings.output, "kept", version), { recursive: true });
      };
      const { result, steps } = await run(settings, keep);
      expect(result).toMatchObject({ end: "done", trainSteps: 3 });
      expect(steps.some(({ learntFrom }) => learntFrom > 0)).toBe(true);
      expect(readdirSync(weights).sort()).toEqual(["2", "3"]);
      for (const [at, { groups }] of steps.entries()) {
        const trajectories = groups.flatMap((group) => group.trajectories);
        expect(trajectories).toHaveLength(12);
        expect(new Set(trajectories.map(oldestVersion))).toEqual(new Set([at]));
        expect(await mismatch(join(settings.output, "kept", String(at)), trajectories)).toBe(0);
      }
      const pushes = (await accountOf(url)).told.filter((path) => /collective_rpc|update_weights/.test(path));
      expect(pushes).toHaveLength(4);
    },
    240_000,
  );

  test("PPO with a separate critic pushes only the policy's weights, and the server can load them", async () => {
    const url = await startPolicyServer("vllm");
    const ppo = { algorithm: "ppo", critic: "separate", total_train_steps: 2, max_head_offpolicyness: 0 } as const;
    const { result, steps } = await run(servedBy(url, "critic", ppo));
    expect(result).toMatchObject({ end: "done", trainSteps: 2 });
    expect(steps.map(({ criticGradientNorm }) => criticGradientNorm)).toEqual([expect.any(Number), expect.any(Number)]);
    const pushed = join(file.folder, "critic", "weights", "2", "model.safetensors");
    expect(readFileSync(pushed, "latin1")).not.toContain("value_head");
  });
});

describe("asynchronously", () => {
  test("weights change during replies, and no token is older than its stated version", async () => {
    const url = await startPolicyServer("vllm");
    const { steps } = await run(servedBy(url, "async", { max_head_offpolicyness: 2, total_train_steps: 4 }));
    for (const [at, { groups }] of steps.entries()) {
      const trajectories = groups.flatMap((group) => group.trajectories);
      expect(trajectories.every(({ status }) => status !== "failed")).toBe(true);
      for (const trajectory of trajectories) expect(at - (oldestVersion(trajectory) as number)).toBeLessThanOrEqual(2);
    }
    expect((await accountOf(url)).interrupted).toBeGreaterThan(0);
  });

  test("replies that the server aborts for new weights are completed", async () => {
    const url = await startPolicyServer("vllm");
    const { steps } = await run(servedBy(url, "abort", { max_head_offpolicyness: 2, kv_on_update: "recompute" }));
    expect(steps.flatMap(({ groups }) => groups.flatMap(({ failed }) => failed))).toEqual([]);
    const { told, interrupted } = await accountOf(url);
    expect(told).toContain("/pause?mode=abort");
    expect(interrupted).toBeGreaterThan(0);
  });
});

describe("a server that", () => {
  test("fails to load gets the weights again, and is resumed each time", async () => {
    const url = await startPolicyServer("sglang");
    await fetch(`${url}/fail`, { method: "POST", body: JSON.stringify({ loads: 1 }) });
    const { steps } = await run(servedBy(url, "flaky", { total_train_steps: 1, max_head_offpolicyness: 0 }));
    expect(steps[0]?.groups.flatMap(({ trajectories }) => trajectories.map(oldestVersion))).toEqual(Array(12).fill(0));
    const cycle = ["/pause_generation", "/update_weights_from_disk", "/continue_generation"];
    expect((await accountOf(url)).told).toEqual([...cycle, ...cycle, ...cycle]);
  });

  test("does not return its tokens is refused before any episode", async () => {
    const url = await startPolicyServer("vllm", "blind");
    await expect(run(servedBy(url, "blind"))).rejects.toMatchObject({
      code: "TOKENS_MISSING",
      message: expect.stringContaining("can be evaluated but not trained"),
    });
  });

  test("is of an unknown kind, or cannot load weights, is refused with the reason", async () => {
    const url = await startPolicyServer("llamacpp");
    await expect(run(servedBy(url, "unknown"))).rejects.toThrow('but received owned_by "llamacpp"');
    await expect(run(servedBy(url, "none", { policy_server: "vllm" }))).rejects.toMatchObject({
      code: "WEIGHTS_NOT_PUSHED",
      message: expect.stringContaining("/pause?mode=keep, but received 404"),
    });
  });
});

test("a stop during a push of weights still saves the learnt weights", async () => {
  const url = await startPolicyServer("vllm");
  const stopping = new AbortController();
  const settings = servedBy(url, "stopped", { total_train_steps: 50 });
  const stop = () => void fetch(`${url}/fail`, { method: "POST", body: '{"loads": 99}' });
  const { result } = await run(
    settings,
    ({ trainStep }) => {
      if (trainStep !== 2) return;
      stop();
      setTimeout(() => stopping.abort(new Error("stopped")), 500);
    },
    stopping.signal,
  );
  expect(result.end).toBe("stopped");
  expect(result.trainSteps).toBeGreaterThanOrEqual(2);
  expect(readdirSync(join(settings.output, "checkpoints")).length).toBeGreaterThan(0);
});
