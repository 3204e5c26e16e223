/** Requests to gyms of a fleet that cannot be reached. */
import { once } from "node:events";
import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, beforeEach, describe, expect, onTestFinished, test, vi } from "vitest";
import { usualTimes } from "#palestra/server/config/times.js";
import { ConnectedClient } from "#palestra/server/episodes/episode/client.js";
import { Peers } from "#palestra/server/fleet/peers.js";
import { RetryDeadline } from "#palestra/server/fleet/retry-deadline.js";
import type { FleetMember } from "#palestra/server/log/records/protocol.js";

const caller = { owner: "local", mayAskExpert: true, mayReadRuns: true };

const memberAt = (address: string): FleetMember => {
  return { incarnation: 7, address, isDraining: false, isStarting: false, facts: null, ageMs: 0 };
};

function openPeers(onTrouble?: (message: string) => void): Peers {
  const peers = new Peers(() => "secret", onTrouble);
  onTestFinished(() => peers.close());
  return peers;
}

describe("a gym that cannot be reached", () => {
  test.each(["http://127.0.0.1:1", "http://gym.invalid:8700"])("at %s has not run the operation", async (address) => {
    const member = memberAt(address);
    const peers = openPeers();
    const unsent = { name: "PeerLost", mayHaveRun: false };
    await expect(peers.call(member, "step", { caller }, {})).rejects.toMatchObject(unsent);
    await expect(peers.call(member, "fork", { caller }, {})).rejects.toMatchObject(unsent);
    const request = { method: "GET", path: "/", headers: {}, body: null };
    await expect(peers.send(member, request)).rejects.toMatchObject(unsent);
  });

  test("is reported after a while, and not for attempts that are far apart", async () => {
    const troubles: string[] = [];
    const peers = openPeers((message) => troubles.push(message));
    const now = vi.spyOn(performance, "now");
    onTestFinished(() => now.mockRestore());
    const attempt = async (atMs: number) => {
      now.mockReturnValue(atMs);
      await peers.call(memberAt("http://127.0.0.1:1"), "fork", { caller }, {}).catch(() => {});
    };
    for (const atMs of [0, 20_000, 24_000, 28_000, 32_000]) await attempt(atMs);
    expect(troubles).toEqual([]);
    await attempt(36_000);
    expect(troubles).toEqual([expect.stringMatching(/^the gym at http:\/\/127\.0\.0\.1:1 lives, but .*ECONNREFUSED/)]);
  });
});

test("an operation whose client has gone ends, and is no failure of its gym", async () => {
  const gym = createServer();
  onTestFinished(() => void gym.close());
  gym.listen(0, "127.0.0.1");
  await once(gym, "listening");
  const asked = once(gym, "request");
  const troubles: string[] = [];
  const peers = openPeers((message) => troubles.push(message));
  const client = new Leaving();
  const member = memberAt(`http://127.0.0.1:${(gym.address() as AddressInfo).port}`);
  const call = peers.call(member, "score", { caller, client }, {});
  const ended = expect(call).rejects.toMatchObject({ code: "CALLER_GONE" });
  const [{ socket }] = (await asked) as [IncomingMessage];
  client.leave();
  await ended;
  await once(socket, "close");
  expect(troubles).toEqual([]);
});

class Leaving extends ConnectedClient {
  leave(): void {
    this.hangUp();
  }
}

describe("deadline", () => {
  beforeEach(() => void vi.useFakeTimers({ toFake: ["performance"] }));
  afterEach(() => void vi.useRealTimers());

  test("ends after 20 seconds without a gym, not counting an attempt that took hours", () => {
    const deadline = new RetryDeadline(usualTimes.fleet.giveUpMs);
    deadline.begin();
    vi.advanceTimersByTime(3_600_000);
    expect(deadline.isOver).toBe(false);
    deadline.begin();
    vi.advanceTimersByTime(19_000);
    expect(deadline.isOver).toBe(false);
    deadline.begin();
    vi.advanceTimersByTime(2_000);
    expect(deadline.isOver).toBe(true);
  });

  test("ends even if each attempt loses its gym only after a long time", () => {
    const deadline = new RetryDeadline(usualTimes.fleet.giveUpMs);
    const attempts = Array.from({ length: 4 }, () => {
      deadline.begin();
      vi.advanceTimersByTime(60_000);
      return deadline.isOver;
    });
    expect(attempts).toEqual([false, false, true, true]);
  });
});
