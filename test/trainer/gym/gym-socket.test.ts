/** Timeouts of the trainer's socket for a gym that is alive but has not replied yet. */
import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { afterEach, expect, onTestFinished, test, vi } from "vitest";
import { type WebSocket, WebSocketServer } from "ws";
import { GymSocket, type GymSocketOptions } from "#palestra/trainer/gym/gym-socket.js";

afterEach(() => void vi.useRealTimers());

/** Connects to a fake gym, which reads requests and replies only when the test calls for it. */
async function silentGym(options: GymSocketOptions = {}) {
  const server = new WebSocketServer({ host: "127.0.0.1", port: 0 });
  onTestFinished(() => void server.close());
  await once(server, "listening");
  const connected = once(server, "connection") as Promise<[WebSocket]>;
  const socket = await GymSocket.connect(`http://127.0.0.1:${(server.address() as AddressInfo).port}`, options);
  onTestFinished(() => socket.close());
  const [peer] = await connected;
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  const ask = (op: string) => {
    const outcome = { settled: undefined as unknown };
    socket.request(op, {}).then(
      (result) => (outcome.settled = result),
      (error: Error & { code: string }) => (outcome.settled = error.code),
    );
    return outcome;
  };
  return { peer, ask };
}

const pass = (ms: number) => vi.advanceTimersByTimeAsync(ms);

test("the timeout is 3 minutes for a step, and 31 for the start of an episode, which may reset a site first", async () => {
  const { ask } = await silentGym();
  const [create, step] = [ask("create"), ask("step")];
  await pass(180_000);
  expect([create.settled, step.settled]).toEqual([undefined, "GYM_TIMEOUT"]);
  await pass(1_680_000 - 1);
  expect(create.settled).toBeUndefined();
  await pass(1);
  expect(create.settled).toBe("GYM_TIMEOUT");
});

test("an episode that takes ten minutes to start is not given up", async () => {
  const { peer, ask } = await silentGym();
  const create = ask("create");
  await pass(600_000);
  peer.send(JSON.stringify({ id: 0, result: { episodeId: "e" } }));
  await vi.waitFor(() => expect(create.settled).toEqual({ episodeId: "e" }));
});

test("a timeout in the options also applies to the start of an episode", async () => {
  const { ask } = await silentGym({ requestMs: 1_000 });
  const create = ask("create");
  await pass(1_000);
  expect(create.settled).toBe("GYM_TIMEOUT");
});

test("an episode that the gym refuses for lack of capacity fails after 3 minutes", async () => {
  const { peer, ask } = await silentGym({ backOff: { baseMs: 60_000, maxMs: 60_000 } });
  const [create, later] = [ask("create"), ask("environments")];
  const error = { code: "LIMIT_EPISODES", class: "capacity", message: "full", details: {} };
  peer.send(JSON.stringify({ id: 0, error }));
  peer.send(JSON.stringify({ id: 1, result: {} }));
  await vi.waitFor(() => expect(later.settled).toEqual({}));
  await pass(180_000);
  await vi.waitFor(() => expect(create.settled).toBe("LIMIT_EPISODES"));
});

test("a connection is closed if nothing has arrived on it between two heartbeats, not even a reply to the ping", async () => {
  vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] });
  const server = new WebSocketServer({ host: "127.0.0.1", port: 0, autoPong: false });
  onTestFinished(() => void server.close());
  await once(server, "listening");
  const connected = once(server, "connection") as Promise<[WebSocket]>;
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const socket = await GymSocket.connect(url, { heartbeatMs: 1_000 });
  onTestFinished(() => socket.close());
  const [peer] = await connected;
  const beat = async (event: "ping" | "close") => {
    const seen = once(peer, event);
    vi.advanceTimersByTime(1_000);
    await seen;
  };
  await beat("ping");
  const reply = socket.request("environments", {});
  peer.send(JSON.stringify({ id: 0, result: "heard" }));
  expect(await reply).toBe("heard");
  await beat("ping");
  await beat("close");
});
