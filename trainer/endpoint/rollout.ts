/**
 * One rollout of an agent program: its calls, its rewards and its outcome. It fails if the program makes no call until
 * the lease ends.
 */
import { randomUUID } from "node:crypto";
import type { Generator } from "../../native/api/index.js";
import { openAbort } from "../abort.js";
import type { Trajectory, TrajectoryFailure } from "../rollout/trajectory.js";
import { type Call, CallTree, type DropReason } from "./call-tree.js";
import { Lease } from "./lease.js";
import { EndpointError, rolloutEnded } from "./protocol/errors.js";
import { rowsOf } from "./rows.js";
import { KeptSequences } from "./sampling.js";

export interface RolloutOptions {
  readonly task: string;
  readonly mode: "train" | "eval";
  /** Id of the group. */
  readonly group: string;
  /** Seed of the random draws in calls whose request has no seed. */
  readonly seed: number;
  readonly generator: Generator;
  readonly leaseMs: number;
  /** Minimum return of a solved rollout, if the agent does not report whether it is solved. */
  readonly solvedReward: number;
  versionOf(weights: number): number;
  /** Called once, when the rollout ends. */
  onEnd(rollout: Rollout): void;
}

export interface RolloutOutcome {
  /** Rows to learn from; empty if the rollout failed. */
  readonly rows: readonly Trajectory[];
  /** Number of calls that are not learned from, by reason. */
  readonly dropped: ReadonlyMap<DropReason, number>;
  readonly failure?: TrajectoryFailure;
  readonly return: number;
  readonly solved: boolean;
}

export class Rollout {
  readonly id = randomUUID();
  readonly tree = new CallTree();
  readonly sequences: KeptSequences;
  /** Lease of the rollout, which is stopped during calls and after the end. */
  readonly lease: Lease;
  /** Outcome, once the rollout has ended. */
  outcome: RolloutOutcome | undefined;
  /** Number of calls that were refused because they exceed the context. */
  contextExceeded = 0;
  private readonly closing = openAbort();
  private running = 0;

  constructor(readonly options: RolloutOptions) {
    this.sequences = new KeptSequences(options.generator);
    this.lease = new Lease(options.leaseMs, () => this.expire());
    this.lease.renew();
  }

  /** Returns a signal that aborts at the end of the rollout. */
  get signal(): AbortSignal {
    return this.closing.signal;
  }

  /** Sum of all rewards. With several seats it is the mean of their returns, so that a shared reward counts once. */
  get return(): number {
    const { seats } = this;
    return seats.reduce((sum, seat) => sum + this.returnOf(seat), 0) / Math.max(1, seats.length);
  }

  /** Seats that have got a reply; undefined stands for calls without a seat, if there are no others. */
  private get seats(): (string | undefined)[] {
    const seats = new Set(this.tree.calls.filter(({ state }) => state === "done").map(({ seat }) => seat));
    return seats.size > 1 ? [...seats].filter((seat) => seat !== undefined) : [...seats];
  }

  /** Returns the sum of the rewards of a seat, or of the calls without a seat. */
  private returnOf(seat: string | undefined): number {
    return this.tree.calls.filter((call) => call.seat === seat).reduce((sum, { reward }) => sum + reward, 0);
  }

  /** Returns the oldest and newest policy version of the sampled tokens; undefined without sampled tokens. */
  get versions(): { readonly oldest: number; readonly newest: number } | undefined {
    const all = this.tree.calls.flatMap(({ sampled }) => (sampled ? [...sampled.versions] : []));
    if (all.length === 0) return undefined;
    const ordered = all.map((weights) => this.options.versionOf(weights)).sort((a, b) => a - b);
    return { oldest: ordered[0] as number, newest: ordered.at(-1) as number };
  }

  /** Checks that the rollout is open. @throws {EndpointError} it has ended */
  expectOpen(): void {
    if (this.outcome) throw rolloutEnded(this.outcome.failure);
  }

  /** Runs a call, streamed or whole. The lease is renewed after the call. */
  async during<T>(call: () => Promise<T>): Promise<T> {
    this.expectOpen();
    this.running += 1;
    this.lease.stop();
    try {
      return await call();
    } finally {
      this.running -= 1;
      this.renew();
    }
  }

  /** Renews the lease. Called after each request of the agent. */
  renew(): void {
    if (!this.outcome && this.running === 0) this.lease.renew();
  }

  /**
   * Adds a reward to a call, or to the last call of a seat. Several rewards add up. Without an id and a seat, each seat's
   * last call gets it, or the last call of a rollout without seats.
   *
   * @param of id of a finished call, or a seat
   * @throws {EndpointError}
   */
  reward(reward: number, { id, seat }: { id?: string | undefined; seat?: string | undefined } = {}): void {
    this.expectOpen();
    const done = this.tree.calls.filter(({ state }) => state === "done");
    const last = new Map(done.map((call) => [call.seat, call]));
    const named = id === undefined ? last.get(seat) : done.find((each) => each.id === id);
    const rewarded = id === undefined && seat === undefined ? [...last.values()] : [named];
    for (const call of rewarded.length > 0 ? rewarded : [undefined]) {
      if (!call) throw withoutCall(id, seat);
      call.reward += reward;
      call.isRewarded = true;
    }
  }

  /**
   * Ends the rollout; calls in flight are dropped. Has no effect on an ended rollout.
   *
   * @param options.aborts whether calls in flight are aborted; otherwise they are still replied to
   */
  end(solved?: boolean, { aborts = true } = {}): void {
    if (this.outcome) return;
    this.leave(aborts ? new EndpointError("rollout_ended", "The rollout was ended during this call.") : undefined);
    const { return: total, options } = this;
    const { paths, dropped } = this.droppedCalls();
    const isSolved = solved ?? total >= options.solvedReward;
    if (!this.tree.calls.some(({ isRewarded }) => isRewarded)) {
      count(dropped, "unrewarded", new Set(paths.flat()).size);
      const message = "expected a reward before the end, but received none";
      const failure = { class: "agent", code: "ROLLOUT_UNREWARDED", message } as const;
      return this.finish({ rows: [], dropped, failure, return: total, solved: false });
    }
    const rows = [...new Set(this.tree.calls.map(({ seat }) => seat))].flatMap((seat) => {
      const own = paths.filter((path) => path.at(-1)?.seat === seat);
      const ended = { ...this.identity, ...(seat !== undefined && { seat }), return: this.returnOf(seat), paths: own };
      return rowsOf({ ...ended, solved: isSolved }, options.versionOf);
    });
    this.finish({ rows, dropped, return: total, solved: isSolved });
  }

  /**
   * Fails the rollout at the agent's request, without waiting for the lease to end.
   *
   * @throws {EndpointError} the rollout has ended
   */
  giveUp(reason: string | undefined): void {
    this.expectOpen();
    const failure = { class: "agent", code: "ROLLOUT_FAILED", message: reason ?? "the agent gave no reason" } as const;
    this.fail(failure, rolloutEnded(failure));
  }

  /** Fails the rollout, which is then not used for training. Has no effect on an ended rollout. */
  fail(failure: TrajectoryFailure, error: EndpointError): void {
    if (this.outcome) return;
    this.leave(error);
    const { paths, dropped } = this.droppedCalls();
    count(dropped, "failed", new Set(paths.flat()).size);
    this.finish({ rows: [], dropped, failure, return: this.return, solved: false });
  }

  /** Returns the trajectory of a failed rollout, for its group. */
  failed(failure: TrajectoryFailure): Trajectory {
    const none = { tokens: new Int32Array(), mask: new Uint8Array(), logprobs: new Float32Array() };
    const columns = { ...none, versions: new Int32Array(), steps: [] };
    return { ...this.identity, ...columns, status: "failed", failure, return: 0, solved: false };
  }

  private get identity() {
    const { task, group, seed } = this.options;
    return { episodeId: this.id, group, played: { environment: "endpoint", split: task, index: 0, seed } };
  }

  private droppedCalls(): { paths: Call[][]; dropped: Map<DropReason, number> } {
    const { paths, dropped } = this.tree.paths();
    count(dropped, "context_exceeded", this.contextExceeded);
    return { paths, dropped };
  }

  /** Drops the calls in flight. @param error error with which they are aborted, if they are */
  private leave(error: EndpointError | undefined): void {
    this.lease.stop();
    for (const call of this.tree.calls) if (call.state === "running") call.state = "unfinished";
    if (error) this.closing.abort(error);
  }

  private finish(outcome: RolloutOutcome): void {
    this.outcome = outcome;
    this.sequences.release();
    this.options.onEnd(this);
  }

  private expire(): void {
    const message = `the agent did not use it for ${this.options.leaseMs / 1000} s`;
    const failure = { class: "agent", code: "ROLLOUT_EXPIRED", message } as const;
    this.fail(failure, rolloutEnded(failure));
  }
}

function withoutCall(id: string | undefined, seat: string | undefined): EndpointError {
  const whose = seat === undefined ? "this rollout" : `the seat ${seat}`;
  const received = id === undefined ? "a reward before there was any" : JSON.stringify(id);
  const param = id === undefined ? "reward" : "call";
  return new EndpointError("call_not_found", `expected a completion of ${whose}, but received ${received}`, param);
}

function count(counts: Map<DropReason, number>, reason: DropReason, more: number): void {
  if (more > 0) counts.set(reason, (counts.get(reason) ?? 0) + more);
}
