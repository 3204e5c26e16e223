/**
 * Lets agent programs play at the rollout endpoint. Each seat of the rollout loop becomes the group of the next task
 * that an agent claims.
 */

import { TrainerError } from "../errors.js";
import type { LeftOutReason } from "../rollout/rollout-loop.js";
import type { Group } from "../rollout/trajectory.js";
import { contextOf } from "../run/generation.js";
import type { Player, PlayerParts } from "../run/player.js";
import { Endpoint } from "./endpoint.js";
import type { Seat } from "./group-queue.js";
import { PromptFormat } from "./protocol/prompt-format.js";

interface EndpointPlayerState {
  /**
   * Number of the next group. The number is part of the random seed, so no two groups of a run have the same random
   * draws.
   */
  readonly next: number;
}

export class EndpointPlayer implements Player<Seat> {
  /** Limits of the loop, here unlimited: after any number of failures, a new agent may succeed. */
  readonly patience = { mostFailuresInARow: Number.POSITIVE_INFINITY, mostFilteredInARow: Number.POSITIVE_INFINITY };
  private readonly endpoint: Endpoint;
  private nextNumber: number;

  /** @throws {TrainerError} MODEL_UNUSABLE */
  constructor(
    parts: PlayerParts,
    private readonly say: (line: string) => void,
  ) {
    this.nextNumber = (parts.saved as Partial<EndpointPlayerState>).next ?? 0;
    this.endpoint = endpointOf(parts, say);
  }

  get state(): Readonly<Record<string, unknown>> {
    const state: EndpointPlayerState = { next: this.nextNumber };
    return { ...state };
  }

  async open(): Promise<void> {
    this.say(`rollout endpoint at ${await this.endpoint.listen()}`);
  }

  next(): Seat {
    return { number: this.nextNumber++ };
  }

  giveBack(): void {}

  play(seat: Seat, signal: AbortSignal): Promise<Group> {
    return this.endpoint.rollouts.play(seat, signal);
  }

  finish(group: Group, leftOut?: LeftOutReason): void {
    if (leftOut) this.endpoint.rollouts.leaveOut(group, leftOut);
  }

  rounds(): undefined {
    return undefined;
  }

  /** Does nothing: only the agents have held-out tasks, and claim rollouts with mode `eval` for them. */
  async evaluate(): Promise<undefined> {
    return undefined;
  }

  close(): Promise<void> {
    return this.endpoint.close();
  }
}

function endpointOf(parts: PlayerParts, say: (line: string) => void): Endpoint {
  const { settings, model, generation, groupSize, trainStep, statistics } = parts;
  if (!generation.native)
    throw new TrainerError(
      "SETTINGS_INVALID",
      "expected the policy native at the rollout endpoint, but received a server",
    );
  if (!model.tokenizer)
    throw new TrainerError("MODEL_UNUSABLE", "expected a model with a tokenizer.json, but received one without");
  return new Endpoint({
    chat: {
      format: new PromptFormat(model.tokenizer),
      model: "palestra",
      context: contextOf(parts),
      maxNewTokens: settings.max_new_tokens,
      temperature: settings.temperature,
      topP: settings.top_p,
      sampling: settings.endpoint_sampling,
      evalTemperature: settings.eval_temperature,
    },
    ...generation.native,
    host: settings.endpoint_host,
    port: settings.endpoint_port,
    apiKey: settings.endpoint_api_key,
    seed: settings.seed,
    groupSize,
    leaseMs: settings.endpoint_lease_s * 1000,
    waitMs: settings.endpoint_wait_s * 1000,
    solvedReward: settings.endpoint_solved_reward,
    trains: true,
    say,
    progress: () => ({ train_step: trainStep(), loop: describe(statistics()) }),
  });
}

function describe({ version, running, accepted, failed, filtered, buffer }: ReturnType<PlayerParts["statistics"]>) {
  const { size, capacity, taken, staleness } = buffer;
  const waiting = { size, capacity, taken, staleness: Object.fromEntries(staleness) };
  return { version, running, accepted, failed, filtered, buffer: waiting };
}
