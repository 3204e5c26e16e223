/**
 * The server is killed repeatedly in the middle of its work, as by a power failure. The clients follow `openapi/socket.md`:
 * they reconnect, ask for the state of the episode, and repeat the unanswered step.
 */
import { expect, onTestFinished, test } from "vitest";
import { AgentgymClient, AgentgymWire } from "../support/agentgym-client.js";
import { GymSocket } from "../support/gym-socket.js";
import { scratch, serve } from "../support/serving.js";
import { type Script, script } from "../support/textcraft-scripts.js";
import { CrashingGym } from "./crashing-gym.js";

const episodes = 500;
const stepsEach = 48;
const crashes = 10;
const sockets = 8;
/** Limits that never end an episode before its script does. */
const maxSteps = 1_000;

interface Played {
  id: string;
  replies: string[];
  /** Number of steps that were logged before a crash prevented their reply. */
  repeated: number;
}

test("ten crashes under 500 episodes lose or double no acknowledged step and change no reply", async () => {
  const scripts = Array.from({ length: episodes }, (_, i) => script(i, stepsEach));
  const expected = await undisturbed(scripts);
  const gym = await CrashingGym.start(scratch(), sockets);
  const startedAt = performance.now();
  const ids = await createAll(gym.socket(0), scripts);
  const played = ids.map((id): Played => ({ id, replies: [], repeated: 0 }));
  // The last crash happens after half of the steps, since episodes advance unevenly and none may have ended before.
  const crashEvery = (episodes * stepsEach) / (2 * crashes);
  gym.crashAfter(Array.from({ length: crashes }, (_, i) => Math.round((i + 1) * crashEvery)));

  await Promise.all(played.map((episode, i) => play(gym, i, scripts[i] as Script, episode)));

  const seconds = (performance.now() - startedAt) / 1_000;
  const acknowledged = played.reduce((sum, { replies }) => sum + replies.length, 0);
  const repeated = played.reduce((sum, episode) => sum + episode.repeated, 0);
  console.info(
    `${acknowledged} steps acknowledged in ${seconds.toFixed(1)} s over ${gym.crashes.length} crashes with ` +
      `${gym.crashes.map(({ inFlight }) => inFlight).join(", ")} steps in flight, of which ${repeated} were in the log; ` +
      `serving again after ${gym.crashes.map(({ backMs }) => Math.round(backMs)).join(", ")} ms`,
  );
  expect(gym.crashes).toHaveLength(crashes);
  // With the log in a database, a few episodes run ahead of the others, and end before the last crashes.
  const least = process.env.TEST_POSTGRES === undefined ? episodes : 0.9 * episodes;
  for (const { inFlight } of gym.crashes) expect(inFlight).toBeGreaterThanOrEqual(least);
  expect(played.map(({ replies }) => replies)).toEqual(expected.replies);
  expect(await transcripts(gym.socket(0), ids)).toEqual(expected.transcripts);
  await gym.stop();
}, 300_000);

test("a create repeated with its idempotency key after a crash returns the logged episode", async () => {
  const gym = await CrashingGym.start(scratch(), 1);
  const created = new Map<string, string>();
  const create = async (i: number): Promise<void> => {
    const params = { environment: "textcraft", task: { index: i % 100 }, idempotencyKey: `key-${i}` };
    const { episodeId } = await gym.survive(() => gym.socket(0).request<{ episodeId: string }>("create", params));
    created.set(`key-${i}`, episodeId);
  };
  gym.crashAfter([75, 175, 275]);
  for (let wave = 0; wave < 400; wave += 50) await Promise.all(Array.from({ length: 50 }, (_, i) => create(wave + i)));
  const listed = await gym.socket(0).request<{ episodes: { episodeId: string }[] }>("list", { limit: 1_000 });
  expect(gym.crashes).toHaveLength(3);
  expect(listed.episodes.map(({ episodeId }) => episodeId).sort()).toEqual([...created.values()].sort());
  await gym.stop();
});

test("AgentGym's environment ids and their episodes survive three crashes", async () => {
  const gym = await CrashingGym.start(scratch(), 0);
  const wire = new AgentgymWire(() => `${gym.url}/agentgym/textcraft`);
  onTestFinished(() => wire.close());
  const clients = await Promise.all(Array.from({ length: 100 }, () => AgentgymClient.create(wire)));
  expect(clients.map(({ id }) => id).sort((a, b) => a - b)).toEqual(Array.from({ length: 100 }, (_, i) => i));

  gym.crashAfter([500, 1_000, 1_500]);
  await Promise.all(clients.map((client) => getDirt(gym, client, 20)));

  expect(gym.crashes).toHaveLength(3);
  const inventories = await Promise.all(clients.map((client) => client.step("inventory")));
  const everyGetOnce = { observation: "Inventory: [dirt] (210) ", reward: 0, done: false };
  expect(inventories).toEqual(new Array(100).fill(everyGetOnce));
  const after = await AgentgymClient.create(wire);
  expect(after.id).toBe(100);
  await gym.stop();
});

/** Gets 1, 2, 3, … dirt. This protocol has no step numbers, so the last observation shows whether a step was taken. */
async function getDirt(gym: CrashingGym, client: AgentgymClient, times: number): Promise<void> {
  for (let amount = 1; amount <= times; amount++) {
    const reply = await gym.survive(async (repeating) => {
      const taken = repeating && (await client.observation()) === `Got ${amount} dirt`;
      return taken ? { observation: `Got ${amount} dirt`, reward: 0, done: false } : client.step(`get ${amount} dirt`);
    });
    expect(reply).toEqual({ observation: `Got ${amount} dirt`, reward: 0, done: false });
  }
}

/** Plays an episode to the end of its script through all crashes. */
async function play(gym: CrashingGym, i: number, { actions }: Script, episode: Played): Promise<void> {
  for (let index = 0; index < actions.length; index++) {
    const params = { episodeId: episode.id, index, action: actions[index] };
    const step = async (repeating: boolean) => {
      const socket = gym.socket(i % sockets);
      if (repeating) {
        const standing = await socket.request<{ index: number }>("get", { episodeId: episode.id });
        expect(standing.index - index, `steps of ${episode.id} in the log and not acknowledged`).toBeOneOf([0, 1]);
        episode.repeated += standing.index - index;
      }
      return socket.requestText("step", params);
    };
    episode.replies.push(await gym.survive(step));
  }
}

async function undisturbed(scripts: readonly Script[]): Promise<{ replies: string[][]; transcripts: string[] }> {
  const { url, process } = await serve();
  const socket = await GymSocket.connect(url);
  const ids = await createAll(socket, scripts);
  const replies: string[][] = ids.map(() => []);
  for (let index = 0; index < stepsEach; index++) {
    const texts = ids.map((episodeId, i) =>
      socket.requestText("step", { episodeId, index, action: scripts[i]?.actions[index] }),
    );
    for (const [i, text] of (await Promise.all(texts)).entries()) replies[i]?.push(text);
  }
  const logged = await transcripts(socket, ids);
  await process.stop();
  return { replies, transcripts: logged };
}

async function createAll(socket: GymSocket, scripts: readonly Script[]): Promise<string[]> {
  const requests = scripts.map(({ task }) => ({ environment: "textcraft", task, maxSteps }));
  const created = await socket.request<{ results: { episodeId: string }[] }>("createMany", { episodes: requests });
  return created.results.map(({ episodeId }) => episodeId);
}

/** Returns the transcripts without the times at which the steps were logged. */
async function transcripts(socket: GymSocket, ids: readonly string[]): Promise<string[]> {
  const texts = ids.map((episodeId) => socket.requestText("transcript", { episodeId, limit: 1_000 }));
  return (await Promise.all(texts)).map((text) => text.replace(/"atMs":\d+/g, '"atMs":0').replace(/"gymMs":\d+,/g, ""));
}
