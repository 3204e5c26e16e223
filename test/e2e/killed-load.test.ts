/**
 * A gym that is killed ten times under mixed load: episodes of several environments are opened, stepped, forked and
 * closed over HTTP and over sockets. After each restart, the log must contain every acknowledged reply unchanged.
 */
import { cpSync } from "node:fs";
import { expect, onTestFinished, test } from "vitest";
import { MersenneTwister } from "#palestra/envs/shared/rng/mersenne-twister.js";
import { ConnectionLost, GymSocket, Refusal } from "../support/gym-socket.js";
import type { RunningServer } from "../support/server-process.js";
import { scratch, serve } from "../support/serving.js";

const kills = 10;
const clients = 24;
/** Number of acknowledged replies between two kills, and the largest number in an episode. */
const [repliesEach, mostSteps] = [1_200, 60];

const actions: Record<string, readonly string[]> = {
  textcraft: ["inventory", "get 1 dirt", "get 3 oak log", "craft 4 oak planks using 1 oak log", "nonsense"],
  babyai: ["turn left", "turn right", "go forward", "pickup", "toggle", "nonsense"],
  sciworld: ["look around", "inventory", "open door to kitchen", "go to kitchen", "nonsense"],
  math: ["12", "\\boxed{3}", "nonsense"],
};

interface Reply {
  index: number;
  observation: unknown;
  reward: number;
  terminated: boolean;
  truncated: boolean;
}

/** The replies about an episode that clients received. */
interface Told {
  id: string;
  environment: string;
  observation: unknown;
  /** Replies to the episode's steps by index, as text. A fork has those of its parent up to the fork. */
  replies: string[];
  isClosed: boolean;
  /** True if a request had no reply, so that the gym may be one step ahead, or the episode may be closed. */
  isOpen: { step: string | null; closing: boolean };
}

/** Sends one operation. Resolves with the text of the result. */
type Send = (op: string, params: Record<string, unknown>) => Promise<string>;

const routes: Record<string, (id: unknown) => [method: string, path: string]> = {
  create: () => ["POST", ""],
  step: (id) => ["POST", `/${id}/step`],
  fork: (id) => ["POST", `/${id}/fork`],
  close: (id) => ["DELETE", `/${id}`],
};

function overHttp(url: string): Send {
  return async (op, { episodeId, ...body }) => {
    const [method, path] = (routes[op] as (typeof routes)[string])(episodeId);
    let reply: Response;
    let text: string;
    try {
      const content =
        method === "POST" ? { headers: { "content-type": "application/json" }, body: JSON.stringify(body) } : {};
      reply = await fetch(`${url}/v1/episodes${path}`, { method, ...content });
      text = await reply.text();
    } catch (error) {
      throw new ConnectionLost(String(error));
    }
    if (reply.ok) return text;
    const { error } = JSON.parse(text);
    throw new Refusal(error.code, error.class, error.message);
  };
}

class Load {
  readonly told: Told[] = [];
  acknowledged = 0;
  inFlight = 0;
  private readonly random = new MersenneTwister(44);

  /** Plays until the connection breaks. */
  async play(send: Send): Promise<void> {
    try {
      for (;;) await this.playEpisode(send, await this.begin(send));
    } catch (error) {
      if (!(error instanceof ConnectionLost)) throw error;
    }
  }

  private async begin(send: Send): Promise<Told> {
    // An episode that another client plays would be ahead of this one.
    const parents = this.told.filter(
      ({ isClosed, isOpen, replies }) => !isClosed && isOpen.step === null && !isOpen.closing && replies.length > 0,
    );
    const parent = this.random.random() < 0.3 ? this.any(parents) : undefined;
    if (parent) {
      const index = Math.floor(this.random.random() * parent.replies.length);
      const replies = parent.replies.slice(0, index);
      const fork = JSON.parse(await this.counted(send("fork", { episodeId: parent.id, index })));
      expect(fork.index).toBe(index);
      return this.note(fork.episodeId, parent.environment, parent.observation, replies);
    }
    const environment = this.any(Object.keys(actions)) as string;
    const task = { index: Math.floor(this.random.random() * 20) };
    const created = JSON.parse(await this.counted(send("create", { environment, task })));
    return this.note(created.episodeId, environment, created.observation, []);
  }

  private note(id: string, environment: string, observation: unknown, replies: string[]): Told {
    const told = { id, environment, observation, replies, isClosed: false, isOpen: { step: null, closing: false } };
    this.told.push(told);
    return told;
  }

  private async playEpisode(send: Send, told: Told): Promise<void> {
    const length = told.replies.length + Math.floor(this.random.random() * mostSteps);
    while (told.replies.length < length) {
      const action = this.any(actions[told.environment] as readonly string[]) as string;
      told.isOpen.step = action;
      let text: string;
      try {
        text = await this.counted(send("step", { episodeId: told.id, index: told.replies.length, action }));
      } catch (error) {
        // The episode has ended.
        if (!(error instanceof Refusal)) throw error;
        expect(error.code).toBe("EPISODE_ENDED");
        told.isOpen.step = null;
        break;
      }
      told.replies.push(text);
      told.isOpen.step = null;
    }
    if (this.random.random() < 0.5) return;
    told.isOpen.closing = true;
    await this.counted(send("close", { episodeId: told.id }));
    told.isOpen.closing = false;
    told.isClosed = true;
  }

  private async counted<T>(reply: Promise<T>): Promise<T> {
    this.inFlight += 1;
    try {
      const received = await reply;
      this.acknowledged += 1;
      return received;
    } finally {
      this.inFlight -= 1;
    }
  }

  private any<T>(all: readonly T[]): T | undefined {
    return all[Math.floor(this.random.random() * all.length)];
  }
}

/**
 * Compares an episode with the replies that its clients received. Returns the number of steps that only the gym has.
 */
async function check(socket: GymSocket, told: Told): Promise<number> {
  const text = await socket.requestText("transcript", { episodeId: told.id, limit: 1_000 });
  const { steps } = JSON.parse(text) as { steps: (Reply & { action: string })[] };
  const { phase } = await socket.request<{ phase: string }>("get", { episodeId: told.id });
  const opening = await socket.request<{ observation: unknown }>("opening", { episodeId: told.id });
  expect(opening.observation, told.id).toEqual(told.observation);
  const expected = told.replies.map((reply) => JSON.parse(reply) as Reply);
  const found = steps.slice(0, expected.length).map(({ index, observation, reward, terminated, truncated }) => {
    return { index, observation, reward, terminated, truncated };
  });
  expect(found, told.id).toEqual(
    expected.map(({ index, observation, reward, terminated, truncated }) => {
      return { index, observation, reward, terminated, truncated };
    }),
  );
  const ahead = steps.slice(expected.length);
  expect(
    ahead.map(({ action }) => action),
    `${told.id} is ahead`,
  ).toBeOneOf([[], [told.isOpen.step]]);
  const last = told.replies.length - 1;
  const action = steps[last]?.action;
  // The same step again gets the stored reply, byte for byte.
  if (!told.isClosed && !told.isOpen.closing && ahead.length === 0 && last >= 0) {
    const again = await socket.requestText("step", { episodeId: told.id, index: last, action });
    expect(again, told.id).toBe(told.replies[last]);
  }
  if (told.isClosed) expect(phase, told.id).toBe("closed");
  else if (!told.isOpen.closing) expect(phase, told.id).not.toBe("closed");
  return ahead.length;
}

test("ten kills of a gym that plays several environments, over HTTP and sockets, lose no acknowledged reply", async () => {
  const dataDir = scratch();
  const load = new Load();
  let server: RunningServer = await serve({ dataDir });
  const port = Number(new URL(server.url).port);
  const inFlight: number[] = [];
  let [checked, ahead] = [0, 0];
  for (let kill = 0; kill < kills; kill++) {
    const sockets = await Promise.all(Array.from({ length: 4 }, () => GymSocket.connect(server.url)));
    onTestFinished(() => {
      for (const socket of sockets) socket.raw.terminate();
    });
    const playing = Array.from({ length: clients }, (_, i) => {
      const socket = sockets[i % sockets.length] as GymSocket;
      return load.play(i % 2 === 0 ? overHttp(server.url) : (op, params) => socket.requestText(op, params));
    });
    const goal = load.acknowledged + repliesEach;
    const isOver = Promise.all(playing);
    while (load.acknowledged < goal) await Promise.race([new Promise((resolve) => setTimeout(resolve, 5)), isOver]);
    inFlight.push(load.inFlight);
    await server.process.kill();
    await isOver;
    server = await serve({ dataDir, port });
    const socket = await GymSocket.connect(server.url);
    const aheads = await Promise.all(load.told.map((told) => check(socket, told)));
    ahead += aheads.reduce((sum, each) => sum + each, 0);
    checked += load.told.reduce((sum, { replies }) => sum + replies.length, 0);
    socket.raw.terminate();
  }
  console.info(
    `${load.acknowledged} replies acknowledged to ${load.told.length} episodes, with ${inFlight.join(", ")} requests in flight at ` +
      `the kills; ${checked} steps compared after the restarts, ${ahead} more were in the log without a reply`,
  );
  expect(Math.min(...inFlight)).toBeGreaterThan(clients / 2);
  await server.process.stop();
}, 900_000);

test("the comparison finds a log that lacks one acknowledged step, or has another reply than a client received", async () => {
  const [dataDir, older] = [scratch(), scratch()];
  const load = new Load();
  let server = await serve({ dataDir });
  const playing = Array.from({ length: 4 }, () => load.play(overHttp(server.url)));
  while (load.acknowledged < 200) await new Promise((resolve) => setTimeout(resolve, 5));
  await server.process.kill();
  await Promise.all(playing);
  server = await serve({ dataDir });
  let socket = await GymSocket.connect(server.url);
  for (const told of load.told) await check(socket, told);
  const told = await openEpisode(load, socket);
  await server.process.stop();
  cpSync(dataDir, older, { recursive: true });

  server = await serve({ dataDir });
  socket = await GymSocket.connect(server.url);
  const action = actions[told.environment]?.at(-1);
  told.replies.push(await socket.requestText("step", { episodeId: told.id, index: told.replies.length, action }));
  await server.process.kill();
  server = await serve({ dataDir });
  socket = await GymSocket.connect(server.url);
  await check(socket, told);
  const { replies } = told;
  const others = {
    "a reply more in the middle": { ...told, replies: replies.toSpliced(1, 0, replies[0] as string) },
    "another reply": { ...told, replies: replies.with(0, (replies[0] as string).replace(/"index":0/, '"index":7')) },
    "another observation at the start": { ...told, observation: "elsewhere" },
    "an acknowledged close": { ...told, isClosed: true },
  };
  for (const [what, other] of Object.entries(others)) await expect(check(socket, other), what).rejects.toThrow(told.id);
  await server.process.stop();

  // The older log lacks the step that was acknowledged last.
  server = await serve({ dataDir: older });
  socket = await GymSocket.connect(server.url);
  await expect(check(socket, told)).rejects.toThrow(told.id);
  for (const other of load.told) if (other !== told) await check(socket, other);
  await server.process.stop();
}, 300_000);

/** Returns a running episode with at least two steps and no request in flight. */
async function openEpisode({ told }: Load, socket: GymSocket): Promise<Told> {
  for (const one of told) {
    const { phase } = await socket.request<{ phase: string }>("get", { episodeId: one.id });
    if (phase === "running" && one.replies.length > 1 && one.isOpen.step === null && !one.isOpen.closing) return one;
  }
  throw new Error(`expected a running episode, but received ${told.length} others`);
}
