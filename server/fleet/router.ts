/**
 * Runs each operation on the gym that can carry it out: here, or on another gym of the fleet. Every gym of a fleet takes
 * every request. An operation about an episode goes to the gym that has the episode, and a new episode to a gym that has its
 * environment and room for it.
 */
import { setTimeout as sleep } from "node:timers/promises";
import { episodeElsewhere, isDraining, isElsewhere } from "../episodes/episode/refusals.js";
import type { Caller, Gym } from "../episodes/gym.js";
import type { Ownership } from "../episodes/ownership/ownership.js";
import { type ErrorBody, GymError } from "../errors.js";
import { keyOf } from "../log/records/episode-id.js";
import type { FleetMember } from "../log/records/protocol.js";
import type { Call, Operation, Router } from "../operations/operation.js";
import { mayHaveRun, PeerLost } from "./peer-errors.js";
import type { Peers } from "./peers.js";
import type { Place, Placement } from "./placement.js";
import { RetryDeadline } from "./retry-deadline.js";
import { type States, statesHere, statesInFleet } from "./states.js";
import { StepOrder, type StepTurn } from "./step-order.js";
import { FleetSteps, type StepOfMany } from "./steps.js";

/** The router of a gym that is alone. */
export const alone: Router = {
  run: (_name, operation, call, params) => operation.run(call, params as never),
  states: (gym, _caller, keys) => statesHere(gym, keys),
};

/** Milliseconds between attempts to find the gym of an episode: the first pause, and the longest. */
const [firstPauseMs, longestPauseMs] = [5, 100];

/** Number of characters of an action above which its step may go to another gym by a connection of its own. */
const fewCharacters = 8_192;

interface RouterParts {
  ownership: Ownership;
  peers: Peers;
  placement: Placement;
  /** Operation that returns the state of an episode. */
  get: Operation;
  /** See `FleetTimes`. */
  giveUpMs: number;
}

interface Params {
  episodeId?: unknown;
  action?: string;
  environment?: unknown;
  idempotencyKey?: string;
  steps?: readonly StepOfMany[];
  episodes?: readonly { environment: string }[];
}

export class FleetRouter implements Router {
  private readonly steps: FleetSteps;
  private readonly order = new StepOrder();

  constructor(private readonly parts: RouterParts) {
    const { ownership, peers, giveUpMs } = parts;
    ownership.onMembers = (members) => peers.keep(members);
    this.steps = new FleetSteps(ownership, peers, giveUpMs);
  }

  run(name: string, operation: Operation, call: Call, params: object): Promise<string> {
    const { episodeId, environment, steps, episodes } = params as Params;
    if (name === "stepMany" && steps) return this.steps.run(operation, call, steps);
    const key = typeof episodeId === "string" ? keyOf(episodeId) : null;
    if (key !== null && name === "step") return this.step(key, operation, call, params as Params);
    if (key !== null) return this.onOwner(key, name, operation, call, params);
    if (name === "createMany" && episodes) return this.createMany(operation, call, params as never);
    if (name === "create") return this.place(name, operation, call, params as never);
    if (typeof environment === "string") return this.onGymWith(environment, name, operation, call, params);
    return operation.run(call, params as never);
  }

  states(gym: Gym, caller: Caller, keys: readonly number[]): Promise<States> {
    const { peers, giveUpMs } = this.parts;
    return statesInFleet({ gym, peers, caller, giveUpMs }, keys);
  }

  private async step(key: number, operation: Operation, call: Call, params: Params): Promise<string> {
    const turn = this.order.enter(key);
    turn.isAlone = (params.action?.length ?? 0) > fewCharacters;
    let isLost = false;
    try {
      return await this.onOwner(key, "step", operation, call, params, turn);
    } catch (error) {
      isLost = isElsewhere(error);
      throw error;
    } finally {
      this.order.leave(key, turn, isLost);
    }
  }

  /**
   * @param turn place of a step among the steps of its episode
   * @throws {GymError} EPISODE_ELSEWHERE, and the errors of the operation
   */
  private async onOwner(
    key: number,
    name: string,
    operation: Operation,
    call: Call,
    params: object,
    turn?: StepTurn,
  ): Promise<string> {
    let deadline = new RetryDeadline(this.parts.giveUpMs);
    for (let pauseMs = firstPauseMs; ; pauseMs = Math.min(2 * pauseMs, longestPauseMs)) {
      if (turn?.mustWait) {
        if (!(await turn.wait())) throw elsewhere(name);
        deadline = new RetryDeadline(this.parts.giveUpMs);
      }
      deadline.begin();
      const isBehind = turn?.isBehind ?? false;
      const owner = this.parts.ownership.ownerOf(key);
      try {
        if (owner) return await this.at(owner, name, operation, call, params);
      } catch (error) {
        const hasEnded = owner !== "here" && isDraining(error);
        // Steps before it were refused, since the episode moves.
        const isEarly = isBehind && isOfIndex(error);
        if (!hasEnded && !isEarly && !isWorthRepeating(error, name))
          throw error instanceof PeerLost ? interrupted(name) : error;
        if (turn) turn.isAlone = true;
      }
      // This gym is about to end.
      call.gym.log.check();
      if (deadline.isOver) throw elsewhere(name);
      await sleep(pauseMs);
    }
  }

  /** Opens an episode on one of the gyms that can play it. */
  private async place(name: string, operation: Operation, call: Call, params: Params & object): Promise<string> {
    const { placement } = this.parts;
    const deadline = new RetryDeadline(this.parts.giveUpMs);
    for (let pauseMs = firstPauseMs; ; pauseMs = Math.min(2 * pauseMs, longestPauseMs)) {
      deadline.begin();
      let last: unknown;
      for (const place of placement.order([params.environment as string])) {
        try {
          return await this.at(place, name, operation, call, params);
        } catch (error) {
          last = error;
          const episodeId = episodeElsewhere(error);
          if (episodeId !== null)
            return this.onOwner(keyOf(episodeId) as number, "get", this.parts.get, call, { episodeId });
          // A request without an idempotency key that may have been carried out would open a second episode.
          const isUnclear = mayHaveRun(error) && params.idempotencyKey === undefined;
          if (isUnclear) throw interrupted(name);
          if (!(error instanceof PeerLost) && !placement.isWorthAnother(error)) throw error;
        }
      }
      const mayEnd = last instanceof PeerLost || (last as GymError).code === "EPISODE_ELSEWHERE";
      if (!mayEnd) throw last;
      if (deadline.isOver) throw elsewhere(name);
      await sleep(pauseMs);
    }
  }

  /** Opens many episodes on one gym. Entries that another gym has opened already are asked from that gym. */
  private async createMany(operation: Operation, call: Call, params: Required<Params>): Promise<string> {
    const [place = "here"] = this.parts.placement.order(params.episodes.map(({ environment }) => environment));
    let text: string;
    try {
      text = await this.at(place, "createMany", operation, call, params);
    } catch (error) {
      if (!(error instanceof PeerLost)) throw error;
      if (error.mayHaveRun && params.idempotencyKey === undefined) throw interrupted("createMany");
      text = await operation.run(call, params as never);
    }
    if (!text.includes('"EPISODE_ELSEWHERE"')) return text;
    const { results } = JSON.parse(text) as { results: ({ error?: ErrorBody } | object)[] };
    const mended = results.map(async (result) => {
      const { error } = result as { error?: ErrorBody };
      const episodeId = error && episodeElsewhere(error);
      if (!episodeId) return JSON.stringify(result);
      return this.onOwner(keyOf(episodeId) as number, "get", this.parts.get, call, { episodeId });
    });
    return `{"results":[${(await Promise.all(mended)).join()}]}`;
  }

  /** Runs an operation about an environment, on another gym if this gym does not have the environment. */
  private async onGymWith(
    environment: string,
    name: string,
    operation: Operation,
    call: Call,
    params: object,
  ): Promise<string> {
    if (call.gym.registry.has(environment)) return operation.run(call, params as never);
    for (const place of this.parts.placement.order([environment])) {
      try {
        return await this.at(place, name, operation, call, params);
      } catch (error) {
        // These operations change nothing.
        if (!(error instanceof PeerLost)) throw error;
      }
    }
    throw elsewhere(name);
  }

  private at(place: Place, name: string, operation: Operation, call: Call, params: object): Promise<string> {
    if (place === "here") return operation.run(call, params as never);
    call.gym.activity.forwarded += 1;
    return this.parts.peers.call(place as FleetMember, name, call, params);
  }
}

/** A repeated fork would make a second episode, and all other operations may be repeated. */
function isWorthRepeating(error: unknown, name: string): boolean {
  if (name === "fork" && mayHaveRun(error)) return false;
  return error instanceof PeerLost || isElsewhere(error);
}

function isOfIndex(error: unknown): boolean {
  return error instanceof GymError && error.code === "STEP_INDEX";
}

function elsewhere(name: string): GymError {
  return GymError.ofState("EPISODE_ELSEWHERE", `No gym of the fleet could carry out ${name}.`);
}

function interrupted(name: string): GymError {
  const statement = `The gym that was to carry out ${name} ended before its reply, and may have carried it out.`;
  return GymError.ofState("EPISODE_ELSEWHERE", `${statement} Look at the episodes before you repeat it.`, {
    mayBeTaken: true,
  });
}
