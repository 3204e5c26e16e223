/** Streams of server-sent events, over connections of a listening gym. */
import { connect, type Socket } from "node:net";
import { expect, onTestFinished, test } from "vitest";
import { EventClient } from "../../../support/events.js";
import { checkError, eventually, fixture, openGym, type TestGym } from "../../../support/gym.js";

async function listening(settings: Parameters<typeof openGym>[0] = {}): Promise<{ gym: TestGym; url: string }> {
  const gym = await openGym(settings);
  return { gym, url: await gym.app.listen({ port: 0, host: "127.0.0.1" }) };
}

const upTo = (end: number, from = 0) => Array.from({ length: end - from }, (_, i) => from + i);

async function play(gym: TestGym, episodeId: string, from: number, end: number): Promise<void> {
  for (let index = from; index < end; index++) await gym.step(episodeId, index, `get ${index + 1} dirt`);
}

test("steps are sent from the log and then live, each once, with the bytes of the transcript", async () => {
  const { gym, url } = await listening();
  const { episodeId } = await gym.create({ maxSteps: 1_000 });
  await play(gym, episodeId, 0, 30);
  const client = await EventClient.connect(`${url}/v1/episodes/${episodeId}/events`);
  expect(client.response.headers.get("content-type")).toBe("text/event-stream; charset=utf-8");
  await play(gym, episodeId, 30, 60);
  await eventually(() => client.indexes.length >= 60);
  expect(client.indexes).toEqual(upTo(60));
  expect(client.of("step").map(({ id }) => Number(id))).toEqual(upTo(60));
  const { steps } = await gym.call("transcript", { episodeId, limit: 100 });
  expect(client.of("step").map(({ data }) => data)).toEqual(steps);
});

test("a client that connects while steps are played misses none", async () => {
  const { gym, url } = await listening();
  const { episodeId } = await gym.create({ maxSteps: 1_000 });
  const playing = play(gym, episodeId, 0, 300);
  const clients = await Promise.all(
    upTo(20).map(async (i) => {
      await new Promise((resolve) => setTimeout(resolve, 5 * i));
      return EventClient.connect(`${url}/v1/episodes/${episodeId}/events`);
    }),
  );
  await playing;
  for (const client of clients) {
    await eventually(() => client.indexes.length >= 300);
    expect(client.indexes).toEqual(upTo(300));
  }
});

test("Last-Event-ID and `from` choose the first step, and Last-Event-ID has priority", async () => {
  const { gym, url } = await listening();
  const { episodeId } = await gym.create();
  await play(gym, episodeId, 0, 6);
  const path = `${url}/v1/episodes/${episodeId}/events`;
  const after = async (query: string, headers: Record<string, string> = {}) => {
    const client = await EventClient.connect(`${path}${query}`, headers);
    await eventually(() => client.state !== undefined);
    expect(client.state).toMatchObject({ episodeId, phase: "running", index: 6, live: true });
    return client.indexes;
  };
  expect(await after("?from=4")).toEqual([4, 5]);
  expect(await after("?from=6")).toEqual([]);
  expect(await after("", { "last-event-id": "2" })).toEqual([3, 4, 5]);
  expect(await after("?from=0", { "last-event-id": "4" })).toEqual([5]);
});

test("bad values, unknown episodes and episodes of others are refused", async () => {
  const { gym, url } = await listening();
  const token = await gym.createToken();
  const { episodeId } = await gym.create({}, { token });
  const refusal = async (path: string, headers: Record<string, string> = {}) => {
    const response = await fetch(`${url}${path}`, { headers });
    return checkError(await response.json(), response.status).code;
  };
  const authorization = `Bearer ${token}`;
  const events = `/v1/episodes/${episodeId}/events`;
  expect(await refusal(events)).toBe("EPISODE_UNKNOWN");
  expect(await refusal(`/v1/events?episode=${episodeId}`)).toBe("EPISODE_UNKNOWN");
  expect(await refusal("/v1/episodes/ep-9-none/events")).toBe("EPISODE_UNKNOWN");
  expect(await refusal(`${events}?from=1`, { authorization })).toBe("STEP_INDEX");
  for (const query of ["from=-1", "from=x", "from=", "from=1.5", "from=1&from=2", "limit=1"]) {
    expect(await refusal(`${events}?${query}`, { authorization }), query).toBe("REQUEST_INVALID");
  }
  for (const id of ["x", "-1", "1.5", "1e3"]) {
    expect(await refusal(events, { authorization, "last-event-id": id }), id).toBe("REQUEST_INVALID");
  }
  expect(await refusal(events, { authorization: "Bearer no" })).toBe("TOKEN_INVALID");
  expect(await refusal(events, { origin: "http://evil.example" })).toBe("ORIGIN_REFUSED");
});

test("watching renews no lease and restores no instance, and reports the parking and the restore", async () => {
  const { gym, url } = await listening({ leases: { defaultMs: 300, sweepMs: 20 } });
  const { episodeId } = await gym.create();
  await play(gym, episodeId, 0, 2);
  const clients = [
    await EventClient.connect(`${url}/v1/episodes/${episodeId}/events`),
    await EventClient.connect(`${url}/v1/events?episode=${episodeId}`),
  ];
  await eventually(async () => (await gym.metric("palestra_live_episodes")) === 0);
  for (const client of clients) {
    await eventually(() => client.state?.live === false);
    expect(client.state).toMatchObject({ phase: "running", index: 2, live: false });
  }
  // The episode is no longer in memory, so another watcher reads only the log.
  const late = await EventClient.connect(`${url}/v1/episodes/${episodeId}/events`);
  await eventually(() => late.state !== undefined);
  expect(late.indexes).toEqual([0, 1]);
  expect(await gym.metric("palestra_live_episodes")).toBe(0);
  expect(await gym.metric("palestra_leases")).toBe(0);

  await play(gym, episodeId, 2, 4);
  for (const client of [...clients, late]) {
    await eventually(() => client.indexes.length >= 4);
    expect(client.indexes).toEqual(upTo(4));
    await eventually(() => client.state?.live === true);
  }
});

test("the events for the end and the close of an episode follow its last step", async () => {
  const { gym, url } = await listening();
  const { episodeId } = await gym.create({ maxSteps: 3 });
  const client = await EventClient.connect(`${url}/v1/episodes/${episodeId}/events`);
  await play(gym, episodeId, 0, 3);
  await eventually(() => client.state?.phase === "ended");
  expect(client.state).toMatchObject({ index: 3, live: false, failure: null });
  expect(client.events.at(-1)?.event).toBe("episode");
  expect(client.indexes).toEqual([0, 1, 2]);
  await gym.call("close", { episodeId });
  await eventually(() => client.state?.phase === "closed");
});

test("a reset that throws or hangs counts as a failed episode, and a task that does not exist does not", async () => {
  const hosts = { isolation: "thread" as const, count: 1, stepDeadlineMs: 600 };
  const { gym, url } = await listening({ environments: [fixture("faulty")], hosts });
  const client = await EventClient.connect(`${url}/v1/events`);
  const { tasks } = await gym.call("listTasks", { environment: "faulty", split: "reset" });
  for (const fault of ["throw", "hang"]) {
    const task = { split: "reset", index: tasks.findIndex(({ title }) => title === fault) };
    await expect(gym.create({ environment: "faulty", task })).rejects.toBeDefined();
  }
  await expect(gym.create({ environment: "faulty", task: { split: "reset", index: 9_999 } })).rejects.toBeDefined();
  const failures = () => client.of("status").at(-1)?.data.failures;
  await expect.poll(failures).toEqual({ action: 0, environment: 2, infrastructure: 0, capacity: 0 });
});

test("the gym's stream has its history, its status each second, and the caller's changed episodes", async () => {
  const { gym, url } = await listening();
  const token = await gym.createToken();
  const client = await EventClient.connect(`${url}/v1/events`);
  await eventually(() => client.of("status").length >= 1);
  expect(client.of("history")).toHaveLength(1);
  const { episodeId } = await gym.create();
  await gym.create({}, { token });
  await play(gym, episodeId, 0, 5);
  await eventually(() => client.of("episodes").length > 0);
  expect(client.of("episodes").flatMap(({ data }) => data.episodeIds)).toEqual([episodeId]);
  await eventually(() => client.of("status").at(-1)?.data.steps === 5);
  expect(client.of("status").at(-1)?.data).toMatchObject({
    episodes: { used: 2, limit: 50_000 },
    created: 2,
    hosts: { used: 1, limit: 1 },
    failures: { environment: 0, infrastructure: 0 },
    log: { isWritable: true },
    refusal: null,
    caller: { episodes: { used: 1, limit: 50_000 }, stepsToday: { used: 5, limit: null } },
  });
  const sampled = client.of("status").map(({ data }) => data.now as { stepsPerSecond: number; p50Ms: number | null });
  expect(Math.max(...sampled.map(({ stepsPerSecond }) => stepsPerSecond))).toBeGreaterThan(0);
  expect(sampled.some(({ p50Ms }) => p50Ms !== null && p50Ms > 0)).toBe(true);
  expect(client.indexes).toEqual([]);
});

test("a silent stream gets comments, and ends when its token is revoked", async () => {
  const { gym, url } = await listening({ sockets: { pingMs: 200 } });
  const token = await gym.createToken();
  const { episodeId } = await gym.create({}, { token });
  const client = await EventClient.connect(`${url}/t/${token}/v1/episodes/${episodeId}/events`);
  await eventually(() => client.comments >= 3);
  await gym.changeTokens((tokens) => tokens.revoke("ada"));
  await client.ended;
  expect(client.of("failure").map(({ data }) => data.code)).toEqual(["TOKEN_INVALID"]);
});

test("closing the gym ends the streams at once, and refuses new ones", async () => {
  const { gym, url } = await listening();
  const { episodeId } = await gym.create();
  const clients = await Promise.all(
    upTo(30).map((i) => EventClient.connect(i % 2 ? `${url}/v1/events` : `${url}/v1/episodes/${episodeId}/events`)),
  );
  await gym.close();
  await Promise.all(clients.map(({ ended }) => ended));
});

/** Sends a request without reading its reply. */
async function unread(url: string, path: string): Promise<Socket> {
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname);
  onTestFinished(() => void socket.destroy());
  socket.pause();
  socket.write(`GET ${path} HTTP/1.1\r\nHost: ${hostname}:${port}\r\n\r\n`);
  return socket;
}

test("a slow reader uses little memory, delays no other reader, and gets every step when it reads", async () => {
  const { gym, url } = await listening();
  const sockets: Socket[] = [];
  gym.app.server.on("connection", (socket) => sockets.push(socket));
  const { episodeId } = await gym.create({ maxSteps: 10_000 });
  const slow = await unread(url, `/v1/episodes/${episodeId}/events`);
  const quick = await EventClient.connect(`${url}/v1/episodes/${episodeId}/events`);
  const long = "x".repeat(30_000);
  const count = 400;
  let most = 0;
  for (let index = 0; index < count; index++) {
    await gym.step(episodeId, index, `${index} ${long}`);
    most = Math.max(most, ...sockets.map(({ writableLength }) => writableLength));
  }
  await eventually(() => quick.indexes.length === count);
  expect(quick.indexes).toEqual(upTo(count));
  // The quick reader was sent 24 MB.
  expect(most).toBeLessThan(2 ** 20);

  const chunks: Buffer[] = [];
  let tail = "";
  slow.on("data", (chunk: Buffer) => {
    chunks.push(chunk);
    tail = (tail + chunk.toString("latin1")).slice(-200_000);
  });
  slow.resume();
  await eventually(() => tail.includes(`id: ${count - 1}\n`));
  const text = Buffer.concat(chunks).toString();
  const ids = [...text.matchAll(/^id: ([0-9]+)$/gm)].map(([, id]) => Number(id));
  expect(ids).toEqual(upTo(count));
});

test("a client that disconnects leaves no listener behind", async () => {
  const { gym, url } = await listening();
  const { episodeId } = await gym.create();
  const closed: Promise<unknown>[] = [];
  gym.app.server.on("connection", (socket) => closed.push(new Promise((resolve) => socket.once("close", resolve))));
  const clients = await Promise.all(upTo(10).map(() => EventClient.connect(`${url}/v1/events?episode=${episodeId}`)));
  for (const client of clients) client.disconnect();
  await Promise.all(closed);
  await play(gym, episodeId, 0, 3);
  expect((await gym.call("get", { episodeId })).index).toBe(3);
});
