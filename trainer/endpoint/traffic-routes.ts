/** Callers without a claimed rollout: the programs of a live product. */
import type { FastifyRequest } from "fastify";
import type { ChatOptions } from "./chat.js";
import type { Callers } from "./model-routes.js";
import { EndpointError, shown } from "./protocol/errors.js";
import type { Traffic } from "./traffic.js";

/** The traffic, or the group size for which calls without a rollout are refused. */
export type MaybeTraffic = Traffic | { readonly groupSize: number; readonly chat: ChatOptions };

/** Header by which a program names the conversation of a call. */
const nameHeader = "x-palestra-rollout";
const longestName = 200;

export function trafficCallers(traffic: MaybeTraffic): Callers {
  return {
    prefix: "",
    chat: traffic.chat,
    expect: () => void expectTraffic(traffic),
    of: (request) => expectTraffic(traffic).caller(nameOf(request)),
  };
}

/** @throws {EndpointError} rollout_required: the run compares several rollouts of a task */
export function expectTraffic(traffic: MaybeTraffic): Traffic {
  if ("reward" in traffic) return traffic;
  throw new EndpointError(
    "rollout_required",
    `expected the base URL of a rollout, since the run compares groups of ${traffic.groupSize}, but received a call without one. Claim a rollout with POST /rollouts, or train with n_samples 1 and an algorithm that compares no rollouts of a task, such as algorithm reinforce with baseline ema`,
  );
}

function nameOf({ headers }: FastifyRequest): string | undefined {
  const name = headers[nameHeader];
  if (name === undefined) return undefined;
  if (typeof name === "string" && name !== "" && name.length <= longestName) return name;
  const expected = `expected a name of 1 to ${longestName} characters in the header ${nameHeader}`;
  throw new EndpointError("invalid_request", `${expected}, but received ${shown(name)}`, nameHeader);
}
