/**
 * Lets agent programs play at the rollout endpoint. Each seat of the rollout loop becomes the group of the next task
 * that an agent claims.
 */

import { join } from "node:path";
import { counted } from "../../server/formats/counted.js";
import { contextOf } from "../backends/generation.js";
import { TrainerError } from "../errors.js";
import type { LeftOutReason } from "../rollout/rollout-loop.js";
import type { Group } from "../rollout/trajectory.js";
import type { Player, PlayerParts } from "../run/player.js";
import { Endpoint } from "./endpoint.js";
import type { Seat } from "./group-queue.js";
import { PromptFormat } from "./protocol/prompt-format.js";
import { type Rewarded, RewardedFiles } from "./rewarded-files.js";

interface EndpointPlayerState {
  /**
   * Number of the next group. The number is part of the random seed, so no two groups of a run have the same random
   * draws.
   */
  readonly next: number;
  /** Ids of the conversations that were learned from or left out and still have a file. */
  readonly settled: readonly string[];
}

export class EndpointPlayer implements Player<Seat> {
  /** Limits of the loop, here unlimited: after any number of failures, a new agent may succeed. */
  readonly patience = { mostFailuresInARow: Number.POSITIVE_INFINITY, mostFilteredInARow: Number.POSITIVE_INFINITY };
  private readonly endpoint: Endpoint;
  private nextNumber: number;
  private readonly files: RewardedFiles;
  private readonly settled: Set<string>;
  /** The settled conversations of the newest state. */
  private inState: readonly string[] = [];

  /** @throws {TrainerError} MODEL_UNUSABLE */
  constructor(
    private readonly parts: PlayerParts,
    private readonly say: (line: string) => void,
  ) {
    const { next = 0, settled = [] } = parts.saved as Partial<EndpointPlayerState>;
    this.nextNumber = next;
    this.settled = new Set(settled);
    this.files = new RewardedFiles(join(parts.settings.output, "rewarded"));
    this.endpoint = endpointOf(parts, this.files, say);
  }

  get state(): Readonly<Record<string, unknown>> {
    this.inState = [...this.settled];
    const state: EndpointPlayerState = { next: this.nextNumber, settled: this.inState };
    return { ...state };
  }

  async open(): Promise<void> {
    await this.resumeTraffic();
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
    for (const { episodeId } of group.trajectories) if (this.files.has(episodeId)) this.settled.add(episodeId);
  }

  /** Removes the files of conversations that the checkpoint includes. */
  async saved(): Promise<void> {
    const included = this.inState;
    this.inState = [];
    await this.files.remove(included);
    for (const id of included) this.settled.delete(id);
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

  /** Queues the rewarded conversations of the interrupted run that its checkpoint does not include. */
  private async resumeTraffic(): Promise<void> {
    const { endpoint, files, parts, say } = this;
    if (!parts.settings.resume) {
      const aside = await files.setAside();
      if (aside) say(`rewarded conversations of an earlier run are now in ${aside}`);
      return;
    }
    const all = (await files.read()).filter(({ id }) => !this.settled.has(id));
    if (all.length === 0) return;
    const version = parts.trainStep();
    const stale = endpoint.traffic?.resume(all.map((rewarded) => mirrored(rewarded, version))) ?? all.length;
    say(
      `${counted(all.length - stale, "rewarded conversation")} of the interrupted run ${all.length - stale === 1 ? "waits" : "wait"} for a train step; ${stale} more are left out, since their tokens are more than ${counted(parts.settings.max_head_offpolicyness, "policy version")} away`,
    );
  }
}

/**
 * Labels the tokens of policies that the interrupted run had after its checkpoint. Such a policy is lost; it was as many
 * train steps ahead of the checkpoint as an older policy was behind it, and counts as that older one.
 */
function mirrored(rewarded: Rewarded, version: number): Rewarded {
  const labelled = (each: number) => (each > version ? 2 * version - each : each);
  const rows = rewarded.rows.map((row) => ({ ...row, versions: row.versions.map(labelled) }));
  return { ...rewarded, rows };
}

function endpointOf(parts: PlayerParts, files: RewardedFiles, say: (line: string) => void): Endpoint {
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
    rewardMs: settings.endpoint_reward_s * 1000,
    files,
    isTooOld: (version, freeSeats) => {
      // Groups are learned from in the order of their seats, so the number of those before decides the train step.
      const { accepted, running } = statistics();
      const learntAt = Math.floor((accepted + running - freeSeats) / settings.batch_size);
      return learntAt - version > settings.max_head_offpolicyness;
    },
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
