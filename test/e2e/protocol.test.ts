/** `/v1/socket` over real sockets: invalid frames, thousands of requests at once, and dropped connections. */
import { expect, test } from "vitest";
import { createWrapped } from "#palestra/envs/shared/wrappers/wrap.js";
import textcraft from "#palestra/envs/textcraft/index.js";
import { GymSocket } from "../support/gym-socket.js";
import { connect, serve } from "../support/serving.js";
import { type Script, script } from "../support/textcraft-scripts.js";
import { eventually, MiB, metric, openDescriptors } from "../support/watching.js";

const maxSteps = 100_000;

test("a frame above the limit closes only its own socket, with 1009", async () => {
  const { url } = await serve({ env: { PALESTRA_LIMITS_MAX_BODY_BYTES: `${MiB}` } });
  const [large, other] = [await connect(url), await connect(url)];
  const reply = large.requestText("list", { before: "x".repeat(MiB) });
  await expect(reply).rejects.toThrow("closed with 1009");
  expect(await other.request("list")).toEqual({ episodes: [], next: null });
});

test("a text frame that is not UTF-8 closes only its own socket, with 1007", async () => {
  const { url } = await serve();
  const [broken, other] = [await connect(url), await connect(url)];
  broken.raw.send(Buffer.from([0x7b, 0xff, 0xfe]), { binary: false });
  expect((await broken.closed).code).toBe(1007);
  expect(await other.request("list")).toEqual({ episodes: [], next: null });
});

test("a binary frame is answered with SOCKET_FRAME_BINARY, and the socket stays", async () => {
  const { url } = await serve();
  const socket = await connect(url);
  const refused = new Promise<string>((resolve) => socket.raw.once("message", (data) => resolve(data.toString())));
  socket.raw.send(Buffer.from('{"id":1,"op":"list"}'));
  expect(JSON.parse(await refused)).toMatchObject({ id: null, error: { code: "SOCKET_FRAME_BINARY" } });
  expect(await socket.request("list")).toEqual({ episodes: [], next: null });
});

test("a value whose `length` cannot become a primitive is refused with REQUEST_INVALID on the socket and on HTTP", async () => {
  const { url, process } = await serve();
  const socket = await connect(url);
  const monster = { length: [{ toString: 1 }] };
  await expect(socket.request("get", { episodeId: monster })).rejects.toMatchObject({ code: "REQUEST_INVALID" });
  const body = JSON.stringify({ environment: monster, task: { index: 0 } });
  const headers = { "content-type": "application/json" };
  const response = await fetch(`${url}/v1/episodes`, { method: "POST", headers, body });
  expect(response.status).toBe(400);
  expect(await response.json()).toMatchObject({ error: { code: "REQUEST_INVALID" } });
  expect(process.running).toBe(true);
});

test("1,000 sockets that are opened, used and dropped leave nothing behind", async () => {
  const { url, process } = await serve();
  const openAndDrop = async (count: number) => {
    const sockets = await Promise.all(Array.from({ length: count }, () => GymSocket.connect(url)));
    await Promise.all(sockets.map((socket) => socket.request("list")));
    for (const socket of sockets) socket.terminate();
    await eventually(
      () => metric(url, "palestra_sockets"),
      (open) => open === 0,
    );
  };
  for (let wave = 0; wave < 4; wave++) await openAndDrop(200);
  const before = { bytes: process.residentBytes(), descriptors: openDescriptors(process.pid) };
  for (let wave = 0; wave < 5; wave++) await openAndDrop(200);
  expect(await metric(url, "palestra_sockets")).toBe(0);
  const descriptors = await eventually(
    () => openDescriptors(process.pid),
    (open) => open <= before.descriptors + 2,
  );
  const grown = (process.residentBytes() - before.bytes) / MiB;
  console.info(`1,000 sockets: ${grown.toFixed(1)} MiB more, descriptors ${before.descriptors} -> ${descriptors}`);
  expect(descriptors).toBeLessThanOrEqual(before.descriptors + 2);
  expect(grown).toBeLessThan(32);
});

test("10,000 steps at once on one socket, half of them for one episode, are all answered in order", async () => {
  const { url } = await serve();
  const socket = await connect(url);
  const scripts = [script(0, 5_000), ...Array.from({ length: 100 }, (_, i) => script(i + 1, 50))];
  const ids = await createAll(socket, scripts);
  const replies = ids.map((episodeId, i) =>
    Promise.all(
      (scripts[i] as Script).actions.map((action, index) => socket.requestText("step", { episodeId, index, action })),
    ),
  );
  expect(await Promise.all(replies)).toEqual(scripts.map(engineReplies));
});

test("steps in flight when the connection drops are taken once, and a repeat returns their replies", async () => {
  const { url } = await serve();
  const scripts = Array.from({ length: 100 }, (_, i) => script(i, 40));
  let socket = await connect(url);
  const ids = await createAll(socket, scripts);
  const received: string[][] = ids.map(() => []);
  let taken = 0;
  for (let round = 0; received.some((replies) => replies.length < 40); round++) {
    const lost = ids.map(async (episodeId, i) => {
      const replies = received[i] as string[];
      const { index } = await socket.request<{ index: number }>("get", { episodeId });
      if (index > replies.length) taken += 1;
      expect(index - replies.length).toBeOneOf([0, 1]);
      for (let next = replies.length; next < 40; next++) {
        const action = scripts[i]?.actions[next];
        replies.push(await socket.requestText("step", { episodeId, index: next, action }));
      }
    });
    const first = Promise.allSettled(lost);
    if (round < 5) {
      await Promise.race([first, until(() => received.flat().length >= (round + 1) * 500)]);
      socket.terminate();
    }
    await first;
    socket = await connect(url);
  }
  console.info(`${taken} steps were taken although their reply never arrived`);
  expect(received).toEqual(scripts.map(engineReplies));
});

test("a close answers the steps and queries in flight, refuses further ones, and affects no other episode", async () => {
  const { url, process } = await serve({ env: { PALESTRA_LOCAL_EXPERT: "true" } });
  const socket = await connect(url);
  const scripts = Array.from({ length: 200 }, (_, i) => script(i, 5));
  const [ids, untouched] = [await createAll(socket, scripts), await createAll(socket, scripts)];
  const replies = untouched.map((episodeId, i) =>
    Promise.all(
      (scripts[i] as Script).actions.map((action, index) => socket.requestText("step", { episodeId, index, action })),
    ),
  );
  const closing = ids.flatMap((episodeId) => [
    ...[0, 1, 2].map((index) => socket.request("step", { episodeId, index, action: "inventory" })),
    socket.request("expert", { episodeId }),
    socket.request("close", { episodeId }),
  ]);
  const outcomes = await Promise.allSettled(closing);
  const codes = outcomes.map((outcome) => (outcome.status === "rejected" ? outcome.reason.code : "result"));
  expect([...new Set(codes)]).toEqual(["result"]);
  const late = socket.request("step", { episodeId: ids[0], index: 3, action: "inventory" });
  await expect(late).rejects.toMatchObject({ code: "EPISODE_CLOSED" });
  expect(await Promise.all(replies)).toEqual(scripts.map(engineReplies));
  expect(process.running).toBe(true);
});

test("a transcript of 40 MiB is returned in pages of limited size that add up to the whole", async () => {
  const { url, process } = await serve();
  const socket = await connect(url);
  const [episodeId] = (await createAll(socket, [script(0, 0)])) as [string];
  const actions = Array.from({ length: 40 }, (_, i) => `${i} ${"x".repeat(2 ** 19)}`);
  for (const [index, action] of actions.entries()) await socket.requestText("step", { episodeId, index, action });
  const before = process.residentBytes();
  const read: string[] = [];
  let pages = 0;
  for (let from: number | null = 0; from !== null; pages++) {
    const response = await fetch(`${url}/v1/episodes/${episodeId}/transcript?from=${from}&limit=1000`);
    const text = await response.text();
    expect(text.length).toBeLessThan(6 * MiB);
    const page = JSON.parse(text) as { steps: { action: string }[]; next: number | null };
    read.push(...page.steps.map(({ action }) => action));
    from = page.next;
  }
  expect(pages).toBeGreaterThan(5);
  expect(read).toEqual(actions);
  expect(process.peakResidentBytes() - before).toBeLessThan(256 * MiB);
});

async function createAll(socket: GymSocket, scripts: readonly Script[]): Promise<string[]> {
  const episodes = scripts.map(({ task }) => ({ environment: "textcraft", task, maxSteps }));
  const created = await socket.request<{ results: { episodeId: string }[] }>("createMany", { episodes });
  return created.results.map(({ episodeId }) => episodeId);
}

function engineReplies({ task, actions }: Script): string[] {
  const engine = createWrapped(textcraft, { now: Date.now }, maxSteps);
  engine.reset({ task, seed: 0, options: {} });
  return actions.map((action, index) => JSON.stringify({ index, ...engine.step(action) }));
}

async function until(reached: () => boolean): Promise<void> {
  while (!reached()) await new Promise((resolve) => setImmediate(resolve));
}
