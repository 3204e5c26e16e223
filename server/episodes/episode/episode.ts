/**
 * An episode in memory: a state machine that connects its callers with its slot in a host.
 *
 *     running ──► ended      a step terminated or truncated the episode
 *     running ──► failed     the environment failed
 *     any phase ──► closed   the owner deleted the episode
 *
 * A running episode is live while it has an instance or is being restored, and parked otherwise. The next call to a
 * parked episode restores its instance by replay.
 *
 * The episode first accepts a step, which fixes the step's position in the order. The host then plays the step, the log
 * stores it, and its callers get the reply. `waiting` holds the accepted steps that are not yet logged, oldest first.
 */
import type { AnyEnvironmentSpec, TaskRef } from "../../../envs/env.js";
import { type ErrorBody, type ErrorCode, GymError } from "../../errors.js";
import { isAdvice } from "../../hosts/answer.js";
import type { Fault, Slot, SlotListener } from "../../hosts/slot.js";
import { Ended, type Phase } from "../../log/records/episode-state.js";
import type { EpisodeRow } from "../../log/records/protocol.js";
import type { LoggedStep } from "../../log/records/step-page.js";
import type { Account } from "../quotas/account.js";
import { LogMark } from "./log-mark.js";
import { Losses } from "./losses.js";
import type { EpisodeOrigin } from "./origin.js";
import { conflict, conflicting, elsewhere, lost, refusalOf, refusalToAnswer } from "./refusals.js";
import { Restore, type RestoreServices } from "./restore.js";
import { type Asker, type PendingStep, type StepWaiter, Waiting } from "./waiting.js";

export type StepTimes = Pick<LoggedStep, "atMs" | "gymMs">;

/** Services of the gym that an episode needs. */
export interface EpisodeServices extends RestoreServices {
  /** Returns the account that counts the owner's steps and live episodes. */
  accountOf(owner: string): Account;
  onStepped(episode: Episode, step: PendingStep, reply: string, times: StepTimes): void;
  /** Called when the phase has changed, or the instance was freed or restored. */
  onChanged(episode: Episode): void;
  onFailure(episode: Episode, error: GymError): void;
  maxPendingSteps: number;
}

/** Number of hosts that may end one after another during the same step before the gym stops trying the step. */
const mostLosses = 3;

export class Episode implements SlotListener {
  readonly row: EpisodeRow;
  readonly spec: AnyEnvironmentSpec;
  phase: Phase;
  failure: ErrorBody | null;
  expertUsed: boolean;
  /** Number of steps in the log. */
  steps: number;
  /** Time at which a call last renewed the lease, in the time of the table's clock. */
  touchedAtMs = 0;
  /** Whether the episode moves to another gym of the fleet, or has moved. It then takes no further step here. */
  isLeaving = false;
  /** Account that counts the owner's steps and live episodes. */
  readonly account: Account;
  private readonly waiting: Waiting;
  /** Slot of the instance. Null if there is no instance, or while a closed episode takes its last steps. */
  private slot: Slot | null = null;
  private restore: Restore | null = null;
  /** Counts the hosts that were lost since the last logged step. */
  private readonly losses = new Losses(mostLosses, "taking the step");
  private readonly closeMark: LogMark;
  private readonly expertMark: LogMark;

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
    this.account = services.accountOf(origin.row.owner);
    this.waiting = new Waiting(this.account);
    this.closeMark = new LogMark(services.log, origin.row.key, "closed", origin.phase === "closed");
    this.expertMark = new LogMark(services.log, origin.row.key, "expert", origin.expertUsed);
  }

  get task(): TaskRef {
    return { split: this.row.split, index: this.row.taskIndex };
  }

  /** Whether the instance runs or is being restored. */
  get live(): boolean {
    return this.slot !== null || this.restore !== null;
  }

  get idle(): boolean {
    return this.waiting.none && this.restore === null;
  }

  /** Required index of the next step. */
  get nextIndex(): number {
    return this.steps + this.waiting.steps.length;
  }

  /** Becomes the owner of the slot in which the environment was reset. */
  adopt(slot: Slot): void {
    this.slot = slot;
  }

  /**
   * Takes a step. A repeated step gets its stored reply. Rejects the waiter with STEP_INDEX, STEP_CONFLICT,
   * LIMIT_IN_FLIGHT, LIMIT_TOKEN_STEPS or the error that ended the episode.
   *
   * @param index index of the step: the number of earlier steps according to the caller
   * @param arrivedAt time from `performance.now()`
   */
  step(index: number, action: string, waiter: StepWaiter, arrivedAt: number): void {
    if (index < this.nextIndex) return this.repeat(index, action, waiter);
    const refusal = this.refusal() ?? this.checkNew(index);
    if (refusal) return waiter.reject(refusal);
    this.waiting.addStep(action, waiter, arrivedAt);
    if (this.slot) this.slot.step(action);
    else this.startRestore();
  }

  /** Resolves when the steps accepted so far are in the log, or have failed. */
  settled(): Promise<void> {
    const last = this.waiting.steps.at(-1);
    if (!last) return Promise.resolve();
    last.others ??= [];
    const others = last.others;
    return new Promise((resolve) => void others.push({ resolve: () => resolve(), reject: () => resolve() }));
  }

  /** Asks the instance a question, after all steps accepted so far. */
  ask(asker: Asker): void {
    const refusal = this.refusal() ?? refusalToAnswer(this.spec, asker.question);
    if (refusal) return asker.reject(refusal);
    this.waiting.askers.push(asker);
    if (this.slot) this.slot.ask(asker.question);
    else this.startRestore();
  }

  /** Whether the instance can be copied now. */
  get clonable(): boolean {
    return this.spec.restore === "clone" && this.slot !== null && this.idle && this.phase === "running";
  }

  /**
   * Copies the instance into a new slot.
   *
   * @param key key of the copy's episode
   * @throws {GymError} HOST_FAILED if the instance is gone
   */
  cloneSlot(key: number, listener: SlotListener): Slot {
    if (!this.slot) throw GymError.ofState("HOST_FAILED", "The host of the instance ended before the copy.");
    return this.slot.clone(key, listener);
  }

  /** Frees the instance. The next call restores it. @param why see `lost` */
  park(why: string): void {
    if (this.spec.restore === "none" && this.phase === "running") return this.fail(lost(why));
    this.releaseSlot();
    this.services.onChanged(this);
  }

  /** Frees the instance, because another gym of the fleet gets the episode. The episode must be idle. */
  leave(): void {
    this.isLeaving = true;
    this.releaseSlot();
  }

  /**
   * Closes the episode permanently. Steps that were already sent to the host are still played and answered.
   *
   * @throws {GymError} EPISODE_ELSEWHERE
   */
  async close(): Promise<void> {
    if (this.isLeaving) throw elsewhere(this.row.id);
    if (this.phase !== "closed") {
      this.phase = "closed";
      if (this.slot && !this.idle) {
        this.slot.finish();
        this.slot = null;
        this.account.release(this.spec);
      } else {
        this.releaseSlot();
        this.waiting.rejectAll(this.refusal() as GymError);
      }
      this.services.onChanged(this);
    }
    return this.closeMark.set();
  }

  onOpened(): void {
    throw new Error("The host opened a slot that was already open.");
  }

  onReplayed(): void {
    throw new Error("The host reported a replay for a slot that takes new steps.");
  }

  onStepped(reply: string, ended: Ended, atMs: number, gymMs: number | undefined): void {
    const step = this.waiting.shiftStep();
    this.steps += 1;
    this.losses.forget();
    if (ended !== Ended.no) this.end();
    this.services.onStepped(this, step, reply, { atMs, gymMs });
    if (ended !== Ended.no) this.services.onChanged(this);
    step.waiter.resolve(reply);
    if (step.others) for (const waiter of step.others) waiter.resolve(reply);
  }

  onAnswered(answer: string | null): void {
    const asker = this.waiting.askers.shift() as Asker;
    const { steps } = this;
    if (!isAdvice(this.spec, asker.question)) return asker.resolve(steps, answer);
    this.expertUsed = true;
    // The log must have the expert mark before the advice is sent to the caller.
    this.expertMark.set().then(
      () => asker.resolve(steps, answer),
      (error: GymError) => {
        this.expertUsed = false;
        asker.reject(error);
      },
    );
  }

  onClosed(): void {
    this.waiting.rejectAll(this.refusal() as GymError);
  }

  onFailed(code: ErrorCode, detail: string, trace?: string): void {
    this.fail(GymError.ofEnvironment(code, "a step result from the environment", detail, trace));
  }

  /** Drops the instance, which has taken steps that are not in the log. */
  onUnlogged(error: GymError): void {
    this.dropSlot();
    this.waiting.rejectAll(error);
    this.services.onChanged(this);
  }

  onLost(fault: Fault): void {
    this.dropSlot();
    if (this.phase === "closed") this.waiting.rejectAll(this.refusal() as GymError);
    else if (this.spec.restore === "none")
      this.fail(lost(fault instanceof GymError ? `its engine failed: ${fault.message}` : "its host ended."));
    else if (!this.idle) this.tryAgain(fault);
    this.services.onChanged(this);
  }

  onRestored(slot: Slot): void {
    this.restore = null;
    this.slot = slot;
    slot.listener = this;
    for (const { action } of this.waiting.steps) slot.step(action);
    for (const { question } of this.waiting.askers) slot.ask(question);
  }

  onRestoreFailed(error: GymError): void {
    this.restore = null;
    this.account.release(this.spec);
    this.waiting.rejectAll(error);
    this.services.onChanged(this);
  }

  /** Returns the error for a further step, or null if the episode takes steps. */
  refusal(): GymError | null {
    if (this.isLeaving) return elsewhere(this.row.id);
    return refusalOf(this.row.id, this.phase, this.failure);
  }

  private repeat(index: number, action: string, waiter: StepWaiter): void {
    const pending = this.waiting.steps[index - this.steps];
    if (!pending) return void this.repeatLogged(index, action, waiter);
    pending.others ??= [];
    pending.others.push(pending.action === action ? waiter : conflicting(index, pending.action, action, waiter));
  }

  private async repeatLogged(index: number, action: string, waiter: StepWaiter): Promise<void> {
    try {
      const [stored] = await this.services.log.call("readSteps", this.row.key, index, 1);
      if (!stored) waiter.reject(GymError.ofState("LOG_FAILED", `Step ${index} is missing in the log.`));
      else if (stored.action !== action) waiter.reject(conflict(index, stored.action, action));
      else waiter.resolve(stored.reply);
    } catch (error) {
      waiter.reject(error as GymError);
    }
  }

  /** Returns the error for a new step that is out of order or exceeds a limit, or null. */
  private checkNew(index: number): GymError | null {
    if (index > this.nextIndex)
      return new GymError("STEP_INDEX", `the step index ${this.nextIndex}`, `${index}`, { nextIndex: this.nextIndex });
    const { maxPendingSteps } = this.services;
    if (this.waiting.steps.length < maxPendingSteps) return this.account.stepRefusal();
    return GymError.ofState(
      "LIMIT_IN_FLIGHT",
      `The episode has reached its limit of ${maxPendingSteps} steps in flight.`,
    );
  }

  /** Handles the last step. No command is needed, because the slot has closed itself. */
  private end(): void {
    if (this.phase === "running") this.phase = "ended";
    this.dropSlot();
    this.waiting.rejectAll(this.refusal() as GymError);
  }

  private fail(error: GymError): void {
    this.releaseSlot();
    // A deleted episode stays deleted even if one of its last steps fails.
    if (this.phase === "closed") return this.waiting.rejectAll(error);
    this.phase = "failed";
    this.failure = error.toBody();
    this.services.onFailure(this, error);
    this.services.onChanged(this);
    const rejected = this.waiting.takeAll();
    this.services.log.call("mark", this.row.key, "failed", JSON.stringify(this.failure)).then(
      () => rejected(error),
      () => rejected(error),
    );
  }

  private tryAgain(fault: Fault): void {
    const verdict = this.losses.verdictOn(fault);
    if (verdict === "again") return this.startRestore();
    if (!(verdict instanceof GymError)) return this.onFailed(verdict.code, verdict.detail);
    this.losses.forget();
    this.waiting.rejectAll(verdict);
  }

  private startRestore(): void {
    if (this.restore) return;
    if (this.spec.restore === "none") return this.fail(lost("the gym was restarted."));
    try {
      this.account.admit(this.spec, true);
    } catch (error) {
      return this.waiting.rejectAll(error as GymError);
    }
    this.restore = new Restore(this.row, this.steps, this.services, this);
    this.restore.start();
    this.services.onChanged(this);
  }

  private releaseSlot(): void {
    this.restore?.cancel();
    this.slot?.close();
    this.dropSlot();
  }

  /** Drops the reference to a slot that is already closed. */
  private dropSlot(): void {
    if (this.live) this.account.release(this.spec);
    this.restore = null;
    this.slot = null;
  }
}
