/** Episodes with sandboxes, when the process beside the gym that holds them ends. */
import { expect } from "vitest";
import { type Outcome, openBoxed } from "../support/boxed-episodes.js";
import { fixture } from "../support/gym.js";
import type { GymSocket } from "../support/gym-socket.js";
import { testProcess } from "../support/processes.js";
import { connect, serve } from "../support/serving.js";

const environmentModules = [fixture("boxed"), fixture("distant")];
/** Far above what is printed: it tells slow from stopped, on a busy machine too. */
const delayedMs = 30_000;

function percentile(values: readonly number[], share: number): number {
  return [...values].sort((one, other) => one - other)[Math.floor(share * values.length)] as number;
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
  600_000,
);
