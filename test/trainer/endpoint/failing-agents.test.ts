/**
 * Agents that fail, crash, are killed or fall silent: training continues without them, and the log names the rollouts
 * that it waits for.
 */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { connect } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, onTestFinished, test } from "vitest";
import type { Model } from "#palestra/native/api/index.js";
import { checkSettings } from "#palestra/trainer/settings/settings.js";
import { engineOfFile, temporaryFolder } from "../../native/tiny-models.js";
import { root } from "../../support/server-process.js";
import { writeAgentModel } from "./agent-model.js";
import { chat, claim, type Invitation, post, serve } from "./serving.js";

const engine = await engineOfFile(1);
const folder = engine && (await writeAgentModel(engine, temporaryFolder(), { texts: ["say it", "again"] }));
const model: Model = engine && (await engine.loadModel(folder));
const say = [{ role: "user", content: "say it" }];

async function playOut(url: string, rollout: Invitation, reward = 1): Promise<void> {
  await chat(rollout, say);
  await post(`${url}/rollouts/${rollout.id}/reward`, { reward, end: true });
}

async function get(url: string) {
  const response = await fetch(url);
  // biome-ignore lint/suspicious/noExplicitAny: whatever the endpoint says
  return { status: response.status, body: (await response.json()) as any };
}

/** Longer than any test here, so that no result is due to the lease. */
const longLease = { leaseMs: 3_600_000 };

describe("POST /rollouts/:id/fail", () => {
  test("ends the rollout at once as failed, with the reason, and the group continues without it", async () => {
    const lines: string[] = [];
    const { url, seat } = await serve(model, { ...longLease, groupSize: 3, say: (line) => lines.push(line) });
    const group = seat();
    const [broken, one] = [await claim(url, "t"), await claim(url, "t")];
    await chat(broken, say);
    const failed = await post(`${url}/rollouts/${broken.id}/fail`, { reason: "ValueError('no key')" });
    expect([failed.status, failed.body]).toMatchObject([
      200,
      {
        id: broken.id,
        status: "failed",
        failure: { class: "agent", code: "ROLLOUT_FAILED", message: "ValueError('no key')" },
        dropped: { failed: 1 },
      },
    ]);
    await playOut(url, one);
    // Two of the group's three rollouts have ended. The group waits for the third, and not for a replacement of the
    // failed one.
    expect((await get(`${url}/status`)).body.groups).toMatchObject([{ begun: 2, open: 0, size: 3 }]);
    await playOut(url, await claim(url, "t"), 0);
    const { trajectories, failed: masked } = await group;
    expect(trajectories.map(({ return: score }) => score)).toEqual([1, 0]);
    expect(masked).toMatchObject([{ episodeId: broken.id, status: "failed", solved: false }]);
    expect((await get(`${url}/status`)).body.rollouts).toEqual({ open: 0, ended: 3, failed: 1 });
    expect(lines).toEqual([`rollout ${broken.id} (task "t") failed: ValueError('no key')`]);
  });

  test("ends a running call", async () => {
    const { url, seat, generator } = await serve(model, longLease);
    const group = seat();
    const rollout = await claim(url);
    await generator.pause();
    const call = chat(rollout, say);
    while (generator.stats().waiting + generator.stats().running < 1) await sleep(5);
    await post(`${url}/rollouts/${rollout.id}/fail`, {});
    generator.resume();
    const { status, body } = await call;
    expect([status, body.error.code]).toEqual([410, "rollout_ended"]);
    expect((await group).failed).toMatchObject([{ failure: { message: "the agent gave no reason" } }]);
  });

  test("shortens a long reason, and accepts a missing reason and null", async () => {
    const { url } = await serve(model, longLease);
    for (const [reason, kept] of [
      ["x".repeat(100_000), "x".repeat(1000)],
      [null, "the agent gave no reason"],
      ["", "the agent gave no reason"],
    ]) {
      const rollout = await claim(url, "t", "eval");
      const { body } = await post(`${url}/rollouts/${rollout.id}/fail`, { reason });
      expect(body.failure.message).toBe(kept);
    }
  });
});

describe("a rollout that has ended refuses", () => {
  const endings: [string, object, string][] = [
    ["end", {}, "has failed (expected a reward before the end, but received none)"],
    ["reward", { reward: 1, end: true }, "has ended"],
    ["fail", { reason: "a bug" }, "has failed (a bug)"],
  ];
  for (const [first, body, state] of endings) {
    test.each(["end", "fail", "reward", "v1/chat/completions"])(`after ${first}: %s`, async (second) => {
      const { url } = await serve(model, longLease);
      const rollout = await claim(url, "t", "eval");
      if (first !== "end") await chat(rollout, say);
      expect((await post(`${url}/rollouts/${rollout.id}/${first}`, body)).status).toBe(200);
      const before = (await get(`${url}/rollouts/${rollout.id}`)).body;
      const request =
        second === "reward" ? { reward: 5 } : second.startsWith("v1") ? { model: "m", messages: say } : {};
      const refused = await post(`${url}/rollouts/${rollout.id}/${second}`, request);
      expect([refused.status, refused.body]).toEqual([
        410,
        {
          error: {
            message: `The rollout ${state}. Claim another with POST /rollouts.`,
            type: "invalid_request_error",
            param: null,
            code: "rollout_ended",
          },
        },
      ]);
      expect((await get(`${url}/rollouts/${rollout.id}`)).body).toEqual(before);
    });
  }

  test.each(["end", "fail", "reward"])("of an unknown id: %s", async (what) => {
    const { url } = await serve(model);
    const { status, body } = await post(`${url}/rollouts/none/${what}`, { reward: 1 });
    expect([status, body.error.code]).toEqual([404, "rollout_not_found"]);
  });

  test("of a failure report with an unknown field", async () => {
    const { url } = await serve(model);
    const rollout = await claim(url, "t", "eval");
    const { status, body } = await post(`${url}/rollouts/${rollout.id}/fail`, { why: "a bug" });
    expect([status, body.error.code, body.error.param]).toEqual([400, "unsupported_parameter", "why"]);
    expect((await get(`${url}/rollouts/${rollout.id}`)).body.status).toBe("open");
  });
});

describe("the lease", () => {
  test("is 120 s unless it is set", () => {
    const settings = checkSettings({ rollout: "endpoint", model: "m" });
    expect(settings.endpoint_lease_s).toBe(120);
  });

  test("is renewed by every use of the rollout's URLs", async () => {
    const leaseMs = 6000;
    const { url } = await serve(model, { leaseMs });
    const uses: [(rollout: Invitation) => Promise<{ status: number }>, number][] = [
      [(rollout) => chat(rollout, say), 200],
      [(rollout) => chat(rollout, say, { n: 0 }), 400],
      [({ id }) => post(`${url}/rollouts/${id}/reward`, { reward: 0.5 }), 200],
      [({ id }) => get(`${url}/rollouts/${id}`), 200],
      [({ base_url }) => get(`${base_url}/models`), 200],
    ];
    const use = async ([using, expected]: (typeof uses)[number]) => {
      const rollout = await claim(url, "t", "eval");
      await chat(rollout, say);
      const until = performance.now() + 1.3 * leaseMs;
      while (performance.now() < until) {
        await sleep(leaseMs / 10);
        expect((await using(rollout)).status).toBe(expected);
      }
      return rollout;
    };
    const rollouts = await Promise.all(uses.map(use));
    const open = async () => (await get(`${url}/status`)).body.rollouts.open as number;
    expect(await open()).toBe(uses.length);
    await expect.poll(open).toBe(0);
    for (const { id } of rollouts) {
      expect((await get(`${url}/rollouts/${id}`)).body.failure.code).toBe("ROLLOUT_EXPIRED");
    }
  });

  test.each([true, false])(
    "does not run during a call (streamed: %s), whatever else is used meanwhile",
    async (stream) => {
      const leaseMs = 300;
      const { url, seat, generator } = await serve(model, { leaseMs });
      const group = seat();
      const rollout = await claim(url);
      await generator.pause();
      const call = fetch(`${rollout.base_url}/chat/completions`, {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify({ model: "m", messages: say, stream }),
      });
      while (generator.stats().waiting + generator.stats().running < 1) await sleep(5);
      expect((await get(`${url}/rollouts/${rollout.id}`)).body).not.toHaveProperty("lease");
      await sleep(3 * leaseMs);
      expect((await get(`${url}/rollouts/${rollout.id}`)).body.status).toBe("open");
      generator.resume();
      expect((await (await call).text()).length).toBeGreaterThan(0);
      await post(`${url}/rollouts/${rollout.id}/reward`, { reward: 1, end: true });
      expect((await group).trajectories).toHaveLength(1);
    },
  );

  test("is shown by GET /rollouts/:id", async () => {
    const { url } = await serve(model, { leaseMs: 60_000 });
    const rollout = await claim(url, "t", "eval");
    const { lease } = (await get(`${url}/rollouts/${rollout.id}`)).body;
    expect(lease.idle_s).toBeLessThan(30);
    expect(lease.idle_s + lease.ends_in_s).toBeCloseTo(60, 0);
  });
});

describe("the log", () => {
  test("names the rollout that training waits for, its idle time, its lease, and later its end", async () => {
    const lines: string[] = [];
    const { url, seat } = await serve(model, { groupSize: 2, leaseMs: 6000, say: (line) => lines.push(line) });
    const group = seat();
    const [silent, other] = [await claim(url, "question 17"), await claim(url, "question 17")];
    await playOut(url, other);
    await group;
    const name = `rollout ${silent.id} (task "question 17")`;
    const [waiting = "", ...later] = lines;
    const [, idle, left] = /: idle for ([\d.]+) s, its lease ends in ([\d.]+) s$/.exec(waiting) ?? [];
    expect(waiting.startsWith(`waiting for ${name}: idle for`), waiting).toBe(true);
    expect(Number(idle)).toBeGreaterThanOrEqual(3);
    expect(Number(idle) + Number(left)).toBeCloseTo(6, 0);
    expect(later.at(-1)).toBe(`${name} failed: the agent did not use it for 6 s`);
    expect(later.length).toBeLessThanOrEqual(2);
  });

  test("names the task of a group that lacks rollouts, and reports when the group is closed without them", async () => {
    const lines: string[] = [];
    const { url, seat } = await serve(model, { groupSize: 3, leaseMs: 4000, say: (line) => lines.push(line) });
    const group = seat();
    await playOut(url, await claim(url, "question 17"));
    expect((await group).trajectories).toHaveLength(1);
    expect(lines[0]).toMatch(
      /^waiting for 2 of 3 rollouts of task "question 17", not yet claimed: idle for [23]\.?\d* s, its lease ends in [012]\.?\d* s$/,
    );
    expect(lines.at(-1)).toBe(
      'the group of task "question 17" is closed with 1 of 3 rollouts: no further rollout was claimed for 4.0 s',
    );
  });

  test("has one line for many rollouts that fail together", async () => {
    const lines: string[] = [];
    const { url } = await serve(model, { ...longLease, say: (line) => lines.push(line) });
    for (let at = 0; at < 50; at++) {
      const rollout = await claim(url, "t", "eval");
      await post(`${url}/rollouts/${rollout.id}/fail`, { reason: "a bug" });
    }
    expect(lines).toHaveLength(1);
  });

  test("has no line for active rollouts, nor for evaluations that nothing waits for", async () => {
    const lines: string[] = [];
    const { url, seat } = await serve(model, { leaseMs: 6000, say: (line) => lines.push(line) });
    const group = seat();
    const [rollout, evaluation] = [await claim(url), await claim(url, "t", "eval")];
    while (lines.length === 0) {
      await sleep(100);
      await chat(rollout, say);
    }
    await post(`${url}/rollouts/${rollout.id}/reward`, { reward: 1, end: true });
    await group;
    expect(lines).toEqual([`rollout ${evaluation.id} (task "t") failed: the agent did not use it for 6 s`]);
  });
});

/** An agent in a process: plays a rollout of `task` with OpenAI's SDK, and then runs the code in `last`. */
function startAgent(url: string, last: string) {
  const program = `
    import OpenAI from "openai";
    const headers = { "content-type": "application/json" };
    const rollout = await (await fetch("${url}/rollouts", { method: "POST", headers, body: '{"task":"t"}' })).json();
    const llm = new OpenAI({ baseURL: rollout.base_url, apiKey: "any", maxRetries: 0 });
    const messages = [{ role: "user", content: "say it" }];
    await llm.chat.completions.create({ model: "m", messages });
    console.log(rollout.id);
    ${last}`;
  const child = spawn(process.execPath, ["--input-type=module", "-e", program], {
    cwd: root,
    stdio: ["ignore", "pipe", "ignore"],
  });
  onTestFinished(() => void child.kill("SIGKILL"));
  return { child, id: once(child.stdout, "data").then(([text]) => String(text).trim()) };
}

describe("a group", () => {
  test.each([
    ["crashes", "throw new Error('a bug');", undefined],
    ["is killed between two calls", "setInterval(() => {}, 1000);", "SIGKILL"],
    ["is killed during a call", "for (;;) await llm.chat.completions.create({ model: 'm', messages });", "SIGKILL"],
  ] as const)("continues without an agent that %s", async (_, last, signal) => {
    const { url, seat } = await serve(model, { groupSize: 2, leaseMs: 6000 });
    const group = seat();
    const agent = startAgent(url, last);
    const id = await agent.id;
    if (signal) agent.child.kill(signal);
    if (agent.child.exitCode === null && agent.child.signalCode === null) await once(agent.child, "exit");
    await playOut(url, await claim(url, "t"));
    const { trajectories, failed } = await group;
    expect(trajectories).toHaveLength(1);
    expect(failed).toMatchObject([{ episodeId: id, failure: { code: "ROLLOUT_EXPIRED" } }]);
  });

  test("does not wait for a rollout whose agent disconnects before it gets the reply", async () => {
    const { url, seat, endpoint } = await serve(model, { ...longLease, groupSize: 2 });
    const group = seat();
    const body = '{"task":"t"}';
    const socket = connect(Number(new URL(url).port), "127.0.0.1");
    const claimed = endpoint.rollouts.claim.bind(endpoint.rollouts);
    // The connection breaks after the rollout is admitted and before the reply.
    endpoint.rollouts.claim = async (...asked) => {
      const rollout = await claimed(...asked);
      socket.destroy();
      await sleep(100);
      return rollout;
    };
    socket.write(
      `POST /rollouts HTTP/1.1\r\nhost: 127.0.0.1\r\ncontent-type: application/json\r\ncontent-length: ${body.length}\r\n\r\n${body}`,
    );
    await once(socket, "close");
    await sleep(200);
    endpoint.rollouts.claim = claimed;
    await playOut(url, await claim(url, "t"));
    const { trajectories, failed } = await group;
    expect(trajectories).toHaveLength(1);
    expect(failed).toMatchObject([{ failure: { message: "the agent disconnected before it received the rollout" } }]);
  });
});
