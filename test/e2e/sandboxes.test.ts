/** Episodes with sandboxes whose process beside the gym ends. */
import { expect } from "vitest";
import { type BoxedEpisode, type Outcome, openBoxed } from "../support/boxed-episodes.js";
import { fixture } from "../support/gym.js";
import type { GymSocket } from "../support/gym-socket.js";
import { testProcess } from "../support/processes.js";
import { connect, serve } from "../support/serving.js";

const environmentModules = [fixture("boxed"), fixture("distant")];
/** Far above the printed times, to tell slow from stopped even on a busy machine. */
const delayedMs = 120_000;

function percentile(values: readonly number[], share: number): number {
  return [...values].sort((one, other) => one - other)[Math.floor(share * values.length)] as number;
}

async function openTextcraft(socket: GymSocket): Promise<string> {
  const params = { environment: "textcraft", task: { index: 0 } };
  return (await socket.request<{ episodeId: string }>("create", params)).episodeId;
}

/** Ways in which the process ends. `kill` comes from outside, the others from code of an episode. */
const ways = ["kill", "loop", "exit", "throw-later"] as const;
type Way = (typeof ways)[number];

const bystanderSteps = 20;

/** Plays steps of synchronous episodes one after another until `stop`, and records the milliseconds of each. */
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

/** Plays a few commands in each episode, with all episodes at once. */
async function playAll(boxed: readonly BoxedEpisode[]): Promise<void> {
  const play = async (episode: BoxedEpisode) => {
    for (let turn = 0; turn < 3; turn++) expect(await episode.step(look)).toMatchObject({ observation: "on\n" });
  };
  await Promise.all(boxed.map(play));
}

const look = "cat mine >/dev/null && echo on";

testProcess(
  "through twenty deaths of the sandbox process, other episodes continue and its own are restored or fail with a typed error",
  async () => {
    const env = { PALESTRA_SANDBOXES_PROVIDER: "process" };
    const { url } = await serve({ env, environmentModules });
    const socket = await connect(url);
    const other = await connect(url);
    const boxed = [...(await openBoxed(socket, 12)), ...(await openBoxed(socket, 13))];
    await Promise.all(Array.from({ length: 25 }, () => openTextcraft(other)));
    for (const episode of boxed)
      expect(await episode.step("echo $PPID > mine; echo on")).toMatchObject({ observation: "on\n" });

    const bystanders = async (during: () => Promise<unknown>) => {
      const stop = watchBystanders(other);
      await during();
      return percentile(await stop(), 0.99).toFixed(1);
    };
    const calm = await bystanders(() => new Promise((resolve) => setTimeout(resolve, 3_000)));
    const busy = await bystanders(() => playAll(boxed));
    const recoveries = new Map<string, number[]>(ways.map((way) => [way, []]));
    const lost: Outcome[] = [];
    const ends = await bystanders(async () => {
      for (let round = 0; round < 20; round++) {
        const way = ways[round % ways.length] as Way;
        const [guilty] = (await openBoxed(socket, 1)) as [BoxedEpisode];
        const before = await guilty.processId();
        const begun = performance.now();
        const ending = way === "kill" ? process.kill(before, "SIGKILL") : guilty.step(way);
        const outcomes = await Promise.all(boxed.map((episode) => episode.step(look)));
        recoveries.get(way)?.push(performance.now() - begun);
        await ending;
        for (const outcome of outcomes)
          if ("code" in outcome) lost.push(outcome);
          else expect(outcome.observation).toBe("on\n");
        if (way !== "throw-later") expect(await boxed[0]?.processId()).not.toBe(before);
        await socket.request("close", { episodeId: guilty.episodeId });
      }
    });
    console.info(`bystanders' p99: ${calm} ms before, ${busy} ms beside 25 that play, ${ends} ms beside the ends`);
    for (const [way, times] of recoveries)
      console.info(`${way}: all 25 answered within ${times.map((ms) => ms.toFixed(0)).join(", ")} ms`);
    console.info(`${lost.length} of 500 steps failed by name: ${JSON.stringify(lost)}`);
    for (const outcome of lost) expect(outcome).toMatchObject({ class: "infrastructure" });
    expect(Math.max(...[...recoveries.values()].flat())).toBeLessThan(delayedMs);
  },
  600_000,
);
