/** Takes the steps of a batch on the gyms that have their episodes. The steps of one episode stay in their order. */
import { setTimeout as sleep } from "node:timers/promises";
import type { Ownership } from "../episodes/ownership.js";
import { GymError } from "../errors.js";
import { keyOf } from "../log/episode-id.js";
import type { Call, Operation } from "../operation.js";
import { errorText } from "../replies.js";
import { PeerLost, type Peers } from "./peers.js";

export interface StepOfMany {
  episodeId: string;
}

type Owner = ReturnType<Ownership["ownerOf"]>;

/** Milliseconds until steps whose episodes no gym had are tried again. */
const pauseMs = 25;

const noOwner = GymError.ofState("EPISODE_ELSEWHERE", "No gym of the fleet could take the step.");

export class FleetSteps {
  constructor(
    private readonly ownership: Ownership,
    private readonly peers: Peers,
    private readonly patienceMs: number,
  ) {}

  /** Returns the JSON text of the reply to `stepMany`. */
  async run(operation: Operation, call: Call, steps: readonly StepOfMany[]): Promise<string> {
    const byOwner = this.byOwner(steps, steps.keys());
    const isHere = byOwner.size === 1 && byOwner.has("here");
    if (isHere) {
      const text = await operation.run(call, { steps } as never);
      // An episode may have moved to another gym meanwhile.
      if (!text.includes('"EPISODE_ELSEWHERE"')) return text;
    }
    const results: string[] = [];
    let left: number[] = [...steps.keys()];
    for (const givenUpAt = performance.now() + this.patienceMs; left.length > 0; await sleep(pauseMs)) {
      const tried = await this.attempt(operation, call, steps, left);
      left = [];
      for (const [i, text] of tried) {
        results[i] = text;
        if (isElsewhere(text)) left.push(i);
      }
      if (left.length === 0 || performance.now() > givenUpAt) break;
    }
    return `{"results":[${results.join()}]}`;
  }

  private async attempt(
    operation: Operation,
    call: Call,
    steps: readonly StepOfMany[],
    indexes: readonly number[],
  ): Promise<Map<number, string>> {
    const results = new Map<number, string>();
    const parts = [...this.byOwner(steps, indexes)].map(async ([owner, own]) => {
      const part = own.map((i) => steps[i] as StepOfMany);
      const outcomes = await this.stepsOf(owner, operation, call, part);
      own.forEach((i, at) => {
        results.set(i, outcomes[at] as string);
      });
    });
    await Promise.all(parts);
    return results;
  }

  private byOwner(steps: readonly StepOfMany[], indexes: Iterable<number>): Map<Owner, number[]> {
    const byOwner = new Map<Owner, number[]>();
    for (const i of indexes) {
      const key = keyOf((steps[i] as StepOfMany).episodeId);
      const owner = key === null ? "here" : this.ownership.ownerOf(key);
      const own = byOwner.get(owner);
      if (own) own.push(i);
      else byOwner.set(owner, [i]);
    }
    return byOwner;
  }

  private async stepsOf(
    owner: Owner,
    operation: Operation,
    call: Call,
    steps: readonly StepOfMany[],
  ): Promise<string[]> {
    try {
      if (owner === null) throw new PeerLost("no gym has the episodes");
      if (owner !== "here") call.gym.activity.forwarded += 1;
      const reply =
        owner === "here"
          ? await operation.run(call, { steps } as never)
          : await this.peers.call(owner, "stepMany", call.caller, { steps });
      return (JSON.parse(reply) as { results: unknown[] }).results.map((result) => JSON.stringify(result));
    } catch (error) {
      if (!(error instanceof PeerLost)) throw error;
      // Taking these steps again is safe, since they are numbered.
      return steps.map(() => errorText(noOwner));
    }
  }
}

function isElsewhere(text: string): boolean {
  if (!text.startsWith('{"error":')) return false;
  return (JSON.parse(text) as { error: { code: string } }).error.code === "EPISODE_ELSEWHERE";
}
