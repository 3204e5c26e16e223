/** The socket between two gyms of a fleet, tested with a real gym on PostgreSQL and with failing servers. */
import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, onTestFinished, test } from "vitest";
import { type WebSocket, WebSocketServer } from "ws";
import { PeerSocket } from "#palestra/server/fleet/peer-socket.js";
import { FleetMap } from "#palestra/server/log/postgres/fleet/fleet-map.js";
import { Session } from "#palestra/server/log/postgres/session/session.js";
import { gymDatabase } from "../../support/databases.js";
import { openGym } from "../../support/gym.js";
import { postgresFolder } from "../../support/postgres.js";

const caller = { owner: "local", mayAskExpert: true, mayReadRuns: true };

function openSocket(address: string, secret: string): PeerSocket {
  const socket = new PeerSocket(address, `Bearer ${secret}`);
  onTestFinished(() => socket.close());
  return socket;
}

/** Starts a server whose sockets are handled by a function. Returns its URL. */
async function serverOf(accept: (socket: WebSocket) => void): Promise<string> {
  const server = new WebSocketServer({ host: "127.0.0.1", port: 0 });
  onTestFinished(() => server.close());
  server.on("connection", accept);
  await once(server, "listening");
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

describe.skipIf(postgresFolder === null)("the socket to a gym", () => {
  async function openPeer() {
    const url = await gymDatabase();
    const address = "http://127.0.0.1:1";
    const gym = await openGym({ log: { url }, fleet: { address } });
    const listening = await gym.app.listen({ host: "127.0.0.1", port: 0 });
    const session = new Session(url);
    const secret = await new FleetMap(session).secret();
    await session.close();
    return { gym, listening, secret };
  }

  test("carries many steps at a time over one connection, and each gets its own reply", async () => {
    const { gym, listening, secret } = await openPeer();
    const socket = openSocket(listening, secret);
    const episodes = await Promise.all(
      Array.from({ length: 20 }, (_, index) => gym.call("create", { environment: "textcraft", task: { index } })),
    );
    const replies = await Promise.all(
      episodes.flatMap(({ episodeId }) =>
        [0, 1, 2].map((index) => {
          const params = { episodeId, index, action: `get ${index + 1} item` };
          return socket.call("step", JSON.stringify({ caller, params }));
        }),
      ),
    );
    expect(replies.map((reply) => JSON.parse(reply).index)).toEqual(episodes.flatMap(() => [0, 1, 2]));
    for (const { episodeId } of episodes) {
      const { steps } = await gym.call("transcript", { episodeId });
      expect(steps.map(({ action }) => action)).toEqual(["get 1 item", "get 2 item", "get 3 item"]);
    }
    const connections = await new Promise((resolve) => gym.app.server.getConnections((_, count) => resolve(count)));
    expect(connections).toBe(1);
  });

  test("rejects an operation with the error of the other gym", async () => {
    const { listening, secret } = await openPeer();
    const socket = openSocket(listening, secret);
    const params = { episodeId: "ep-1-0123456789abcdef0123", index: 0, action: "look" };
    await expect(socket.call("step", JSON.stringify({ caller, params }))).rejects.toMatchObject({
      name: "GymError",
      code: "EPISODE_UNKNOWN",
    });
  });

  test("refuses a gym without the secret of the fleet", async () => {
    const { gym, listening } = await openPeer();
    const socket = openSocket(listening, "wrong");
    await expect(socket.call("step", "{}")).rejects.toMatchObject({ name: "PeerLost", mayHaveRun: false });
    expect(socket.isUsable).toBe(false);
    const plain = await gym.app.inject({ method: "GET", url: "/fleet/socket" });
    expect([plain.statusCode, plain.json().error.code]).toEqual([401, "TOKEN_INVALID"]);
  });

  test("closes a connection with a malformed frame", async () => {
    const { listening, secret } = await openPeer();
    const socket = openSocket(listening, secret);
    await expect(socket.call("noOperation", "{}")).rejects.toMatchObject({ name: "PeerLost" });
    await expect.poll(() => socket.isUsable).toBe(false);
  });
});

describe("the socket to a gym that fails", () => {
  test("waits for a long step while the gym answers pings, and rejects the step when the gym stops answering", async () => {
    const peers: WebSocket[] = [];
    const address = await serverOf((peer) => peers.push(peer));
    let isSilent = false;
    const onSilent = () => {
      isSilent = true;
    };
    const socket = new PeerSocket(address, "Bearer secret", { pingMs: 500, onSilent });
    onTestFinished(() => socket.close());
    const call = socket.call("step", "{}");
    const rejected = expect(call).rejects.toMatchObject({ message: expect.stringMatching(/ping/), mayHaveRun: true });
    await sleep(2_000);
    expect([isSilent, socket.isUsable]).toEqual([false, true]);
    peers[0]?.pause();
    await rejected;
    expect([isSilent, socket.isUsable]).toEqual([true, false]);
  });

  test("rejects the operations in flight when the gym dies", async () => {
    const address = await serverOf((socket) => socket.on("message", () => socket.terminate()));
    const socket = openSocket(address, "secret");
    const calls = [socket.call("step", "{}"), socket.call("step", "{}")];
    for (const outcome of await Promise.allSettled(calls))
      expect(outcome).toMatchObject({ status: "rejected", reason: { name: "PeerLost", mayHaveRun: true } });
    expect(socket.isUsable).toBe(false);
  });

  test("rejects an operation that was not sent, as one that has not run", async () => {
    const address = await serverOf(() => {});
    const unused = Number(new URL(address).port);
    const socket = openSocket(`http://127.0.0.1:${unused === 1 ? 2 : 1}`, "secret");
    await expect(socket.call("step", "{}")).rejects.toMatchObject({ name: "PeerLost", mayHaveRun: false });
  });

  test("rejects the operations in flight when it is closed, although the gym is frozen", async () => {
    const received: string[] = [];
    const address = await serverOf((peer) => peer.on("message", (data) => received.push(data.toString())));
    const socket = openSocket(address, "secret");
    const call = socket.call("step", '{"caller":{}}');
    const rejected = expect(call).rejects.toMatchObject({ name: "PeerLost", mayHaveRun: true });
    await expect.poll(() => received).toEqual(['0 step {"caller":{}}']);
    socket.close();
    await rejected;
  });
});
