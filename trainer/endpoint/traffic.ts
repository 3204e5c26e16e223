/**
 * Conversations of a live product, which calls the model without a claim of a rollout. A call opens a conversation, and a
 * reward ends it, perhaps much later. Only then does the conversation take a seat of admission, so no train step waits for
 * a user. A call is never refused because training is behind: a conversation that no train step could use in time is
 * served, and left out of training.
 */
import { randomInt } from "node:crypto";
import type { Generator } from "../../native/api/index.js";
import { counted } from "../../server/formats/counted.js";
import { oldestVersion, type Trajectory } from "../rollout/trajectory.js";
import type { ChatOptions } from "./chat.js";
import { EndpointError } from "./protocol/errors.js";
import type { History, ModelRequest } from "./protocol/protocol.js";
import type { Rewarded, RewardedFiles } from "./rewarded-files.js";
import { Rollout, type RolloutOptions } from "./rollout.js";
import type { TrafficReward } from "./rollout-schemas.js";
import { otherSampling } from "./run-sampling.js";

export interface TrafficOptions {
  readonly chat: ChatOptions;
  readonly generator: Generator;
  readonly trains: boolean;
  readonly solvedReward: number;
  /** Milliseconds without a call after which a conversation without a reward is left out of training. */
  readonly rewardMs: number;
  /** Files of rewarded conversations; undefined if they are not kept. */
  readonly files: RewardedFiles | undefined;
  versionOf(weights: number): number;
  /** Returns whether tokens of a policy version would be too old for the train step that uses the next group. */
  isTooOld(version: number): boolean;
  /** Makes a group of an ended conversation. @returns whether a seat was free */
  fill(task: string, rows: readonly Trajectory[]): boolean;
  say(line: string): void;
}

/**
 * What becomes of a conversation. `open`: more rewards may follow; `accepted`: a train step will use it; `waiting`: it
 * waits for a seat; `stale`: its tokens are too old to learn from; `evaluated`: the endpoint does not train.
 */
export type RewardStatus = "open" | "accepted" | "waiting" | "stale" | "evaluated";

/** Reason why a conversation is left out of training. */
type Masked = "unrewarded" | "forgotten" | "stale";

interface Conversation {
  readonly rollout: Rollout;
  readonly name: string | undefined;
}

/** Maximum number of conversations in memory, ended ones included. The one that was not used for longest is forgotten. */
const mostConversations = 4_096;

export class Traffic {
  private readonly conversations = new Map<Rollout, Conversation>();
  private readonly byName = new Map<string, Rollout>();
  private readonly byCall = new Map<string, Rollout>();
  /** Rewarded conversations without a seat, the oldest first. */
  private readonly waiting: Rewarded[] = [];
  private readonly counts = { rewarded: 0, accepted: 0, evaluated: 0, solved: 0, unrecorded_calls: 0 };
  private readonly masked: Partial<Record<Masked, number>> = {};
  private isClosed = false;

  constructor(private readonly options: TrafficOptions) {}

  get chat(): ChatOptions {
    return this.options.chat;
  }

  /** Prepares a call. @param name name of its conversation; without a name the call is a conversation of its own */
  caller(name: string | undefined) {
    let found: Rollout | undefined;
    const history: History = {
      messagesOf: (id) => {
        found = this.byCall.get(id);
        return found?.tree.messagesOf(id);
      },
    };
    const during = (asked: ModelRequest, call: TrafficCall) => this.during(asked, call, name, found);
    return { history, during };
  }

  /**
   * Rewards a reply, and ends its conversation unless more rewards are to follow.
   *
   * @throws {EndpointError} no reply has the id, or its conversation has ended
   */
  async reward({ id, rollout: name, reward, end, solved }: TrafficReward): Promise<object> {
    const rollout = id === undefined ? this.byName.get(name ?? "") : this.byCall.get(id);
    if (!rollout) throw notFound(id ?? name);
    if (rollout.outcome) throw ended(rollout);
    rollout.reward(reward, { id });
    const status = end ? await this.end(rollout, solved) : "open";
    return { object: "reward", ...(id !== undefined && { id }), rollout: this.nameOf(rollout), reward, status };
  }

  /** Gives free seats to rewarded conversations that wait for one. */
  deliver(): void {
    for (const rewarded of this.waiting.splice(0)) this.place(rewarded);
  }

  /** Queues conversations that an earlier process of the run has rewarded. @returns the number of them that are too old */
  resume(all: readonly Rewarded[]): number {
    const before = this.masked.stale ?? 0;
    for (const rewarded of all) {
      if (this.options.isTooOld(oldestOf(rewarded.rows))) this.leaveOut(rewarded);
      else this.waiting.push(rewarded);
    }
    return (this.masked.stale ?? 0) - before;
  }

  status(): object {
    const all = [...this.conversations.keys()];
    const { counts, masked, waiting } = this;
    const open = all.filter(({ outcome }) => !outcome).length;
    return { open, waiting: waiting.length, ...counts, masked: { ...masked } };
  }

  /** Ends every open conversation. */
  close(): void {
    if (this.isClosed) return;
    this.isClosed = true;
    const open = [...this.conversations.keys()].filter(({ outcome }) => !outcome).length;
    if (open > 0 && this.options.trains) {
      this.options.say(`${counted(open, "conversation")} had no reward when the endpoint closed`);
    }
    const error = closed();
    for (const rollout of this.conversations.keys()) {
      rollout.fail({ class: "agent", code: "ROLLOUT_STOPPED", message: error.message }, error);
    }
  }

  private async during(
    asked: ModelRequest,
    call: TrafficCall,
    name: string | undefined,
    named: Rollout | undefined,
  ): Promise<unknown> {
    if (this.isClosed) throw closed();
    const other = this.options.trains ? otherSampling(asked, this.chat) : [];
    if (other.length > 0) return this.unrecorded(asked, call, other);
    const known = name === undefined ? named : this.byName.get(name);
    const rollout = known && !known.outcome ? known : this.begin(name);
    const done = rollout.during(() => call(rollout, asked, { "x-palestra-rollout": this.nameOf(rollout) }));
    for (const { id } of rollout.tree.calls) this.byCall.set(id, rollout);
    this.touch(rollout);
    try {
      return await done;
    } finally {
      if (name === undefined) rollout.sequences.release();
      if (rollout.tree.calls.every(({ state }) => state !== "done" && state !== "running")) this.forget(rollout);
    }
  }

  /**
   * Serves a call whose sampling differs from the run's, so that the log-probabilities in the loss would not be those of
   * its tokens.
   */
  private async unrecorded(asked: ModelRequest, call: TrafficCall, other: readonly string[]): Promise<unknown> {
    this.counts.unrecorded_calls += 1;
    const rollout = new Rollout({ ...this.rolloutOptions("unrecorded"), mode: "eval" });
    const temperature = asked.sampling.temperature ?? this.chat.temperature;
    const request = { ...asked, sampling: { ...asked.sampling, temperature } };
    const headers = { "x-palestra-unrecorded": other.join(", ") };
    try {
      return await rollout.during(() => call(rollout, request, headers));
    } finally {
      rollout.end();
    }
  }

  private begin(name: string | undefined): Rollout {
    const rollout: Rollout = new Rollout(
      this.rolloutOptions(name ?? "traffic", () => {
        if (rollout.outcome?.failure?.code === "ROLLOUT_EXPIRED") this.mask("unrewarded");
      }),
    );
    this.conversations.set(rollout, { rollout, name });
    if (name !== undefined) this.byName.set(name, rollout);
    const [oldest] = this.conversations.keys();
    if (this.conversations.size > mostConversations && oldest) {
      if (!oldest.outcome) this.mask("forgotten");
      this.forget(oldest);
    }
    return rollout;
  }

  private rolloutOptions(task: string, onEnd: () => void = () => {}): RolloutOptions {
    const { generator, rewardMs, solvedReward, trains, versionOf } = this.options;
    const mode = trains ? "train" : "eval";
    // Users decide what is asked and when, so no run repeats another's draws.
    const seed = randomInt(2 ** 32);
    return { task, mode, group: "", seed, generator, leaseMs: rewardMs, solvedReward, versionOf, onEnd };
  }

  private async end(rollout: Rollout, solved: boolean | undefined): Promise<RewardStatus> {
    rollout.end(solved, { aborts: false });
    const { rows = [], solved: isSolved = false } = rollout.outcome ?? {};
    this.counts.rewarded += 1;
    if (!this.options.trains) {
      this.counts.evaluated += 1;
      this.counts.solved += Number(isSolved);
      return "evaluated";
    }
    const rewarded = { id: rollout.id, task: rollout.options.task, rewardedAt: Date.now(), rows };
    if (this.options.isTooOld(oldestOf(rows))) {
      this.mask("stale");
      return "stale";
    }
    await this.write(rewarded);
    this.deliver();
    return this.place(rewarded);
  }

  private place(rewarded: Rewarded): RewardStatus {
    if (this.options.isTooOld(oldestOf(rewarded.rows))) {
      this.leaveOut(rewarded);
      return "stale";
    }
    if (this.options.fill(rewarded.task, rewarded.rows)) {
      this.counts.accepted += 1;
      return "accepted";
    }
    this.waiting.push(rewarded);
    return "waiting";
  }

  private async write(rewarded: Rewarded): Promise<void> {
    try {
      await this.options.files?.write(rewarded);
    } catch (error) {
      this.options.say(
        `a rewarded conversation is not on the disk, and is lost if the run is killed before the next checkpoint: ${(error as Error).message}`,
      );
    }
  }

  private leaveOut({ id }: Rewarded): void {
    this.mask("stale");
    void this.options.files?.remove([id]).catch((error: Error) => this.options.say(error.message));
  }

  private mask(reason: Masked): void {
    this.masked[reason] = (this.masked[reason] ?? 0) + 1;
  }

  /** Moves a conversation behind all others in the order in which they are forgotten. */
  private touch(rollout: Rollout): void {
    const conversation = this.conversations.get(rollout);
    if (!conversation) return;
    this.conversations.delete(rollout);
    this.conversations.set(rollout, conversation);
  }

  private forget(rollout: Rollout): void {
    const { name } = this.conversations.get(rollout) ?? {};
    this.conversations.delete(rollout);
    for (const { id } of rollout.tree.calls) this.byCall.delete(id);
    if (name !== undefined && this.byName.get(name) === rollout) this.byName.delete(name);
    const message = "The conversation was forgotten.";
    rollout.fail({ class: "agent", code: "ROLLOUT_FORGOTTEN", message }, new EndpointError("rollout_ended", message));
  }

  private nameOf(rollout: Rollout): string {
    return this.conversations.get(rollout)?.name ?? rollout.id;
  }
}

/** Replies to a call. @param headers headers of the reply */
export type TrafficCall = (
  rollout: Rollout,
  asked: ModelRequest,
  headers: Readonly<Record<string, string>>,
) => Promise<unknown>;

function oldestOf(rows: readonly Trajectory[]): number {
  return Math.min(...rows.map((row) => oldestVersion(row) ?? Number.POSITIVE_INFINITY));
}

function notFound(id: string | undefined): EndpointError {
  const received = `${JSON.stringify(id)}. The endpoint knows the last ${mostConversations} conversations since its start`;
  return new EndpointError("call_not_found", `expected the id of a reply, but received ${received}`, "id");
}

function ended({ outcome }: Rollout): EndpointError {
  const why = outcome?.failure ? `is left out of training: ${outcome.failure.message}` : "has ended with a reward";
  return new EndpointError(
    "rollout_ended",
    `The conversation ${why}. To send several rewards, send all but the last with end: false.`,
  );
}

function closed(): EndpointError {
  return new EndpointError("endpoint_closed", "The endpoint is closed.");
}
