/**
 * Runs each operation on the gym that can carry it out: here, or on another gym of the fleet. Every gym of a fleet takes
 * every request. An operation about an episode goes to the gym that has the episode, and a new episode to a gym that has its
 * environment and room for it.
 */
import { lasting } from "../episodes/episode/client.js";
import { episodeElsewhere } from "../episodes/episode/refusals.js";
import type { Caller, Gym, StepRequest } from "../episodes/gym.js";
import type { ErrorBody } from "../errors.js";
import { keyOf } from "../log/records/episode-id.js";
import type { FleetMember } from "../log/records/protocol.js";
import { type Call, callOf, type Operation, type Router } from "../operations/operation.js";
import type { FleetOwnership } from "./fleet-ownership.js";
import type { Owners } from "./owners.js";
import { mayHaveRun, PeerLost } from "./peer-errors.js";
import type { Peers } from "./peers.js";
import type { Placement } from "./placement.js";
import { type States, statesHere, statesInFleet } from "./states.js";
import { FleetSteps } from "./steps.js";
import { WaitLeft } from "./wait-left.js";

/** The router of a gym that is alone. */
export const alone: Router = {
  run: (_name, operation, call, params) => operation.run(call, params as never),
  states: (gym, caller, keys) => statesHere(gym, keys, caller),
};

interface RouterParts {
  ownership: FleetOwnership;
  owners: Owners;
  peers: Peers;
  placement: Placement;
  /** Called for each operation that is forwarded to another gym. */
  onForward(): void;
  /** Operations that return the state of an episode, and take a step. */
  operations: { get: Operation; step: Operation };
}

interface Params {
  episodeId?: unknown;
  environment?: unknown;
  idempotencyKey?: string;
  steps?: readonly StepRequest[];
  /** Milliseconds for which the operation may wait for something that its caller waits for, too. */
  waitMs?: number;
  episodes?: readonly { environment: string }[];
}

export class FleetRouter implements Router {
  private readonly steps: FleetSteps;

  constructor(private readonly parts: RouterParts) {
    const { ownership, owners, peers, operations } = parts;
    ownership.onMembers = (members) => peers.keep(members);
    this.steps = new FleetSteps(owners, operations.step, (...passed) => this.forward(...passed));
  }

  run(name: string, operation: Operation, call: Call, params: object): Promise<string> {
    const { episodeId, environment, steps, episodes } = params as Params;
    if (name === "stepMany" && steps?.length) return this.steps.stepMany(call, steps);
    if (name === "step") return this.steps.step(call, params as StepRequest);
    if (typeof episodeId === "string") return this.onOwner(episodeId, name, operation, call, params);
    if (name === "createMany" && episodes) return this.createMany(operation, call, params as never);
    if (typeof environment !== "string") return operation.run(call, params as never);
    const isNew = name === "create";
    // The other operations about an environment change nothing.
    if (!isNew && call.gym.registry.has(environment)) return operation.run(call, params as never);
    const { idempotencyKey } = params as Params;
    const mayRepeat = !isNew || idempotencyKey !== undefined;
    return this.place([environment], { name, operation, call, params, mayRepeat });
  }

  states(gym: Gym, caller: Caller, keys: readonly number[]): Promise<States> {
    const { owners, peers } = this.parts;
    return statesInFleet({ gym, owners, peers, caller }, keys);
  }

  private onOwner(episodeId: string, name: string, operation: Operation, call: Call, params: object): Promise<string> {
    const key = keyOf(episodeId);
    const { waitMs = 0 } = params as Params;
    const wait = new WaitLeft(params, waitMs);
    const here = () => operation.run(call, wait.params as never);
    if (key === null) return here();
    // A wait ends with its client. Other operations go on without their client, as they do here.
    const client = waitMs > 0 ? call.client : lasting;
    return this.parts.owners.at({
      key,
      // A repeated fork would make a second episode.
      mayRepeat: name !== "fork",
      client,
      here,
      there: (gym) => this.forward(gym, name, callOf(call, call.caller, client), wait.params),
    });
  }

  /** Runs an operation on one of the gyms that have environments: for a new episode, one with room for it. */
  private async place(environments: readonly string[], placed: Placed): Promise<string> {
    const { call, mayRepeat } = placed;
    const anywhere = () => this.tryPlaces(environments, placed);
    const done = await this.parts.owners.at({
      key: null,
      mayRepeat,
      client: call.client,
      here: anywhere,
      there: anywhere,
    });
    return typeof done === "string" ? done : this.getFrom(call, done.episodeId);
  }

  /** Returns the reply of the first gym that gives one, or the episode that another gym has opened for the request before. */
  private async tryPlaces(environments: readonly string[], placed: Placed): Promise<string | { episodeId: string }> {
    const { placement } = this.parts;
    const { name, operation, call, params, mayRepeat } = placed;
    let last: unknown;
    for (const place of placement.order(environments)) {
      try {
        if (place === "here") return await operation.run(call, params as never);
        return await this.forward(place, name, call, params);
      } catch (error) {
        last = error;
        const episodeId = episodeElsewhere(error);
        if (episodeId !== null) return { episodeId };
        // Without an idempotency key, a retry could open a second episode.
        const isUnclear = !mayRepeat && mayHaveRun(error);
        if (isUnclear || !(error instanceof PeerLost || placement.isWorthAnother(error))) throw error;
      }
    }
    throw last;
  }

  /** Opens many episodes on one gym. Entries that another gym has opened already are asked from that gym. */
  private async createMany(operation: Operation, call: Call, params: Required<Params>): Promise<string> {
    const environments = params.episodes.map(({ environment }) => environment);
    const mayRepeat = params.idempotencyKey !== undefined;
    const text = await this.place(environments, { name: "createMany", operation, call, params, mayRepeat });
    if (!text.includes('"EPISODE_ELSEWHERE"')) return text;
    const { results } = JSON.parse(text) as { results: ({ error?: ErrorBody } | object)[] };
    const mended = results.map(async (result) => {
      const { error } = result as { error?: ErrorBody };
      const episodeId = error && episodeElsewhere(error);
      if (!episodeId) return JSON.stringify(result);
      return this.getFrom(call, episodeId);
    });
    return `{"results":[${(await Promise.all(mended)).join()}]}`;
  }

  private getFrom(call: Call, episodeId: string): Promise<string> {
    return this.onOwner(episodeId, "get", this.parts.operations.get, call, { episodeId });
  }

  private forward(gym: FleetMember, name: string, call: Call, params: object): Promise<string> {
    this.parts.onForward();
    return this.parts.peers.call(gym, name, call, params);
  }
}

interface Placed {
  name: string;
  operation: Operation;
  call: Call;
  params: object;
  /** Whether the operation may be carried out twice. */
  mayRepeat: boolean;
}
