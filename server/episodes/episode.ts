/**
 * An episode in memory: the state machine between its callers, its slot in a host, and the log.
 *
 *     opening ──► running ──► ended (terminated or truncated)
 *                  │   ▲
 *                  ▼   │ replay          any of these ──► closed, by its owner
 *                 parked                 opening, running, parked ──► failed, by the environment
 *
 * A step is accepted (it has a place in the order), computed (the host replied) and logged (its callers hear of it).
 * `pending` holds the accepted ones that are not yet logged, oldest first; the first `computed` of them have a reply.
 */
import type { EnvironmentSpec, TaskRef } from "../../envs/env.js";
import { type ErrorBody, type ErrorCode, GymError, shown } from "../errors.js";
import type { OpenRequest, Slot, SlotListener } from "./host.js";
import { Ended } from "./host-protocol.js";
import type { Log } from "./log.js";
import type { EpisodeRow } from "./log-protocol.js";

export type Phase = "running" | "ended" | "failed" | "closed";

/** Whoever waits for a step's reply. Called once, after the step is in the log. */
export interface StepWaiter {
  /** @param reply JSON text of the step result */
  resolve(reply: string): void;
  reject(error: GymError): void;
}

interface PendingStep {
  index: number;
  action: string;
  reply: string | null;
  waiters: StepWaiter[];
}

/** What an episode needs of the gym around it. */
export interface EpisodeServices {
  log: Log;
  /** Opens a slot. @throws {GymError} HOST_FAILED */
  open(request: OpenRequest, listener: SlotListener): Slot;
  /** Counts the episode as live. @throws {GymError} LIMIT_EPISODES, LIMIT_TOKEN_EPISODES, SERVER_DRAINING */
  admit(episode: Episode): void;
  /** No longer live. */
  release(episode: Episode): void;
  onFailure(episode: Episode, code: ErrorCode): void;
  maxPendingSteps: number;
}

/** What is known of an episode when it is taken into memory. */
export interface EpisodeOrigin {
  row: EpisodeRow;
  spec: EnvironmentSpec;
  steps: number;
  last: { action: string; reply: string } | null;
  phase: Phase;
  failure: ErrorBody | null;
  expertUsed: boolean;
}

/** An episode may itself be what ends its hosts, as with a history larger than their memory. */
const mostLostRestores = 3;

interface AdviceWaiter {
  resolve(advice: { index: number; action: string | null }): void;
  reject(error: GymError): void;
}

export class Episode implements SlotListener {
  readonly row: EpisodeRow;
  readonly spec: EnvironmentSpec;
  phase: Phase;
  failure: ErrorBody | null;
  expertUsed: boolean;
  /** Steps in the log. */
  steps: number;
  /** The newest of them. */
  last: { action: string; reply: string } | null;
  /** When a call last renewed the lease. */
  touchedAtMs = 0;
  private readonly pending: PendingStep[] = [];
  private computed = 0;
  private slot: Slot | null = null;
  /** Whether `slot` has answered that it is open; until then nothing is sent to it. */
  private restoring = false;
  private restores = 0;
  /** Hosts that ended, one after the other, while they restored this episode. */
  private lostRestores = 0;
  private readonly advice: AdviceWaiter[] = [];
  /** Settle once the log knows of it; null while it has not been told, or could not be. */
  private closeLogged: Promise<void> | null;
  private expertLogged: Promise<void> | null;

  constructor(
    origin: EpisodeOrigin,
    private readonly services: EpisodeServices,
  ) {
    this.row = origin.row;
    this.spec = origin.spec;
    this.phase = origin.phase;
    this.failure = origin.failure;
    this.expertUsed = origin.expertUsed;
    this.steps = origin.steps;
    this.last = origin.last;
    this.closeLogged = origin.phase === "closed" ? Promise.resolve() : null;
    this.expertLogged = origin.expertUsed ? Promise.resolve() : null;
  }

  get task(): TaskRef {
    return { split: this.row.split, index: this.row.taskIndex };
  }

  /** Whether an instance runs or is being restored. */
  get live(): boolean {
    return this.slot !== null || this.restoring;
  }

  get idle(): boolean {
    return this.pending.length === 0 && this.advice.length === 0 && !this.restoring;
  }

  /** The index that the next step has to carry. */
  get nextIndex(): number {
    return this.steps + this.pending.length;
  }

  /** Takes over the slot in which the episode was opened. */
  adopt(slot: Slot): void {
    this.slot = slot;
  }

  /**
   * @param index the caller's count of steps so far. A step taken before, with the same action, gives its stored reply.
   * The waiter is rejected with STEP_INDEX, STEP_CONFLICT, LIMIT_IN_FLIGHT or whatever ended the episode.
   */
  step(index: number, action: string, waiter: StepWaiter): void {
    if (index < this.nextIndex) return this.repeat(index, action, waiter);
    const refusal = this.refusal() ?? this.checkOrder(index);
    if (refusal) return waiter.reject(refusal);
    this.pending.push({ index, action, reply: null, waiters: [waiter] });
    if (this.slot && !this.restoring) this.slot.step(action);
    else this.restore();
  }

  /** Asks the expert for the next action after all steps accepted so far. */
  advise(waiter: AdviceWaiter): void {
    const refusal = this.refusal();
    if (refusal) return waiter.reject(refusal);
    if (!this.spec.expert)
      return waiter.reject(new GymError("EXPERT_MISSING", "an environment with an expert", this.spec.id));
    this.advice.push(waiter);
    if (this.slot && !this.restoring) this.slot.advise();
    else this.restore();
  }

  /** Whether a copy of the instance can be had at once. */
  get clonable(): boolean {
    return this.spec.restore === "clone" && this.slot !== null && this.idle && this.phase === "running";
  }

  /** A copy of the instance, in a slot of its own. @throws {GymError} HOST_FAILED where the instance is gone */
  cloneSlot(listener: SlotListener): Slot {
    if (!this.slot) throw new GymError("HOST_FAILED", "a running instance to copy", "one whose host ended");
    return this.slot.clone(listener);
  }

  /** Frees the instance; the next call restores it. */
  park(): void {
    if (this.spec.restore === "none" && this.phase === "running") return this.fail(lost("its lease lapsed"));
    this.releaseSlot();
  }

  /** For ever. What was accepted and not computed is rejected. */
  close(): Promise<void> {
    if (this.phase !== "closed") {
      this.phase = "closed";
      this.releaseSlot();
      this.rejectUncomputed(this.refusal() as GymError);
    }
    this.closeLogged ??= this.services.log.call("mark", this.row.key, "closed", "").catch((error: GymError) => {
      this.closeLogged = null;
      throw error;
    });
    return this.closeLogged;
  }

  onOpened(): void {
    this.restoring = false;
    this.lostRestores = 0;
    for (let i = this.computed; i < this.pending.length; i++) this.slot?.step((this.pending[i] as PendingStep).action);
    for (const _ of this.advice) this.slot?.advise();
  }

  onStepped(reply: string, ended: Ended): void {
    const step = this.pending[this.computed] as PendingStep;
    step.reply = reply;
    this.computed += 1;
    this.services.log.appendStep(this.row.key, step.index, step.action, reply, ended, this.onLogged);
    if (ended === Ended.no) return;
    this.phase = "ended";
    this.slot = null;
    this.services.release(this);
    this.rejectUncomputed(this.refusal() as GymError);
  }

  onAdvised(action: string | null): void {
    const waiter = this.advice.shift();
    const advice = { index: this.steps + this.computed, action };
    this.markExpert().then(
      () => waiter?.resolve(advice),
      (error: GymError) => waiter?.reject(error),
    );
  }

  onFailed(code: ErrorCode, detail: string): void {
    this.fail(new GymError(code, "a step of the environment", detail));
  }

  onLost(): void {
    this.lostRestores += this.restoring ? 1 : 0;
    this.slot = null;
    this.restoring = false;
    this.services.release(this);
    if (this.spec.restore === "none") this.fail(lost("its host ended"));
    else if (this.lostRestores >= mostLostRestores) this.giveUpRestore();
    else if (this.pending.length > this.computed || this.advice.length > 0) this.restore();
  }

  /** For now: what is asked for next tries again. */
  private giveUpRestore(): void {
    this.lostRestores = 0;
    const received = `${mostLostRestores} in turn that ended while they replayed it`;
    this.rejectUncomputed(new GymError("HOST_FAILED", "a host that restores the episode", received));
  }

  /** No advice leaves before the log knows of it. */
  private markExpert(): Promise<void> {
    this.expertUsed = true;
    this.expertLogged ??= this.services.log.call("mark", this.row.key, "expert", "").catch((error: GymError) => {
      this.expertUsed = false;
      this.expertLogged = null;
      throw error;
    });
    return this.expertLogged;
  }

  private repeat(index: number, action: string, waiter: StepWaiter): void {
    const pending = this.pending[index - this.steps];
    if (pending) {
      if (pending.action === action) pending.waiters.push(waiter);
      else waiter.reject(conflict(index, pending.action, action));
    } else if (this.last && index === this.steps - 1) {
      resolveStored(index, this.last, action, waiter);
    } else {
      this.services.log.call("readSteps", this.row.key, index, 1).then(
        ([stored]) => {
          if (stored) resolveStored(index, stored, action, waiter);
          else waiter.reject(new GymError("LOG_FAILED", `step ${index} in the log`, "none"));
        },
        (error: GymError) => waiter.reject(error),
      );
    }
  }

  private checkOrder(index: number): GymError | null {
    if (index > this.nextIndex)
      return new GymError("STEP_INDEX", `the step index ${this.nextIndex}`, `${index}`, { nextIndex: this.nextIndex });
    if (this.pending.length < this.services.maxPendingSteps) return null;
    return new GymError(
      "LIMIT_IN_FLIGHT",
      `at most ${this.services.maxPendingSteps} steps of an episode in flight`,
      "one more",
    );
  }

  /** Why the episode takes no further step, if so. */
  refusal(): GymError | null {
    const { id } = this.row;
    if (this.phase === "running") return null;
    if (this.phase === "closed") return new GymError("EPISODE_CLOSED", "an open episode", `${id}, which was deleted`);
    if (this.phase === "ended") return new GymError("EPISODE_ENDED", "a running episode", `${id}, which has ended`);
    const { code, message } = this.failure as ErrorBody;
    return new GymError("EPISODE_FAILED", "a running episode", `${id}, which failed: ${code}: ${message}`, {
      failure: this.failure,
    });
  }

  // A closure for the episode, not one for each step.
  private readonly onLogged = (error: GymError | null): void => {
    if (error) return this.onUnlogged(error);
    const step = this.pending.shift() as PendingStep;
    const reply = step.reply as string;
    this.computed -= 1;
    this.steps += 1;
    this.last = { action: step.action, reply };
    for (const waiter of step.waiters) waiter.resolve(reply);
  };

  /** The log lost a step that the instance has taken: the instance is ahead of the truth, so it goes. */
  private onUnlogged(error: GymError): void {
    if (this.pending.length === 0) return;
    this.computed = 0;
    const rejected = this.takeUncomputed();
    if (this.phase === "ended") this.phase = "running";
    this.releaseSlot();
    rejected(error);
  }

  private restore(): void {
    if (this.restoring) return;
    try {
      this.services.admit(this);
    } catch (error) {
      return this.rejectUncomputed(error as GymError);
    }
    this.restoring = true;
    this.restores += 1;
    const attempt = this.restores;
    // What released the slot meanwhile has also answered whoever waited for it.
    const given = () => this.restoring && this.restores === attempt;
    this.services.log.call("readSteps", this.row.key, 0, Number.MAX_SAFE_INTEGER).then(
      (history) => given() && this.reopen(history),
      (error: GymError) => given() && this.abandonRestore(error),
    );
  }

  private reopen(history: { action: string; reply: string }[]): void {
    const { environment, seed, maxSteps, opening } = this.row;
    try {
      if (this.spec.restore === "none") throw lost("the gym was restarted");
      this.slot = this.services.open({ environment, task: this.task, seed, maxSteps, opening, history }, this);
    } catch (error) {
      this.abandonRestore(error as GymError);
    }
  }

  private abandonRestore(error: GymError): void {
    this.restoring = false;
    this.services.release(this);
    if (error.code === "EPISODE_LOST") this.fail(error);
    else this.rejectUncomputed(error);
  }

  private fail(error: GymError): void {
    this.phase = "failed";
    this.failure = error.toBody();
    this.services.onFailure(this, error.code);
    this.releaseSlot();
    const rejected = this.takeUncomputed();
    this.services.log.call("mark", this.row.key, "failed", JSON.stringify(this.failure)).then(
      () => rejected(error),
      () => rejected(error),
    );
  }

  private releaseSlot(): void {
    if (this.live) this.services.release(this);
    this.restoring = false;
    this.slot?.close();
    this.slot = null;
  }

  private rejectUncomputed(error: GymError): void {
    this.takeUncomputed()(error);
  }

  /** Takes back what was accepted but not computed, together with the questions to the expert. */
  private takeUncomputed(): (error: GymError) => void {
    const steps = this.pending.splice(this.computed);
    const advice = this.advice.splice(0);
    return (error) => {
      for (const step of steps) for (const waiter of step.waiters) waiter.reject(error);
      for (const waiter of advice) waiter.reject(error);
    };
  }
}

function resolveStored(
  index: number,
  stored: { action: string; reply: string },
  action: string,
  waiter: StepWaiter,
): void {
  if (stored.action === action) waiter.resolve(stored.reply);
  else waiter.reject(conflict(index, stored.action, action));
}

function conflict(index: number, taken: string, received: string): GymError {
  return new GymError("STEP_CONFLICT", `step ${index} with the action ${shown(taken)}`, shown(received));
}

function lost(why: string): GymError {
  return new GymError("EPISODE_LOST", "an environment that can be restored", `one that cannot, and ${why}`);
}
