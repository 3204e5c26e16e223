/**
 * An episode in memory: the state machine between its callers and its slot in a host.
 *
 *     opening ──► running ──► ended (terminated or truncated)
 *                  │   ▲
 *                  ▼   │ replay          any of these ──► closed, by its owner
 *                 parked                 opening, running, parked ──► failed, by the environment
 *
 * A step is accepted (it has a place in the order), then played by the host and logged; then its callers hear of it.
 * `waiting` holds the accepted ones that are not yet logged, oldest first.
 */
import type { AnyEnvironmentSpec, TaskRef } from "../../envs/env.js";
import { type ErrorBody, type ErrorCode, GymError, shown } from "../errors.js";
import { isAdvice } from "../hosts/answer.js";
import { Ended, type Question, queryOf } from "../hosts/protocol.js";
import type { Fault, Slot, SlotListener } from "../hosts/slot.js";
import type { EpisodeRow } from "../log/protocol.js";
import { LogMark } from "./log-mark.js";
import { Losses } from "./losses.js";
import type { EpisodeOrigin, Phase } from "./origin.js";
import { Restore, type RestoreServices } from "./restore.js";
import { type Asker, type StepWaiter, Waiting } from "./waiting.js";

/** What an episode needs of the gym around it. */
export interface EpisodeServices extends RestoreServices {
  /** Counts the episode as live. @throws {GymError} LIMIT_EPISODES, LIMIT_TOKEN_EPISODES */
  admit(episode: Episode): void;
  /** No longer live. */
  release(episode: Episode): void;
  onStepped(episode: Episode, arrivedAt: number): void;
  onFailure(episode: Episode, code: ErrorCode): void;
  /** Accepted steps of all episodes that are not yet logged. */
  inFlight: { steps: number };
  maxPendingSteps: number;
}

/** Hosts in a row that may end under the same step, by no known fault of another, before it is given up. */
const mostLosses = 3;

export class Episode implements SlotListener {
  readonly row: EpisodeRow;
  readonly spec: AnyEnvironmentSpec;
  phase: Phase;
  failure: ErrorBody | null;
  expertUsed: boolean;
  /** Steps in the log. */
  steps: number;
  /** When a call last renewed the lease. */
  touchedAtMs = 0;
  private readonly waiting: Waiting;
  /** Where the instance runs; null while there is none, or a closed one takes its last steps. */
  private slot: Slot | null = null;
  private restore: Restore | null = null;
  /** Since a step was last taken. */
  private readonly losses = new Losses(mostLosses, "a host that takes the step");
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
    this.waiting = new Waiting(services.inFlight);
    this.closeMark = new LogMark(services.log, origin.row.key, "closed", origin.phase === "closed");
    this.expertMark = new LogMark(services.log, origin.row.key, "expert", origin.expertUsed);
  }

  get task(): TaskRef {
    return { split: this.row.split, index: this.row.taskIndex };
  }

  /** Whether an instance runs or is being restored. */
  get live(): boolean {
    return this.slot !== null || this.restore !== null;
  }

  get idle(): boolean {
    return this.waiting.none && this.restore === null;
  }

  /** The index that the next step has to carry. */
  get nextIndex(): number {
    return this.steps + this.waiting.steps.length;
  }

  /** Takes over the slot in which the episode was opened. */
  adopt(slot: Slot): void {
    this.slot = slot;
  }

  /**
   * @param index the caller's count of steps so far. A step taken before, with the same action, gives its stored reply.
   * @param arrivedAt by `performance.now()`
   * The waiter is rejected with STEP_INDEX, STEP_CONFLICT, LIMIT_IN_FLIGHT or whatever ended the episode.
   */
  step(index: number, action: string, waiter: StepWaiter, arrivedAt: number): void {
    if (index < this.nextIndex) return this.repeat(index, action, waiter);
    const refusal = this.refusal() ?? this.checkOrder(index);
    if (refusal) return waiter.reject(refusal);
    this.waiting.addStep(action, waiter, arrivedAt);
    if (this.slot) this.slot.step(action);
    else this.startRestore();
  }

  /** Asks the instance as it is after all steps accepted so far. */
  ask(asker: Asker): void {
    const refusal = this.refusal() ?? this.unable(asker.question);
    if (refusal) return asker.reject(refusal);
    this.waiting.askers.push(asker);
    if (this.slot) this.slot.ask(asker.question);
    else this.startRestore();
  }

  /** Whether a copy of the instance can be had at once. */
  get clonable(): boolean {
    return this.spec.restore === "clone" && this.slot !== null && this.idle && this.phase === "running";
  }

  /**
   * A copy of the instance, in a slot of its own.
   *
   * @param key of the copy's episode
   * @throws {GymError} HOST_FAILED where the instance is gone
   */
  cloneSlot(key: number, listener: SlotListener): Slot {
    if (!this.slot) throw new GymError("HOST_FAILED", "a running instance to copy", "one whose host ended");
    return this.slot.clone(key, listener);
  }

  /** Frees the instance; the next call restores it. */
  park(): void {
    if (this.spec.restore === "none" && this.phase === "running") return this.fail(lost("its lease lapsed"));
    this.releaseSlot();
  }

  /** For ever. Steps that its host was told of are still taken and answered. */
  close(): Promise<void> {
    if (this.phase !== "closed") {
      this.phase = "closed";
      if (this.slot && !this.idle) {
        this.slot.finish();
        this.slot = null;
        this.services.release(this);
      } else {
        this.releaseSlot();
        this.waiting.rejectAll(this.refusal() as GymError);
      }
    }
    return this.closeMark.set();
  }

  onOpened(): void {
    throw new Error("expected an open slot to stay so, but received its opening");
  }

  onReplayed(): void {
    throw new Error("expected no replay in a slot that is played in, but received one");
  }

  onStepped(reply: string, ended: Ended): void {
    const step = this.waiting.shiftStep();
    this.steps += 1;
    this.losses.forget();
    if (ended !== Ended.no) this.end();
    this.services.onStepped(this, step.arrivedAt);
    step.waiter.resolve(reply);
    if (step.others) for (const waiter of step.others) waiter.resolve(reply);
  }

  onAnswered(answer: string | null): void {
    const asker = this.waiting.askers.shift() as Asker;
    const { steps } = this;
    if (!isAdvice(this.spec, asker.question)) return asker.resolve(steps, answer);
    this.expertUsed = true;
    // No advice leaves before the log knows of it.
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

  onFailed(code: ErrorCode, detail: string): void {
    this.fail(new GymError(code, "a step of the environment", detail));
  }

  /** The instance is ahead of the log, which is the truth, so it goes. */
  onUnlogged(error: GymError): void {
    this.dropSlot();
    this.waiting.rejectAll(error);
  }

  onLost(fault: Fault): void {
    this.dropSlot();
    if (this.phase === "closed") this.waiting.rejectAll(this.refusal() as GymError);
    else if (this.spec.restore === "none")
      this.fail(lost(fault instanceof GymError ? `its engine failed: ${fault.message}` : "its host ended"));
    else if (!this.idle) this.tryAgain(fault);
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
    this.services.release(this);
    this.waiting.rejectAll(error);
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

  private unable(question: Question): GymError | null {
    const { spec } = this;
    if (question === "expert")
      return spec.expert ? null : new GymError("EXPERT_MISSING", "an environment with an expert", spec.id);
    if (question === "render")
      return spec.render ? null : new GymError("RENDER_MISSING", "an environment that draws pictures", spec.id);
    return unknownQuery(spec, queryOf(question) as string);
  }

  private repeat(index: number, action: string, waiter: StepWaiter): void {
    const pending = this.waiting.steps[index - this.steps];
    if (!pending) return void this.repeatLogged(index, action, waiter);
    if (pending.action !== action) return waiter.reject(conflict(index, pending.action, action));
    pending.others ??= [];
    pending.others.push(waiter);
  }

  private async repeatLogged(index: number, action: string, waiter: StepWaiter): Promise<void> {
    try {
      const [stored] = await this.services.log.call("readSteps", this.row.key, index, 1);
      if (!stored) waiter.reject(new GymError("LOG_FAILED", `step ${index} in the log`, "none"));
      else if (stored.action !== action) waiter.reject(conflict(index, stored.action, action));
      else waiter.resolve(stored.reply);
    } catch (error) {
      waiter.reject(error as GymError);
    }
  }

  private checkOrder(index: number): GymError | null {
    if (index > this.nextIndex)
      return new GymError("STEP_INDEX", `the step index ${this.nextIndex}`, `${index}`, { nextIndex: this.nextIndex });
    if (this.waiting.steps.length < this.services.maxPendingSteps) return null;
    return new GymError(
      "LIMIT_IN_FLIGHT",
      `at most ${this.services.maxPendingSteps} steps of an episode in flight`,
      "one more",
    );
  }

  /** Its slot has closed itself. */
  private end(): void {
    if (this.phase === "running") this.phase = "ended";
    this.dropSlot();
    this.waiting.rejectAll(this.refusal() as GymError);
  }

  private fail(error: GymError): void {
    this.releaseSlot();
    // What its owner deleted stays deleted, whatever became of its last steps.
    if (this.phase === "closed") return this.waiting.rejectAll(error);
    this.phase = "failed";
    this.failure = error.toBody();
    this.services.onFailure(this, error.code);
    const rejected = this.waiting.takeAll();
    this.services.log.call("mark", this.row.key, "failed", JSON.stringify(this.failure)).then(
      () => rejected(error),
      () => rejected(error),
    );
  }

  private tryAgain(fault: Fault): void {
    const verdict = this.losses.judge(fault);
    if (verdict === "again") return this.startRestore();
    if (!(verdict instanceof GymError)) return this.onFailed(verdict.code, verdict.detail);
    this.losses.forget();
    this.waiting.rejectAll(verdict);
  }

  private startRestore(): void {
    if (this.restore) return;
    if (this.spec.restore === "none") return this.fail(lost("the gym was restarted"));
    try {
      this.services.admit(this);
    } catch (error) {
      return this.waiting.rejectAll(error as GymError);
    }
    this.restore = new Restore(this.row, this.steps, this.services, this);
    this.restore.start();
  }

  private releaseSlot(): void {
    this.restore?.cancel();
    this.slot?.close();
    this.dropSlot();
  }

  /** For a slot that is closed already. */
  private dropSlot(): void {
    if (this.live) this.services.release(this);
    this.restore = null;
    this.slot = null;
  }
}

function conflict(index: number, taken: string, received: string): GymError {
  return new GymError("STEP_CONFLICT", `step ${index} with the action ${shown(taken)}`, shown(received));
}

function unknownQuery({ id, queries = {} }: AnyEnvironmentSpec, query: string): GymError | null {
  if (Object.hasOwn(queries, query)) return null;
  const known = Object.keys(queries).join(", ") || "none";
  return new GymError("QUERY_UNKNOWN", `one of ${id}'s queries: ${known}`, shown(query));
}

function lost(why: string): GymError {
  return new GymError("EPISODE_LOST", "an environment that can be restored", `one that cannot, and ${why}`);
}
