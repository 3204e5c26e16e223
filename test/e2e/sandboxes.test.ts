/** Episodes with sandboxes, when what they run on ends: the process beside the gym, the engine, the gym itself. */
import { existsSync, readdirSync } from "node:fs";
import { tmpdir } from "node:os";
import { expect } from "vitest";
import { BoxedEpisode, type Outcome } from "../support/boxed-episodes.js";
import { containersAt, isOwnEngine, startEngine, testDocker } from "../support/docker.js";
import { stopEngine } from "../support/docker-folder.js";
import { eventually, fixture } from "../support/gym.js";
import type { GymSocket } from "../support/gym-socket.js";
import { processesWith, testProcess } from "../support/processes.js";
import { connect, serve } from "../support/serving.js";

const environmentModules = [fixture("boxed"), fixture("distant")];
/** Far above what is printed: it tells slow from stopped, on a busy machine too. */
const delayedMs = 30_000;

function percentile(values: readonly number[], share: number): number {
  return [...values].sort((one, other) => one - other)[Math.floor(share * values.length)] as number;
}

function openBoxed(socket: GymSocket, count: number): Promise<BoxedEpisode[]> {
  return Promise.all(Array.from({ length: count }, () => BoxedEpisode.open(socket)));
}

async function openTextcraft(socket: GymSocket): Promise<string> {
  const params = { environment: "textcraft", task: { index: 0 } };
  return (await socket.request<{ episodeId: string }>("create", params)).episodeId;
}

const bystanderSteps = 20;

/** Steps of synchronous episodes, one after another, until it is stopped: how long each took, in ms. */
function watchBystanders(socket: GymSocket) {
  const times: number[] = [];
  let isWatching = true;
  const play = async () => {
    const episodeId = await openTextcraft(socket);
    for (let index = 0; index < bystanderSteps && isWatching; index++) {
      const begun = performance.now();
      await socket.request("step", { episodeId, index, action: "inventory" });
      times.push(performance.now() - begun);
      await new Promise((resolve) => setTimeout(resolve, 2));
    }
    await socket.request("close", { episodeId });
  };
  const watching = (async () => {
    while (isWatching) await play();
  })();
  return async () => {
    isWatching = false;
    await watching;
    return times;
  };
}

testProcess(
  "twenty ends of the sandboxes' process: bystanders go on, and its episodes are restored or fail by name",
  async () => {
    const env = { PALESTRA_SANDBOXES_PROVIDER: "process" };
    const { url } = await serve({ env, environmentModules });
    const socket = await connect(url);
    const other = await connect(url);
    const boxed = [...(await openBoxed(socket, 12)), ...(await openBoxed(socket, 13))];
    await Promise.all(Array.from({ length: 25 }, () => openTextcraft(other)));
    for (const episode of boxed)
      expect(await episode.step("echo $PPID > mine; echo on")).toMatchObject({ observation: "on\n" });

    const stopCalm = watchBystanders(other);
    await new Promise((resolve) => setTimeout(resolve, 3_000));
    const calm = await stopCalm();
    const stop = watchBystanders(other);
    const recoveries: number[] = [];
    const lost: Outcome[] = [];
    for (let round = 0; round < 20; round++) {
      const [guilty] = await openBoxed(socket, 1);
      const before = await boxed[0]?.processId();
      const way = ["kill", "loop", "exit", "throw-later"][round % 4] as string;
      const ending = guilty?.step(way);
      const begun = performance.now();
      const outcomes = await Promise.all(boxed.map((episode) => episode.step("cat mine >/dev/null && echo on")));
      recoveries.push(performance.now() - begun);
      await ending;
      for (const outcome of outcomes)
        if ("code" in outcome) lost.push(outcome);
        else expect(outcome.observation).toBe("on\n");
      if (way !== "throw-later") expect(await boxed[0]?.processId()).not.toBe(before);
      await socket.request("close", { episodeId: guilty?.episodeId });
    }
    const during = await stop();
    const figures = [percentile(calm, 0.99), percentile(during, 0.99), Math.max(...recoveries)].map((ms) =>
      ms.toFixed(1),
    );
    console.info(`bystanders' p99 ${figures[0]} ms before and ${figures[1]} ms meanwhile (${during.length} steps)`);
    const usual = percentile(recoveries, 0.5).toFixed(0);
    console.info(`all 25 answered within ${usual} ms of half of the ends, and ${figures[2]} ms of every end`);
    console.info(`${lost.length} of 500 steps failed by name: ${JSON.stringify(lost)}`);
    for (const outcome of lost) expect(outcome).toMatchObject({ class: "infrastructure" });
    expect(Math.max(...recoveries)).toBeLessThan(delayedMs);
  },
  300_000,
);

testDocker(
  "an engine that stops in mid-episode is an infrastructure failure, and its return heals",
  async (address, context) => {
    if (!isOwnEngine(address)) return context.skip("expected an engine that the tests may stop, but found another's");
    const env = { PALESTRA_SANDBOXES_PROVIDER: "docker", DOCKER_HOST: address };
    const { url } = await serve({ env, environmentModules });
    const socket = await connect(url);
    const boxed = await openBoxed(socket, 4);
    for (const episode of boxed)
      expect(await episode.step("echo kept > file; cat file")).toMatchObject({ observation: "kept\n" });
    await stopEngine();
    const failed = await Promise.all(boxed.map((episode) => episode.step("cat file")));
    for (const outcome of failed) expect(outcome).toMatchObject({ class: "infrastructure" });
    await startEngine();
    const begun = performance.now();
    for (const episode of boxed) {
      let outcome: Outcome = await episode.step("cat file");
      await eventually(async () => {
        if ("code" in outcome) {
          expect(outcome.class).toBe("infrastructure");
          outcome = await episode.step("cat file");
        }
        return "observation" in outcome;
      }, delayedMs);
      expect(outcome).toMatchObject({ observation: "kept\n", reward: 0 });
    }
    console.info(`4 episodes go on ${((performance.now() - begun) / 1_000).toFixed(1)} s after the engine's return`);
  },
);

testDocker("forty sandboxes of a gym that is killed leave nothing behind", async (address) => {
  const env = { PALESTRA_SANDBOXES_PROVIDER: "docker", PALESTRA_SANDBOXES_MACHINES: "64", DOCKER_HOST: address };
  const agentsBefore = processesWith("/.palestra/agent").length;
  const { url, process: server } = await serve({ env, environmentModules });
  const socket = await connect(url);
  const boxed = await openBoxed(socket, 40);
  const pid = await boxed[0]?.processId();
  expect(containersAt(address).length).toBeGreaterThanOrEqual(40);
  await server.kill();
  const begun = performance.now();
  await serve({ env, environmentModules });
  await eventually(() => containersAt(address).length === 0, 10_000);
  await eventually(() => !existsSync(`/proc/${pid}`), 10_000);
  console.info(`nothing is left ${((performance.now() - begun) / 1_000).toFixed(1)} s after the kill`);
  await eventually(() => processesWith("/.palestra/agent").length <= agentsBefore);
  expect(readdirSync(tmpdir()).filter((name) => name.startsWith("palestra-") && name.includes(`-${pid}-`))).toEqual([]);
});
