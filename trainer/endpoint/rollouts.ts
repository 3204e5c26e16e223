/** The rollouts of an endpoint: agents claim them, play them and can query them after their end. */
import type { Generator } from "../../native/api/index.js";
import { keyedHash } from "../keyed-random.js";
import type { Group, Trajectory, TrajectoryFailure } from "../rollout/trajectory.js";
import type { DropReason } from "./call-tree.js";
import type { ChatOptions } from "./chat.js";
import { GroupQueue, type Seat } from "./group-queue.js";
import { IdleWatch } from "./idle-watch.js";
import { EndpointError, rolloutEnded } from "./protocol/errors.js";
import { Rollout, type RolloutOutcome } from "./rollout.js";

export interface RolloutsOptions {
  readonly chat: ChatOptions;
  readonly generator: Generator;
  readonly apiKey: string | undefined;
  readonly seed: number;
  readonly groupSize: number;
  /** Idle milliseconds after which a rollout fails, and after which a group without open rollouts is closed. */
  readonly leaseMs: number;
  readonly waitMs: number;
  readonly solvedReward: number;
  /** Whether the endpoint trains on rollouts; otherwise all rollouts are evaluations. */
  readonly trains: boolean;
  versionOf(weights: number): number;
  /** Writes a line to the log. */
  say(line: string): void;
  /** Returns the progress of the run, for `GET /status`. */
  progress(): Readonly<Record<string, unknown>>;
}

/** Number of ended rollouts whose descriptions are kept. */
const remembered = 1_000;
/** Maximum number of open evaluation rollouts, which admission does not limit. */
const mostEvaluations = 1_024;

export class Rollouts {
  readonly chat: ChatOptions;
  private readonly queue: GroupQueue;
  private readonly rollouts = new Map<string, Rollout>();
  private readonly ended = new Map<string, Description>();
  private readonly watch: IdleWatch;
  private readonly dropped: Partial<Record<DropReason, number>> = {};
  private readonly counts = { ended: 0, failed: 0, rows: 0, evaluated: 0, solved: 0 };
  private readonly leftOut: Record<string, number> = {};
  private evaluations = 0;
  /** Called when a seat is free and no claim waits for it. */
  onFree: () => void = () => {};
  /** URL of the endpoint, once it listens. */
  url = "";
  private isClosed = false;

  constructor(private readonly options: RolloutsOptions) {
    this.chat = options.chat;
    this.queue = new GroupQueue({
      size: options.groupSize,
      leaseMs: options.leaseMs,
      waitMs: options.waitMs,
      open: (group, sample, onEnd) => {
        const seed = keyedHash(options.seed, Number(group.id), sample);
        return this.begin({ task: group.task ?? "", mode: "train", group: group.id, seed }, onEnd);
      },
      onShort: (group) => this.watch.onShortGroup(group),
      onFree: () => this.onFree(),
    });
    this.watch = new IdleWatch({
      leaseMs: options.leaseMs,
      say: (line) => options.say(line),
      rollouts: () => this.rollouts.values(),
      groups: () => this.queue.openGroups,
    });
  }

  /** Resolves with the group that agents play at a seat. Rejects with the signal's reason. */
  play(seat: Seat, signal: AbortSignal): Promise<Group> {
    return this.queue.play(seat, signal);
  }

  /** Number of seats that no rollout has. */
  get freeSeats(): number {
    return this.queue.statistics.free;
  }

  /** Makes a group of an episode that has ended already. @returns whether a seat was free */
  fill(task: string, rows: readonly Trajectory[]): boolean {
    return this.queue.fill(task, rows);
  }

  /** Counts a group that was played but not learned from. */
  leaveOut({ trajectories }: Group, reason: string): void {
    this.leftOut[reason] = (this.leftOut[reason] ?? 0) + trajectories.length;
  }

  /** Opens a rollout, after waiting for a seat. @throws {EndpointError} */
  async claim(task: string, mode: "train" | "eval", signal: AbortSignal): Promise<Rollout> {
    if (this.isClosed) throw closed();
    if (mode === "train") {
      if (this.options.trains) return this.queue.claim(task, signal);
      throw new EndpointError(
        "unsupported_parameter",
        "expected mode eval, since this endpoint does not train, but received train",
        "mode",
      );
    }
    const open = [...this.rollouts.values()].filter(({ options }) => options.mode === "eval").length;
    if (open >= mostEvaluations) {
      throw new EndpointError(
        "no_room",
        `${mostEvaluations} evaluations are open, which is the maximum. End one before claiming the next.`,
      );
    }
    const seed = keyedHash(this.options.seed, -1, this.evaluations++);
    return this.begin({ task, mode, group: "", seed });
  }

  /** Finds an open rollout and renews its lease. @throws {EndpointError} no rollout has the id, or it has ended */
  open(id: string): Rollout {
    const rollout = this.rollouts.get(id);
    if (!rollout) {
      const ended = this.ended.get(id);
      throw ended ? rolloutEnded(ended.failure) : notFound(id);
    }
    rollout.renew();
    return rollout;
  }

  /** Returns the reply to the agent that claimed a rollout. */
  invitation({ id, options: { task, mode, group } }: Rollout): object {
    const { apiKey, groupSize } = this.options;
    return {
      id,
      base_url: `${this.url}/rollouts/${id}/v1`,
      // Anthropic's clients append the path with its version.
      anthropic_base_url: `${this.url}/rollouts/${id}`,
      // An agent with a seat appends its name: a base URL is SEATS/NAME/v1, or SEATS/NAME for Anthropic's clients.
      seats_url: `${this.url}/rollouts/${id}/seats`,
      model: this.chat.model,
      ...(apiKey !== undefined && { api_key: apiKey }),
      task,
      mode,
      ...(mode === "train" && { group, n_samples: groupSize }),
    };
  }

  /** Describes a rollout, and renews its lease on request. @throws {EndpointError} no rollout has the id */
  describe(id: string, { renews = false } = {}): object {
    const rollout = this.rollouts.get(id);
    if (renews) rollout?.renew();
    const description = rollout ? describe(rollout) : this.ended.get(id);
    if (description) return description;
    throw notFound(id);
  }

  status(): object {
    const { free, waiting, groups } = this.queue.statistics;
    const { ended, failed, rows, evaluated, solved } = this.counts;
    const { dropped, leftOut } = this;
    return {
      model: this.chat.model,
      rollouts: { open: this.rollouts.size, ended, failed },
      seats: { free, waiting },
      groups,
      rows: { made: rows, dropped: { ...leftOut } },
      calls: { dropped: { ...dropped } },
      evaluations: { ended: evaluated, solved },
      ...this.options.progress(),
    };
  }

  /** Refuses every waiting claim and fails every open rollout. A second call has no effect. */
  close(): void {
    if (this.isClosed) return;
    this.isClosed = true;
    this.watch.close();
    const error = closed();
    this.queue.close(error);
    for (const rollout of [...this.rollouts.values()]) {
      rollout.fail({ class: "agent", code: stopped, message: error.message }, error);
    }
  }

  private begin(
    which: Pick<Rollout["options"], "task" | "mode" | "group" | "seed">,
    onEnd?: (rollout: Rollout) => void,
  ): Rollout {
    const { generator, leaseMs, solvedReward, versionOf } = this.options;
    const rollout: Rollout = new Rollout({
      ...which,
      generator,
      leaseMs,
      solvedReward,
      versionOf,
      onEnd: () => {
        this.remember(rollout, rollout.outcome as RolloutOutcome);
        onEnd?.(rollout);
      },
    });
    this.rollouts.set(rollout.id, rollout);
    return rollout;
  }

  private remember(rollout: Rollout, outcome: RolloutOutcome): void {
    this.rollouts.delete(rollout.id);
    this.ended.set(rollout.id, describe(rollout));
    for (const id of this.ended.keys()) {
      if (this.ended.size <= remembered) break;
      this.ended.delete(id);
    }
    this.counts.ended += 1;
    this.counts.failed += Number(outcome.failure !== undefined);
    const { failure } = outcome;
    if (failure && failure.code !== stopped) this.watch.onFailure(rollout, failure.message);
    if (rollout.options.mode === "eval") {
      this.counts.evaluated += Number(outcome.failure === undefined);
      this.counts.solved += Number(outcome.solved);
      return;
    }
    this.counts.rows += outcome.rows.length;
    for (const [reason, count] of outcome.dropped) this.dropped[reason] = (this.dropped[reason] ?? 0) + count;
  }
}

/** Reply of `GET /rollouts/:id`. */
interface Description {
  readonly status: "open" | "ended" | "failed";
  readonly failure?: TrajectoryFailure;
  readonly [name: string]: unknown;
}

function describe(rollout: Rollout): Description {
  const { id, tree, outcome, versions, return: total, options } = rollout;
  const { state: lease } = rollout.lease;
  const { task, mode, group } = options;
  return {
    id,
    task,
    mode,
    ...(mode === "train" && { group }),
    status: outcome ? (outcome.failure ? "failed" : "ended") : "open",
    calls: tree.calls.map(({ id: call, state, reward }) => ({ id: call, state, reward })),
    reward: total,
    ...(outcome && { solved: outcome.solved, rows: outcome.rows.length, dropped: Object.fromEntries(outcome.dropped) }),
    ...(outcome?.failure && { failure: outcome.failure }),
    ...(versions && { versions }),
    ...(lease && { lease: { idle_s: lease.idleMs / 1000, ends_in_s: lease.leftMs / 1000 } }),
  };
}

/** Failure code of a rollout that was still open when the run ended. */
const stopped = "ROLLOUT_STOPPED";

function notFound(id: string): EndpointError {
  return new EndpointError("rollout_not_found", `expected the id of a rollout, but received ${JSON.stringify(id)}`);
}

function closed(): EndpointError {
  return new EndpointError("endpoint_closed", "The endpoint is closed.");
}
