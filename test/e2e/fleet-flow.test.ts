/** Many concurrent steps that one gym of a fleet forwards to another. */
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { describe, expect, onTestFinished, test } from "vitest";
import { WebSocket } from "ws";
import { Fleet, type Node } from "../support/fleet.js";
import { freePort } from "../support/free-port.js";
import { eventually } from "../support/gym.js";
import type { GymSocket } from "../support/gym-socket.js";
import { postgresFolder } from "../support/postgres.js";
import { connect, scratch, serve } from "../support/serving.js";

const patient = fileURLToPath(new URL("../fixtures/environments/patient.mjs", import.meta.url));

interface Episode {
  episodeId: string;
}

interface Transcript {
  steps: { index: number; action: string }[];
}

const textcraft = { environment: "textcraft", task: { index: 1 }, maxSteps: 100_000 };

function step(socket: GymSocket, episodeId: string, index: number, action: string): Promise<unknown> {
  return socket.request("step", { episodeId, index, action });
}

/** Takes steps in one batch. Returns the indexes of the replies, or the code of an error in its place. */
async function stepMany(socket: GymSocket, episodeId: string, from: number, actions: readonly string[]) {
  const steps = actions.map((action, i) => ({ episodeId, index: from + i, action }));
  const { results } = await socket.request<{ results: { index: number; error?: { code: string } }[] }>("stepMany", {
    steps,
  });
  return results.map(({ index, error }) => error?.code ?? index);
}

describe.skipIf(postgresFolder === null)("between two gyms", () => {
  test("the slow steps of one caller delay no step of another caller", async () => {
    const fleet = await Fleet.start(0);
    fleet.nodes.push(await fleet.startNode(undefined, [patient]), await fleet.startNode(undefined, [patient]));
    const [first, second] = fleet.nodes as [Node, Node];
    const owner = await connect(second.url);
    const other = await owner.request<Episode>("create", textcraft);
    const order: string[] = [];
    // More bytes than a gym buffers for one client, over several connections that share the socket between the gyms.
    const floods = [0, 1, 2].map(async (index) => {
      const task = { split: "play", index };
      const { episodeId } = await owner.request<Episode>("create", { environment: "patient@elsewhere", task });
      const client = await connect(first.url);
      const steps = Array.from({ length: 300 }, (_, i) =>
        step(client, episodeId, i, i === 0 ? "wait 12000" : "x".repeat(8_000)),
      );
      await steps[0];
      order.push("slow");
      await Promise.all(steps);
    });
    await sleep(4_000);
    await step(await connect(first.url), other.episodeId, 0, "inventory");
    order.push("other");
    await Promise.all(floods);
    expect(order).toEqual(["other", "slow", "slow", "slow"]);
  });

  test("steps that are sent ahead keep their order, whatever their size", async () => {
    const fleet = await Fleet.start(2);
    const [first, second] = fleet.nodes as [Node, Node];
    const client = await connect(first.url);
    const { episodeId } = await client.request<Episode>("create", textcraft);
    await fleet.palestra("fleet", "move", episodeId, second.url);
    const actions = Array.from({ length: 60 }, (_, i) =>
      i % 3 === 0 ? `get ${"9".repeat(30_000)} log` : `get ${i} log`,
    );
    await Promise.all(actions.map((action, index) => step(client, episodeId, index, action)));
    const { steps } = await client.request<Transcript>("transcript", { episodeId });
    expect(steps.map(({ action }) => action)).toEqual(actions);
  });

  test("batches of steps that are sent ahead keep their order, whatever their size", async () => {
    const fleet = await Fleet.start(2);
    const [first, second] = fleet.nodes as [Node, Node];
    const client = await connect(first.url);
    const { episodeId } = await client.request<Episode>("create", textcraft);
    await fleet.palestra("fleet", "move", episodeId, second.url);
    const actions = Array.from({ length: 240 }, (_, i) => `get ${i % 80 < 40 ? "9".repeat(4_000) : i} log`);
    const sent = Array.from({ length: 6 }, (_, batch) =>
      stepMany(client, episodeId, batch * 40, actions.slice(batch * 40, batch * 40 + 40)),
    );
    expect((await Promise.all(sent)).flat()).toEqual([...actions.keys()]);
    const { steps } = await client.request<Transcript>("transcript", { episodeId, limit: 1_000 });
    expect(steps.map(({ action }) => action)).toEqual(actions);
  });

  test.each(["steps", "batches of steps"])(
    "%s that are sent ahead keep their order while their episode moves",
    async (kind) => {
      const fleet = await Fleet.start(2);
      const [first, second] = fleet.nodes as [Node, Node];
      const client = await connect(first.url);
      const { episodeId } = await client.request<Episode>("create", textcraft);
      let isOver = false;
      const played = (async () => {
        let index = 0;
        for (; !isOver; index += 20) {
          const actions = Array.from({ length: 20 }, (_, i) => `get ${i + 1} log`);
          if (kind === "steps")
            await Promise.all(actions.map((action, i) => step(client, episodeId, index + i, action)));
          else {
            const sent = [0, 5, 10, 15].map((from) =>
              stepMany(client, episodeId, index + from, actions.slice(from, from + 5)),
            );
            expect((await Promise.all(sent)).flat()).toEqual([...actions.keys()].map((i) => index + i));
          }
          await sleep(5);
        }
        return index;
      })();
      for (const { url } of [second, first, second, first]) await fleet.palestra("fleet", "move", episodeId, url);
      isOver = true;
      const count = await played;
      expect(count).toBeGreaterThan(100);
      const { steps } = await client.request<Transcript>("transcript", { episodeId, from: count - 1 });
      expect(steps.map(({ index }) => index)).toEqual([count - 1]);
    },
  );

  test("a gym whose main thread has stopped loses its episodes to the other", async () => {
    const fleet = await Fleet.start(1);
    const port = await freePort();
    const address = `http://127.0.0.1:${port}`;
    const variables = {
      PALESTRA_LOG_URL: fleet.database,
      PALESTRA_FLEET_ADDRESS: address,
      NODE_OPTIONS: "--inspect=0",
    };
    const stopped = await serve({ dataDir: scratch(), port, env: variables, showErrors: false });
    const { episodeId } = await (await connect(stopped.url)).request<Episode>("create", textcraft);
    await pause(stopped.process.stderr);
    const [living] = fleet.nodes as [Node];
    const replies = await Promise.all([
      fleet.send(`/episodes/${episodeId}/step`, { index: 0, action: "inventory" }, {}, living.url),
      fleet.send("/episodes?detail=state", undefined, {}, living.url),
    ]);
    expect(replies[0]).toMatchObject({ index: 0 });
    await eventually(async () => (await fleet.palestra("fleet", "status", "--json")).includes('"unowned": 0'));
  });
});

/** Pauses the main thread of a process with an inspector, as a debugger does. */
async function pause(stderr: string): Promise<void> {
  const [, address] = /Debugger listening on (ws:\S+)/.exec(stderr) ?? [];
  const debug = new WebSocket(address as string);
  onTestFinished(() => debug.terminate());
  await new Promise((resolve) => debug.once("open", resolve));
  const isPaused = new Promise<void>((resolve) => {
    debug.on("message", (data) => `${data}`.includes("Debugger.paused") && resolve());
  });
  for (const [id, method] of ["Debugger.enable", "Debugger.pause"].entries())
    debug.send(JSON.stringify({ id, method }));
  await isPaused;
}
