/**
 * Runs each operation on the gym that has its episode: here, or on another gym of the fleet. Every gym of a fleet takes
 * every request.
 */
import { setTimeout as sleep } from "node:timers/promises";
import type { Ownership } from "../episodes/ownership.js";
import { GymError } from "../errors.js";
import { keyOf } from "../log/episode-id.js";
import type { Call, Operation, Router } from "../operation.js";
import { errorText } from "../replies.js";
import { PeerLost, type Peers } from "./peers.js";

/** The router of a gym that is alone. */
export const alone: Router = {
  run: (_name, operation, call, params) => operation.run(call, params as never),
};

/** Milliseconds for which a request waits until a gym has its episode. Another gym takes over a dead one's in ten seconds. */
const patienceMs = 20_000;
const pauseMs = 100;

type Owner = ReturnType<Ownership["ownerOf"]>;

interface StepOfMany {
  episodeId: string;
}

export class FleetRouter implements Router {
  constructor(
    private readonly ownership: Ownership,
    private readonly peers: Peers,
    /** Operation that returns the state of an episode. */
    private readonly get: Operation,
  ) {
    ownership.onMembers = (members) => peers.keep(members);
  }

  async run(name: string, operation: Operation, call: Call, params: object): Promise<string> {
    const { episodeId, steps } = params as { episodeId?: unknown; steps?: readonly StepOfMany[] };
    if (name === "stepMany" && steps) return this.stepMany(operation, call, steps);
    const key = typeof episodeId === "string" ? keyOf(episodeId) : null;
    if (key !== null) return this.onOwner(key, name, operation, call, params);
    try {
      return await operation.run(call, params as never);
    } catch (error) {
      return this.recalled(name, call, error);
    }
  }

  /** A repeated create may ask for an episode that another gym has created. */
  private recalled(name: string, call: Call, error: unknown): Promise<string> {
    const { code, details } = error as GymError;
    const id = code === "EPISODE_ELSEWHERE" ? details?.episodeId : undefined;
    const key = name === "create" && typeof id === "string" ? keyOf(id) : null;
    if (key === null) throw error;
    return this.onOwner(key, "get", this.get, call, { episodeId: id });
  }

  /** @throws {GymError} EPISODE_ELSEWHERE, and the errors of the operation */
  private async onOwner(key: number, name: string, operation: Operation, call: Call, params: object): Promise<string> {
    for (const givenUpAt = performance.now() + patienceMs; ; await sleep(pauseMs)) {
      const owner = this.ownership.ownerOf(key);
      try {
        if (owner === "here") return await operation.run(call, params as never);
        if (owner) return await this.peers.call(owner, name, call.caller, params);
      } catch (error) {
        if (!isWorthRepeating(error, name)) throw error;
      }
      if (performance.now() > givenUpAt) throw elsewhere(name);
    }
  }

  /** Splits a batch by the gyms that have its episodes. The steps of one episode stay in their order. */
  private async stepMany(operation: Operation, call: Call, steps: readonly StepOfMany[]): Promise<string> {
    const byOwner = new Map<Owner, number[]>();
    steps.forEach(({ episodeId }, i) => {
      const key = keyOf(episodeId);
      const owner = key === null ? "here" : this.ownership.ownerOf(key);
      byOwner.set(owner, [...(byOwner.get(owner) ?? []), i]);
    });
    if (byOwner.size === 1 && byOwner.has("here")) return operation.run(call, { steps } as never);
    const results: string[] = [];
    const parts = [...byOwner].map(async ([owner, indexes]) => {
      const part = indexes.map((i) => steps[i] as StepOfMany);
      const outcomes = await this.stepsOf(owner, operation, call, part);
      indexes.forEach((i, at) => {
        results[i] = outcomes[at] as string;
      });
    });
    await Promise.all(parts);
    return `{"results":[${results.join()}]}`;
  }

  private async stepsOf(
    owner: Owner,
    operation: Operation,
    call: Call,
    steps: readonly StepOfMany[],
  ): Promise<string[]> {
    try {
      if (owner === null) throw new PeerLost("no gym has the episodes");
      const reply =
        owner === "here"
          ? await operation.run(call, { steps } as never)
          : await this.peers.call(owner, "stepMany", call.caller, { steps });
      return (JSON.parse(reply) as { results: unknown[] }).results.map((result) => JSON.stringify(result));
    } catch (error) {
      if (!(error instanceof PeerLost)) throw error;
      // The caller repeats these steps, which is safe.
      return steps.map(() => errorText(elsewhere("stepMany")));
    }
  }
}

/** A repeated fork would make a second episode, and all other operations may be repeated. */
function isWorthRepeating(error: unknown, name: string): boolean {
  if (error instanceof PeerLost) return name !== "fork" || !error.mayHaveRun;
  return error instanceof GymError && error.code === "EPISODE_ELSEWHERE";
}

function elsewhere(name: string): GymError {
  return GymError.ofState("EPISODE_ELSEWHERE", `No gym of the fleet could carry out ${name}.`);
}
