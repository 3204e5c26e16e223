/**
 * One episode breaks its host while many others play on it. There is only one host, so that the fault affects
 * all of them.
 */
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { type GymSocket, Refusal } from "../support/gym-socket.js";
import { connect, scratch, serve } from "../support/serving.js";
import { eventually, MiB, metric } from "../support/watching.js";
import { Bystanders } from "./bystanders.js";

const faulty = fileURLToPath(new URL("../fixtures/environments/faulty.mjs", import.meta.url));
const memoryMb = 256;
/** Far above the printed times, which are at most two seconds on a quiet machine, to distinguish slow from stopped. */
const replacedMs = 60_000;
/** Long timeout, so that a memory fault is not reported as a timeout on a busy machine. */
const patientDeadlineMs = 10_000;
/** Processor time after which a step counts as hanging. Other steps take a thousandth of it. */
const hangDeadlineMs = 1_000;
/** Largest growth of the process during the fault. The environment asks for 4 GiB. */
const peakGrowthBytes = 1_024 * MiB;
/** Largest growth after the fault. Some of the 4 GiB remain, since malloc keeps a host's memory for later. */
const keptBytes = 448 * MiB;

interface Created {
  episodeId: string;
}

interface Fault {
  action: string;
  code: string;
  hostsLost: number;
  deadlineMs: number;
}

test.for<Fault>([
  { action: "throw", code: "ENVIRONMENT_THREW", hostsLost: 0, deadlineMs: patientDeadlineMs },
  { action: "hang", code: "ENVIRONMENT_HUNG", hostsLost: 1, deadlineMs: hangDeadlineMs },
  { action: "heap", code: "ENVIRONMENT_OUT_OF_MEMORY", hostsLost: 1, deadlineMs: patientDeadlineMs },
  { action: "buffers", code: "ENVIRONMENT_OUT_OF_MEMORY", hostsLost: 1, deadlineMs: patientDeadlineMs },
])(
  "the action $action fails its own episode with $code while 150 others continue",
  { timeout: 240_000 },
  async (fault) => {
    const env = {
      PALESTRA_HOSTS_COUNT: "1",
      PALESTRA_HOSTS_MEMORY_MB: `${memoryMb}`,
      PALESTRA_HOSTS_STEP_DEADLINE_MS: `${fault.deadlineMs}`,
    };
    const { url, process } = await serve({ environmentModules: [faulty], env });
    const guilty = await connect(url);
    const { episodeId } = await createFaulty(guilty);
    await guilty.request("step", { episodeId, index: 0, action: "harmless" });
    const bystanders = await Bystanders.begin(await connect(url), { textcraft: 100, faulty: 50 });
    await bystanders.taken(1_500);
    const residentBefore = process.residentBytes();

    const failedAt = performance.now();
    const failure = guilty.request("step", { episodeId, index: 1, action: fault.action });
    await expect(failure).rejects.toMatchObject({ code: fault.code, failureClass: "environment" });
    const toldMs = performance.now() - failedAt;
    await bystanders.taken(3_000);
    const { silenceMs, longestWaitMs } = await bystanders.end();
    const restingBytes = await eventually(
      () => process.residentBytes(),
      (bytes) => bytes < residentBefore + keptBytes,
    );

    console.info(
      `${fault.action}: told after ${toldMs.toFixed(0)} ms; others' steps stopped for ${silenceMs.toFixed(0)} ms, the ` +
        `last one stepped again after ${longestWaitMs.toFixed(0)} ms; ${bystanders.steps} steps of ` +
        `${bystanders.count} others right; resident MiB ${mib(residentBefore)}, at most ${mib(process.peakResidentBytes())}, then ${mib(restingBytes)}`,
    );
    expect(longestWaitMs).toBeLessThan(replacedMs);
    expect(process.peakResidentBytes()).toBeLessThan(residentBefore + peakGrowthBytes);
    expect(restingBytes).toBeLessThan(residentBefore + keptBytes);
    expect(await metric(url, "palestra_hosts_lost_total")).toBe(fault.hostsLost);
    expect(await guilty.request("get", { episodeId })).toMatchObject({
      phase: "failed",
      index: 1,
      failure: { code: fault.code, class: "environment" },
    });
    await expect(guilty.request("step", { episodeId, index: 1, action: "harmless" })).rejects.toMatchObject({
      code: "EPISODE_FAILED",
    });
  },
);

test("an environment that leaks memory with every step fails alone", async () => {
  // The heap has room for six leaks and the garbage of other episodes. With less room, another episode's call might
  // exceed the limit.
  const env = { PALESTRA_HOSTS_COUNT: "1", PALESTRA_HOSTS_MEMORY_MB: `${memoryMb + 24}` };
  const { url } = await serve({ environmentModules: [faulty], env });
  const guilty = await connect(url);
  const { episodeId } = await createFaulty(guilty);
  const bystanders = await Bystanders.begin(await connect(url), { textcraft: 100, faulty: 50 });
  let failed: unknown;
  let eaten = 0;
  for (; eaten < 20 && !failed; eaten++) {
    await guilty
      .request("step", { episodeId, index: eaten, action: "some buffers" })
      .catch((error) => (failed = error));
    await bystanders.taken(100);
  }
  const { longestWaitMs } = await bystanders.end();
  console.info(`failed at meal ${eaten} of 40 MiB; the others stepped again after ${longestWaitMs.toFixed(0)} ms`);
  expect(failed).toBeInstanceOf(Refusal);
  expect(failed).toMatchObject({ code: "ENVIRONMENT_OUT_OF_MEMORY", failureClass: "environment" });
  expect(longestWaitMs).toBeLessThan(replacedMs);
});

test.each(["thread", "process"])(
  "a call that blocks once, or a machine without memory or disk, fails no episode of a %s while 150 others continue",
  async (isolation) => {
    const env = { PALESTRA_HOSTS_COUNT: "1", PALESTRA_HOSTS_ISOLATION: isolation };
    const { url } = await serve({ environmentModules: [faulty], env, pace: 0.25 });
    const socket = await connect(url);
    const { episodeId } = await createFaulty(socket);
    const bystanders = await Bystanders.begin(await connect(url), { textcraft: 100, faulty: 50 });
    await bystanders.taken(500);
    const action = `block once: ${scratch()}/seen`;
    const step = (index: number, said: string) => socket.request("step", { episodeId, index, action: said });
    expect(await step(0, action)).toMatchObject({ index: 0, observation: `1: ${action}` });
    await expect(step(1, "no room")).rejects.toMatchObject({ code: "HOST_FAILED", failureClass: "infrastructure" });
    expect(await step(1, "on")).toMatchObject({ index: 1, observation: "2: on" });
    await bystanders.taken(1_000);
    await bystanders.end();
    expect(await socket.request("get", { episodeId })).toMatchObject({ phase: "running", index: 2, failure: null });
    expect(await metric(url, "palestra_hosts_lost_total")).toBe(1);
  },
  240_000,
);

test("five episodes that hang in sequence do not affect the others", async () => {
  const env = { PALESTRA_HOSTS_COUNT: "2", PALESTRA_HOSTS_STEP_DEADLINE_MS: `${hangDeadlineMs}` };
  const { url } = await serve({ environmentModules: [faulty], env });
  const guilty = await connect(url);
  const bystanders = await Bystanders.begin(await connect(url), { textcraft: 100, faulty: 50 });
  for (let i = 0; i < 5; i++) {
    const { episodeId } = await createFaulty(guilty);
    await expect(guilty.request("step", { episodeId, index: 0, action: "hang" })).rejects.toMatchObject({
      code: "ENVIRONMENT_HUNG",
    });
  }
  await bystanders.taken(1_000);
  const { longestWaitMs } = await bystanders.end();
  console.info(`five hangs: ${bystanders.steps} steps of others right, longest wait ${longestWaitMs.toFixed(0)} ms`);
  expect(await metric(url, "palestra_hosts_lost_total")).toBe(5);
  // An episode may be on each of the replaced hosts, and is read from the database each time.
  expect(longestWaitMs).toBeLessThan(process.env.TEST_POSTGRES === undefined ? replacedMs : 3 * replacedMs);
});

function createFaulty(socket: GymSocket): Promise<{ episodeId: string }> {
  return socket.request("create", { environment: "faulty", task: { index: 0 } });
}

function mib(bytes: number): string {
  return (bytes / MiB).toFixed(0);
}

test("an episode whose history is larger than a host's memory is restored in pieces", async () => {
  const env = { PALESTRA_HOSTS_COUNT: "1", PALESTRA_HOSTS_MEMORY_MB: "40", PALESTRA_HOSTS_STEP_DEADLINE_MS: "10000" };
  const dataDir = scratch();
  const first = await serve({ dataDir, env });
  const socket = await connect(first.url);
  const params = { environment: "textcraft", task: { index: 0 }, maxSteps: 1_000 };
  const [large, small] = await Promise.all([
    socket.request<Created>("create", params),
    socket.request<Created>("create", params),
  ]);
  for (let index = 0; index < 120; index++) {
    await socket.requestText("step", {
      episodeId: large.episodeId,
      index,
      action: `${index} ${"x".repeat(2 ** 20 - 10)}`,
    });
  }
  await first.process.kill();

  const { url } = await serve({ dataDir, env });
  const again = await connect(url);
  for (const [{ episodeId }, index] of [
    [large, 120],
    [small, 0],
  ] as const)
    expect(await again.request("step", { episodeId, index, action: "inventory" })).toMatchObject({ index });
  expect(await metric(url, "palestra_hosts_lost_total")).toBe(0);
});
