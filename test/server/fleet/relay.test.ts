/** Requests that a gym takes from other gyms of its fleet. */
import Fastify from "fastify";
import { expect, test } from "vitest";
import { relayRequests } from "#palestra/server/app/fleet/relayed-routes.js";
import { usualTimes } from "#palestra/server/config/times.js";
import type { Caller } from "#palestra/server/episodes/gym.js";
import { GymError } from "#palestra/server/errors.js";
import type { FleetOwnership } from "#palestra/server/fleet/fleet-ownership.js";
import { Owners } from "#palestra/server/fleet/owners.js";
import type { Peers } from "#palestra/server/fleet/peers.js";
import { Relay } from "#palestra/server/fleet/relay.js";

const memberOf = (incarnation: number) => ({ incarnation, address: `http://127.0.0.1:${incarnation}` });
const secret = "a secret of the fleet";

/** A gym with the incarnation 1 that has the episodes with even keys, beside the gym 2. */
function relayOf(): Relay {
  const ownership = {
    members: { self: memberOf(1), others: [memberOf(2)] },
    has: (key: number) => key % 2 === 0,
  } as unknown as FleetOwnership;
  return new Relay(ownership, new Owners(ownership, usualTimes.fleet.giveUpMs), {} as Peers, () => secret);
}

test("a request runs for a live gym of the fleet, and not for a fenced one", () => {
  const relay = relayOf();
  const caller = Buffer.from(JSON.stringify({ owner: "ada" })).toString("base64");
  const passed = (gym: string, key = "4", authorization = `Bearer ${secret}`) =>
    relay.passedBy({ authorization, "palestra-caller": caller, "palestra-key": key, "palestra-gym": gym });
  const takes = (...facts: [gym: string, key?: string]) => {
    const found = passed(...facts);
    return found && relay.takes(found);
  };
  expect(passed("2")).toEqual({ caller: { owner: "ada" }, key: 4, gym: 2 });
  expect(passed("2", "4", "Bearer another")).toBeNull();
  expect(takes("2")).toBe(true);
  expect(takes("2", "5")).toBe(false);
  expect(takes("9")).toBe(false);
});

test("an ending gym refuses a request from another gym, so that the next gym is tried", async () => {
  const app = Fastify();
  relayRequests(app, relayOf());
  app.addHook("onRequest", async (request) => {
    request.passed = { caller: { owner: "ada" } as Caller, key: 4, gym: 2 };
  });
  const draining = () => Promise.reject(GymError.ofState("SERVER_DRAINING", "The server is shutting down."));
  app.post("/step", { config: { about: { keyOf: () => 4 } } }, draining);
  const { statusCode, headers, payload } = await app.inject({ method: "POST", url: "/step" });
  expect([statusCode, headers["palestra-elsewhere"], payload]).toEqual([503, "", ""]);
});
