/** Takes the steps of a batch on the gyms that have their episodes. The steps of one episode stay in their order. */
import { setTimeout as sleep } from "node:timers/promises";
import type { Ownership } from "../episodes/ownership/ownership.js";
import { GymError } from "../errors.js";
import { keyOf } from "../log/records/episode-id.js";
import type { Call, Operation } from "../operations/operation.js";
import { errorText } from "../operations/replies.js";
import { PeerLost } from "./peer-errors.js";
import type { Peers } from "./peers.js";
import { RetryDeadline } from "./retry-deadline.js";

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
    private readonly giveUpMs: number,
  ) {}

  /** Returns the JSON text of the reply to `stepMany`. */
  async run(operation: Operation, call: Call, steps: readonly StepOfMany[]): Promise<string> {
    const owners = [...this.byOwner(steps, steps.keys()).keys()];
    if (owners.length === 1) {
      const text = await this.replyOf(owners[0] as Owner, operation, call, steps);
      // The episodes of a batch mostly have one owner, and then the reply need not be parsed.
      if (text !== null && !text.includes('"EPISODE_ELSEWHERE"')) return text;
    }
    const results: string[] = [];
    let left: number[] = [...steps.keys()];
    for (const deadline = new RetryDeadline(this.giveUpMs); left.length > 0; await sleep(pauseMs)) {
      deadline.begin();
      const tried = await this.attempt(operation, call, steps, left);
      left = [];
      for (const [i, text] of tried) {
        results[i] = text;
        if (isElsewhere(text)) left.push(i);
      }
      if (left.length === 0 || deadline.isOver) break;
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
    const reply = await this.replyOf(owner, operation, call, steps);
    // Taking these steps again is safe, since they are numbered.
    if (reply === null) return steps.map(() => errorText(noOwner));
    return (JSON.parse(reply) as { results: unknown[] }).results.map((result) => JSON.stringify(result));
  }

  /** Returns the reply of a gym, or null if no gym has the episodes or the gym was lost. */
  private async replyOf(
    owner: Owner,
    operation: Operation,
    call: Call,
    steps: readonly StepOfMany[],
  ): Promise<string | null> {
    if (owner === "here") return operation.run(call, { steps } as never);
    if (owner === null) return null;
    call.gym.activity.forwarded += 1;
    try {
      return withoutDraining(await this.peers.call(owner, "stepMany", call, { steps }));
    } catch (error) {
      if (error instanceof PeerLost) return null;
      throw error;
    }
  }
}

/** Another gym that is about to end begins no step, so the gym that gets its episodes can take the step. */
function withoutDraining(reply: string): string {
  if (!reply.includes('"SERVER_DRAINING"')) return reply;
  const { results } = JSON.parse(reply) as { results: unknown[] };
  const texts = results.map((result) => JSON.stringify(result));
  return `{"results":[${texts.map((text) => (codeOf(text) === "SERVER_DRAINING" ? errorText(noOwner) : text)).join()}]}`;
}

function isElsewhere(text: string): boolean {
  return codeOf(text) === "EPISODE_ELSEWHERE";
}

function codeOf(text: string): string | null {
  if (!text.startsWith('{"error":')) return null;
  return (JSON.parse(text) as { error: { code: string } }).error.code;
}
