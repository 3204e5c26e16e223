/** Episodes on the bundled web sites through /v1, whose browser is killed between two steps. */
import { expect } from "vitest";
import { testBrowser } from "../support/browsers.js";
import type { GymSocket, Refusal } from "../support/gym-socket.js";
import { parentOf, processesWith } from "../support/processes.js";
import { connect, serve } from "../support/serving.js";

const actions = [
  "goto [http://forum.test/f/books]",
  "scroll [down]",
  "goto [http://wiki.test/]",
  "go_back",
  "stop [nothing]",
];

/** Returns the complete reply to a step, or the class of its failure. */
async function step(socket: GymSocket, episodeId: string, index: number): Promise<string> {
  return socket
    .requestText("step", { episodeId, index, action: actions[index] })
    .catch((error: Refusal) => `${error.failureClass} ${error.code}`);
}

async function open(socket: GymSocket, split = "train"): Promise<string> {
  const params = { environment: "webarena-lab", task: { split, index: 0 }, seed: 0 };
  return (await socket.request<{ episodeId: string }>("create", params)).episodeId;
}

/** The other processes of a browser may end with the first one. */
function kill(pid: number): void {
  try {
    process.kill(pid, "SIGKILL");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ESRCH") throw error;
  }
}

function killBrowsers(gym: number): void {
  const [host] = processesWith("hosts/async/process.js").filter((pid) => parentOf(pid) === gym);
  const browsers = processesWith(`palestra-browsers-${host}-`);
  expect(browsers.length).toBeGreaterThan(2);
  for (const pid of browsers) kill(pid);
}

/** Plays with the expert up to a step, or to the end. Returns the actions and the sum of the rewards. */
async function followExpert(socket: GymSocket, episodeId: string, from: number, to = Number.POSITIVE_INFINITY) {
  const followed: string[] = [];
  let sum = 0;
  for (let index = from; index < to; index++) {
    const { action } = await socket.request<{ action: string }>("expert", { episodeId });
    const params = { episodeId, index, action };
    const ask = () => socket.request<{ reward: number; terminated: boolean }>("step", params);
    // A step during the browser's end may fail once.
    const { reward, terminated } = await ask().catch(ask);
    followed.push(action);
    sum += reward;
    if (terminated) break;
  }
  return { followed, sum };
}

testBrowser(
  "the expert continues in a fork and after the browser was killed, and solves the task",
  async () => {
    const { url, process: server } = await serve({ env: { PALESTRA_LOCAL_EXPERT: "true" } });
    const socket = await connect(url);
    const undisturbed = await followExpert(socket, await open(socket, "test"), 0);
    expect(undisturbed.sum).toBe(1);
    expect(undisturbed.followed.length).toBeGreaterThan(3);

    const episodeId = await open(socket, "test");
    const start = await followExpert(socket, episodeId, 0, 2);
    const fork = await socket.request<{ episodeId: string }>("fork", { episodeId, index: 2 });
    killBrowsers(server.pid as number);
    for (const one of [fork.episodeId, episodeId]) {
      const rest = await followExpert(socket, one, 2);
      expect([...start.followed, ...rest.followed]).toEqual(undisturbed.followed);
      expect(rest.sum).toBe(1);
    }
  },
  180_000,
);

testBrowser(
  "an episode whose browser is killed continues with the same bytes and ends with the right reward",
  async () => {
    const { url, process: server } = await serve();
    const socket = await connect(url);
    const undisturbed = await open(socket);
    const expected: string[] = [];
    for (const index of actions.keys()) expected.push(await step(socket, undisturbed, index));
    expect(JSON.parse(expected.at(-1) as string)).toMatchObject({ reward: 0, terminated: true });

    const episodeId = await open(socket);
    for (const index of [0, 1]) expect(await step(socket, episodeId, index)).toBe(expected[index]);
    killBrowsers(server.pid as number);
    for (const index of [2, 3, 4]) {
      let answered = await step(socket, episodeId, index);
      // A step during the browser's end may fail once, and is then repeated.
      if (answered.startsWith("infrastructure")) answered = await step(socket, episodeId, index);
      expect(answered).toBe(expected[index]);
    }
  },
  180_000,
);
