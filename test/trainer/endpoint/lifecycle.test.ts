/** Rollouts from their admission to their end, and calls after that end. */
import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, test } from "vitest";
import type { Model } from "#palestra/native/api/index.js";

import { oldestVersion } from "#palestra/trainer/rollout/trajectory.js";
import type { TrainStepReport } from "#palestra/trainer/run/observer.js";
import { checkSettings } from "#palestra/trainer/settings/settings.js";
import { train } from "#palestra/trainer/train.js";
import { engineOfFile, temporaryFolder } from "../../native/tiny-models.js";
import { writeAgentModel } from "./agent-model.js";
import { chat, claim, type Invitation, post, serve } from "./serving.js";

const engine = await engineOfFile(1);
const folder = engine && (await writeAgentModel(engine, temporaryFolder(), { texts: ["say it", "again"] }));
const model: Model = engine && (await engine.loadModel(folder));
const output = temporaryFolder();
const say = [{ role: "user", content: "say it" }];

async function playOut(url: string, rollout: Invitation, reward = 1): Promise<void> {
  await chat(rollout, say);
  await post(`${url}/rollouts/${rollout.id}/reward`, { reward, end: true });
}

const get = async (url: string) => (await (await fetch(url)).json()) as Record<string, unknown>;

describe("a group", () => {
  test("consists of the rollouts of one task, whatever the order of the requests", async () => {
    const { url, seat } = await serve(model, { groupSize: 2 });
    const groups = [seat(), seat()];
    const rollouts = await Promise.all(["a", "b", "b", "a"].map((task) => claim(url, task)));
    await Promise.all(rollouts.map((rollout) => playOut(url, rollout)));
    const tasks = (await Promise.all(groups)).map(({ trajectories }) => trajectories.map(({ played }) => played.split));
    expect(tasks).toEqual([
      ["a", "a"],
      ["b", "b"],
    ]);
  });

  test("ends without rollouts whose agents have vanished; these have failed and do not count", async () => {
    const { url, seat } = await serve(model, { groupSize: 3, leaseMs: 4000 });
    const group = seat();
    const [one, other, silent] = await Promise.all(["t", "t", "t"].map((task) => claim(url, task)));
    await playOut(url, one as Invitation);
    await playOut(url, other as Invitation, 0);
    const { trajectories, failed } = await group;
    expect(trajectories.map(({ return: score }) => score)).toEqual([1, 0]);
    expect(failed).toMatchObject([{ failure: { class: "agent", code: "ROLLOUT_EXPIRED" }, solved: false }]);
    const late = await chat(silent as Invitation, say);
    expect([late.status, late.body.error.code]).toEqual([410, "rollout_ended"]);
    expect(await get(`${url}/status`)).toMatchObject({ rollouts: { open: 0, ended: 3, failed: 1 } });
  });

  test("that gets no more calls ends with the rollouts it has", async () => {
    const { url, seat } = await serve(model, { groupSize: 3, leaseMs: 3000 });
    const group = seat();
    await playOut(url, await claim(url));
    expect((await group).trajectories).toHaveLength(1);
  });
});

describe("admission", () => {
  test("makes rollouts wait for a place in order, and tells a client to retry after a long wait", async () => {
    const { url, seat } = await serve(model, { waitMs: 3000 });
    const first = claim(url, "first");
    const second = claim(url, "second");
    await expect.poll(() => get(`${url}/status`)).toMatchObject({ seats: { free: 0, waiting: 2 } });
    const group = seat();
    await playOut(url, await first);
    expect((await group).trajectories[0]?.played.split).toBe("first");
    await expect(second).rejects.toThrow("no_room");
    const refused = await post(`${url}/rollouts`, { task: "third" });
    expect([refused.status, refused.headers.get("retry-after"), refused.body.error.type]).toEqual([
      429,
      "1",
      "rate_limit_error",
    ]);
  });

  test("drops clients that disconnect while they wait", async () => {
    const { url, seat } = await serve(model, { waitMs: 60_000 });
    const waiting = (count: number) =>
      expect.poll(() => get(`${url}/status`)).toMatchObject({ seats: { waiting: count } });
    const leaving = new AbortController();
    const headers = { "content-type": "application/json" };
    const asked = fetch(`${url}/rollouts`, { method: "POST", body: '{"task":"t"}', headers, signal: leaving.signal });
    await waiting(1);
    leaving.abort();
    await expect(asked).rejects.toThrow();
    await waiting(0);
    const group = seat();
    await playOut(url, await claim(url, "other"));
    expect((await group).trajectories[0]?.played.split).toBe("other");
  });
});

describe("a call", () => {
  test("is aborted and dropped when its client disconnects, and the rollout continues", async () => {
    const { url, seat, generator } = await serve(model, {}, { maxNewTokens: 200 });
    const group = seat();
    const rollout = await claim(url);
    await generator.pause();
    const leaving = new AbortController();
    const request = { method: "POST", headers: { "content-type": "application/json" }, signal: leaving.signal };
    for (const stream of [true, false]) {
      const body = JSON.stringify({ model: "m", messages: say, stream });
      fetch(`${rollout.base_url}/chat/completions`, { ...request, body }).catch(() => {});
    }
    while (generator.stats().waiting + generator.stats().running < 2) await sleep(10);
    leaving.abort();
    await sleep(100);
    generator.resume();
    await playOut(url, rollout);
    expect((await group).trajectories).toHaveLength(1);
    expect(await get(`${url}/rollouts/${rollout.id}`)).toMatchObject({ status: "ended", dropped: { aborted: 2 } });
    await expect.poll(() => generator.stats()).toMatchObject({ running: 0, waiting: 0, kept: 0 });
  });

  test("beyond the end of the context is refused and counted", async () => {
    const { url, seat } = await serve(model, {}, { context: 24 });
    seat().catch(() => {});
    const rollout = await claim(url);
    await chat(rollout, say);
    const { status, body } = await chat(rollout, [{ role: "user", content: "say it ".repeat(20) }]);
    expect([status, body.error.code]).toEqual([400, "context_length_exceeded"]);
    const ended = await post(`${url}/rollouts/${rollout.id}/reward`, { reward: 1, end: true });
    expect(ended.body).toMatchObject({ rows: 1, dropped: { context_exceeded: 1 } });
  });

  test("for an ended rollout is refused, and so is a reward for an unknown call", async () => {
    const { url, seat } = await serve(model);
    const group = seat();
    const rollout = await claim(url);
    const early = await post(`${url}/rollouts/${rollout.id}/reward`, { reward: 1 });
    expect([early.status, early.body.error.code]).toEqual([404, "call_not_found"]);
    await chat(rollout, say);
    const other = await post(`${url}/rollouts/${rollout.id}/reward`, { reward: 1, call: "chatcmpl-none" });
    expect(other.body.error).toMatchObject({ code: "call_not_found", param: "call" });
    await post(`${url}/rollouts/${rollout.id}/reward`, { reward: 1, end: true });
    await group;
    expect((await post(`${url}/rollouts/${rollout.id}/reward`, { reward: 1 })).status).toBe(410);
    expect((await post(`${url}/rollouts/${rollout.id}/end`, {})).status).toBe(410);
    expect((await get(`${url}/rollouts/${rollout.id}`)).status).toBe("ended");
  });
});

describe("the end of a run", () => {
  test("answers waiting, streaming and new requests", async () => {
    const { url, seat, endpoint, generator } = await serve(model, { waitMs: 60_000 });
    const stopping = new AbortController();
    const group = seat(stopping.signal);
    const rollout = await claim(url);
    const waiting = post(`${url}/rollouts`, { task: "another" });
    await generator.pause();
    const calls = [true, false].map((stream) =>
      fetch(`${rollout.base_url}/chat/completions`, {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify({ model: "m", messages: say, stream }),
      }),
    );
    while (generator.stats().waiting + generator.stats().running < 2) await sleep(10);
    stopping.abort(new Error("stopped"));
    await expect(group).rejects.toThrow("stopped");
    const closed = endpoint.close();
    generator.resume();
    expect((await waiting).status).toBe(503);
    const replies = await Promise.all(calls);
    expect(replies.map(({ status }) => status)).toEqual([200, 503]);
    for (const reply of replies) expect(await reply.text()).toContain("endpoint_closed");
    await closed;
    await expect(fetch(`${url}/status`)).rejects.toThrow();
  });
});

describe("a training run at the endpoint", () => {
  test("learns from no token older than the bound, while the weights change during rollouts", async () => {
    const steps: TrainStepReport[] = [];
    let found: (url: string) => void = () => {};
    const listening = new Promise<string>((resolve) => {
      found = resolve;
    });
    const settings = checkSettings({
      rollout: "endpoint",
      endpoint_port: 0,
      endpoint_wait_s: 1,
      model: folder,
      output,
      context_length: 256,
      max_tokens_per_mb: 1024,
      max_new_tokens: 12,
      n_samples: 2,
      batch_size: 2,
      max_concurrent_groups: 4,
      max_head_offpolicyness: 1,
      ppo_n_minibatches: 1,
      total_train_steps: 12,
      save_freq_steps: 4,
      threads: 1,
    });
    let isOver = false;
    const nothing = () => {};
    const observer = {
      onStage: (stage: string) => found(/http:\S+/.exec(stage)?.[0] ?? ""),
      onTrainStep: (report: TrainStepReport) => void steps.push(report),
      onBackend: nothing,
      onStart: nothing,
      onCloningStep: nothing,
      onStartProgress: nothing,
      onEvaluation: nothing,
      onBeforeCheckpoint: nothing,
      onCheckpoint: nothing,
      onCheckpointFailed: nothing,
    };
    const run = train(settings, undefined, observer, new AbortController().signal);
    run.finally(() => (isOver = true)).catch(() => {});
    const url = await listening;
    const nextWeights = async () => {
      const before = steps.length;
      while (!isOver && steps.length === before) await sleep(1);
    };
    const agent = async (task: string, isSlow: boolean) => {
      while (!isOver) {
        const rollout = await claim(url, task).catch(() => undefined);
        if (!rollout) continue;
        const messages: { role: string; content: string }[] = [...say];
        for (let turn = 0; turn < 3; turn++) {
          const { status, body } = await chat(rollout, messages).catch(() => ({ status: 0, body: undefined }));
          if (status !== 200) break;
          messages.push(
            { role: "assistant", content: body.choices[0].message.content },
            { role: "user", content: "again" },
          );
          // New weights are published between two calls of a slow agent, unless the train step waits for that agent's
          // rollout.
          if (isSlow && turn === 0) await Promise.race([nextWeights(), sleep(500)]);
          else await sleep(5 * Math.random());
        }
        await post(`${url}/rollouts/${rollout.id}/reward`, { reward: Math.random(), end: true }).catch(() => {});
      }
    };
    const agents = ["a", "a", "b", "b", "c", "c"].map((task, at) => agent(task, at < 2));
    expect(await run).toMatchObject({ end: "done", trainSteps: 12 });
    await Promise.all(agents);
    const rows = steps.flatMap(({ groups, trainStep }) =>
      groups.flatMap(({ trajectories }) => trajectories.map((row) => ({ row, version: trainStep - 1 }))),
    );
    for (const { row, version } of rows) {
      expect(version - (oldestVersion(row) as number)).toBeLessThanOrEqual(1);
      expect(Math.max(...row.versions)).toBeLessThanOrEqual(version);
    }
    expect(
      rows.some(({ row }) => new Set(row.versions.filter((version) => version >= 0)).size > 1),
      "a row of two versions",
    ).toBe(true);
  }, 300_000);
});
