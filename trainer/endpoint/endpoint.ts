/**
 * An OpenAI-compatible server over the native engine, at which agent programs play: each rollout has a base URL of its
 * own, so that a framework is trained, or evaluated, without a change of its code.
 */
import type { FastifyInstance } from "fastify";
import type { Generator } from "../../native/index.js";
import { keyedHash } from "../keyed-random.js";
import type { Group } from "../rollout/trajectory.js";
import { buildApp } from "./app.js";
import type { DropReason } from "./call-tree.js";
import type { ChatOptions } from "./chat.js";
import { EndpointError } from "./errors.js";
import { GroupDesk, type Seat } from "./group-desk.js";
import { Rollout, type RolloutOutcome } from "./rollout.js";

export interface EndpointOptions {
  readonly chat: ChatOptions;
  readonly generator: Generator;
  readonly host: string;
  /** 0: a free one. */
  readonly port: number;
  readonly apiKey: string | undefined;
  readonly seed: number;
  readonly groupSize: number;
  readonly leaseMs: number;
  readonly waitMs: number;
  readonly solvedReward: number;
  /** Whether rollouts are trained on; else all are evaluations. */
  readonly trains: boolean;
  versionOf(weights: number): number;
  /** Of the run, for the status. */
  progress(): Readonly<Record<string, unknown>>;
}

/** Ended rollouts that one can still ask about. */
const remembered = 1_000;
/** Rollouts of evaluations at once: nothing else bounds them. */
const mostEvaluations = 1_024;
const closingMs = 5_000;

export class Endpoint {
  readonly chat: ChatOptions;
  private readonly app: FastifyInstance;
  private readonly desk: GroupDesk;
  private readonly rollouts = new Map<string, Rollout>();
  private readonly ended = new Map<string, object>();
  private readonly dropped: Partial<Record<DropReason, number>> = {};
  private readonly counts = { ended: 0, failed: 0, rows: 0, evaluated: 0, solved: 0 };
  private readonly leftOut: Record<string, number> = {};
  private evaluations = 0;
  private url = "";
  private isClosed = false;

  constructor(private readonly options: EndpointOptions) {
    this.chat = options.chat;
    this.app = buildApp(this, options.apiKey);
    this.desk = new GroupDesk({
      size: options.groupSize,
      leaseMs: options.leaseMs,
      waitMs: options.waitMs,
      open: (group, sample, onEnd) => {
        const seed = keyedHash(options.seed, Number(group.id), sample);
        return this.begin({ task: group.task ?? "", mode: "train", group: group.id, seed }, onEnd);
      },
    });
  }

  /** @returns the URL that it listens at @throws {RangeError} it cannot */
  async listen(): Promise<string> {
    const { host, port } = this.options;
    try {
      this.url = await this.app.listen({ host, port });
    } catch (error) {
      throw new RangeError(`expected to listen at ${host}, port ${port}, but received: ${(error as Error).message}`);
    }
    return this.url;
  }

  /** The group that is played at a seat. Rejects with the signal's reason. */
  play(seat: Seat, signal: AbortSignal): Promise<Group> {
    return this.desk.play(seat, signal);
  }

  /** A group was not learnt from after all. */
  leaveOut({ trajectories }: Group, reason: string): void {
    this.leftOut[reason] = (this.leftOut[reason] ?? 0) + trajectories.length;
  }

  /** @throws {EndpointError} */
  async claim(task: string, mode: "train" | "eval", signal: AbortSignal): Promise<Rollout> {
    if (this.isClosed) throw closed();
    if (mode === "train") {
      if (this.options.trains) return this.desk.claim(task, signal);
      throw new EndpointError("unsupported_parameter", "expected mode eval, since nothing is trained here", "mode");
    }
    const open = [...this.rollouts.values()].filter(({ options }) => options.mode === "eval").length;
    if (open >= mostEvaluations) {
      throw new EndpointError("no_room", `expected at most ${mostEvaluations} evaluations at once, but received more`);
    }
    const seed = keyedHash(this.options.seed, -1, this.evaluations++);
    return this.begin({ task, mode, group: "", seed });
  }

  /** @throws {EndpointError} no rollout has the id, or it has ended */
  open(id: string): Rollout {
    const rollout = this.rollouts.get(id);
    if (rollout) return rollout;
    if (this.ended.has(id))
      throw new EndpointError("rollout_ended", "expected an open rollout, but received one that has ended");
    throw notFound(id);
  }

  /** What whoever asked for a rollout needs to play it. */
  invitation({ id, options: { task, mode, group } }: Rollout): object {
    const { apiKey, groupSize } = this.options;
    return {
      id,
      base_url: `${this.url}/rollouts/${id}/v1`,
      model: this.chat.model,
      ...(apiKey !== undefined && { api_key: apiKey }),
      task,
      mode,
      ...(mode === "train" && { group, n_samples: groupSize }),
    };
  }

  /** @throws {EndpointError} */
  describe(id: string): object {
    const rollout = this.rollouts.get(id);
    const description = rollout ? describe(rollout) : this.ended.get(id);
    if (description) return description;
    throw notFound(id);
  }

  status(): object {
    const { free, waiting, groups } = this.desk.statistics;
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

  /** All who wait are answered, all rollouts end. */
  async close(): Promise<void> {
    if (this.isClosed) return;
    this.isClosed = true;
    const error = closed();
    this.desk.close(error);
    for (const rollout of [...this.rollouts.values()]) {
      rollout.fail({ class: "agent", code: "ROLLOUT_STOPPED", message: error.message }, error);
    }
    // Connections are closed as their last replies are through; whoever does not read its own is not waited for.
    const idle = setInterval(() => this.app.server.closeIdleConnections(), 20);
    const impatient = setTimeout(() => this.app.server.closeAllConnections(), closingMs);
    await this.app.close();
    clearInterval(idle);
    clearTimeout(impatient);
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
    if (rollout.options.mode === "eval") {
      this.counts.evaluated += Number(outcome.failure === undefined);
      this.counts.solved += Number(outcome.solved);
      return;
    }
    this.counts.rows += outcome.rows.length;
    for (const [reason, count] of outcome.dropped) this.dropped[reason] = (this.dropped[reason] ?? 0) + count;
  }
}

function describe(rollout: Rollout): object {
  const { id, tree, outcome, versions, score, options } = rollout;
  const { task, mode, group } = options;
  return {
    id,
    task,
    mode,
    ...(mode === "train" && { group }),
    status: outcome ? (outcome.failure ? "failed" : "ended") : "open",
    calls: tree.calls.map(({ id: call, state, reward }) => ({ id: call, state, reward })),
    reward: score,
    ...(outcome && { solved: outcome.solved, rows: outcome.rows.length, dropped: Object.fromEntries(outcome.dropped) }),
    ...(outcome?.failure && { failure: outcome.failure }),
    ...(versions && { versions }),
  };
}

function notFound(id: string): EndpointError {
  return new EndpointError("rollout_not_found", `expected the id of a rollout, but received ${JSON.stringify(id)}`);
}

function closed(): EndpointError {
  return new EndpointError("endpoint_closed", "expected an endpoint that plays, but received one that has closed");
}
