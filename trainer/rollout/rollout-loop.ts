/**
 * The rollout loop: takes tasks from a source as admission allows, plays them, and puts the groups into the buffer.
 * Each running group has a reserved place in the buffer, so every finished group can be added at once.
 */

import { counted } from "../../server/formats/counted.js";
import { openAbort } from "../abort.js";
import { TrainerError } from "../errors.js";
import type { Admission } from "./admission.js";
import { type BufferStatistics, RolloutBuffer } from "./buffer.js";
import { bySeat, episodesOf, type Group, type TrajectoryFailure } from "./trajectory.js";

export interface TaskSource<Task> {
  /** Takes the next task; undefined if no tasks are left. */
  next(): Task | undefined;
  /** Returns a task that was not played to its end. */
  giveBack(task: Task): void;
}

/** A group that was played and will not be learned from. */
export interface LeftOut {
  readonly group: Group;
  readonly reason: LeftOutReason;
}

/**
 * Reason why a group is left out. `failed`: too few trajectories are left after failures; `filtered`: `keeps` refused
 * the group.
 */
export type LeftOutReason = "failed" | "filtered";

export interface RolloutLoopOptions<Task> {
  readonly source: TaskSource<Task>;
  readonly admission: Admission;
  /** Maximum number of groups that wait to be learned from. Default: (eta + 1) B, the number that admission allows. */
  readonly bufferCapacity?: number;
  /** Plays a group. Rejects with the signal's reason if the signal aborts. Any other rejection ends the loop. */
  play(task: Task, signal: AbortSignal): Promise<Group>;
  /**
   * Returns whether a group is to be learned from. Refused groups are counted and replaced. Default: all groups are
   * kept.
   */
  keeps?(group: Group): boolean;
  onLeftOut?(group: Group, reason: LeftOutReason): void;
  /** Minimum number of episodes that a group must have after failures. Default 1; baselines over a group need 2. */
  readonly leastSurvivors?: number;
  /** Number of groups in a row without a trajectory after which the loop fails. Default 64. */
  readonly mostFailuresInARow?: number;
  /**
   * Number of filtered groups in a row after which the loop fails, since the policy learns nothing from the tasks.
   * Default 1000.
   */
  readonly mostFilteredInARow?: number;
}

export interface RolloutLoopStatistics {
  readonly version: number;
  readonly running: number;
  readonly accepted: number;
  /** Number of groups with too few trajectories after failures. */
  readonly failed: number;
  /** Number of groups that `keeps` refused. */
  readonly filtered: number;
  /** Number of groups that a stop interrupted; their tasks were given back. */
  readonly aborted: number;
  readonly buffer: BufferStatistics;
}

export class RolloutLoop<Task> {
  private readonly buffer: RolloutBuffer;
  private state: "paused" | "running" | "stopped" = "paused";
  private exhausted = false;
  /** Running groups, with the version of the weights at which each started. */
  private readonly inFlight = new Map<AbortController, number>();
  private readonly idlers: (() => void)[] = [];
  private failed = 0;
  private failedInARow = 0;
  private filtered = 0;
  private filteredInARow = 0;
  private aborted = 0;

  constructor(private readonly options: RolloutLoopOptions<Task>) {
    const { admission } = options;
    const { batchSize, maxHeadOffpolicyness } = admission.options;
    const capacity = options.bufferCapacity ?? (maxHeadOffpolicyness + 1) * batchSize;
    if (capacity < batchSize) {
      const expected = `a buffer for at least ${counted(batchSize, "group")}, as many as a train step has`;
      throw new RangeError(`expected ${expected}, but received a buffer for ${capacity}`);
    }
    const isHeld = (rest: readonly number[]) => !admission.leavesTime([...rest, ...this.inFlight.values()]);
    this.buffer = new RolloutBuffer({ capacity, isHeld });
    this.buffer.advance(admission.version);
  }

  get statistics(): RolloutLoopStatistics {
    const { failed, filtered, aborted } = this;
    const { version, running, accepted } = this.options.admission;
    return { version, running, accepted, failed, filtered, aborted, buffer: this.buffer.statistics };
  }

  /** Starts the loop, or resumes it after a pause. */
  resume(): void {
    if (this.state === "stopped") throw new RangeError("The rollout loop is stopped.");
    this.state = "running";
    this.fill();
  }

  /**
   * Takes the next `count` groups; fewer groups if no tasks are left or the loop was stopped. Waits for running groups that
   * the batches after this one could not take before they are too old. Dropping them would favor short episodes.
   *
   * @throws {TrainerError} ROLLOUTS_FAILED; errors of `play`; the signal's reason
   */
  async take(count: number, signal?: AbortSignal): Promise<Group[]> {
    const groups = await this.buffer.take(count, signal);
    this.fill();
    return groups;
  }

  /** Starts no new groups; running groups continue. */
  pause(): void {
    if (this.state === "running") this.state = "paused";
  }

  /** Resolves once no group is running. */
  async idle(): Promise<void> {
    if (this.inFlight.size > 0) await new Promise<void>((resolve) => this.idlers.push(resolve));
  }

  /**
   * Stops the loop permanently and resolves once no group is running. With `abort`, running groups are interrupted and
   * their tasks are given back. Groups in the buffer are kept.
   */
  async stop({ abort = false } = {}): Promise<void> {
    this.state = "stopped";
    if (abort) for (const controller of this.inFlight.keys()) controller.abort(new Error("the rollouts were stopped"));
    await this.idle();
    this.buffer.end();
  }

  /** Sets the version of the weights. */
  advance(version: number): void {
    this.options.admission.advance(version);
    this.buffer.advance(version);
    this.fill();
  }

  private fill(): void {
    const { buffer } = this;
    const { source, admission } = this.options;
    while (this.state === "running" && !this.exhausted) {
      if (admission.capacity < 1 || buffer.size + this.inFlight.size >= buffer.capacity) return;
      const task = source.next();
      if (task === undefined) this.exhausted = true;
      else void this.run(task);
    }
    if (this.exhausted && this.inFlight.size === 0) buffer.end();
  }

  private async run(task: Task): Promise<void> {
    const { source, admission, play } = this.options;
    const controller = openAbort();
    const begun = admission.version;
    this.inFlight.set(controller, begun);
    admission.begin();
    try {
      const group = await play(task, controller.signal);
      this.inFlight.delete(controller);
      const refusal = this.refusalOf(group);
      if (refusal === undefined) {
        admission.accept();
        this.buffer.put(group, begun);
      } else {
        admission.reject();
        this.options.onLeftOut?.(group, refusal);
      }
    } catch (error) {
      this.inFlight.delete(controller);
      admission.reject();
      source.giveBack(task);
      if (controller.signal.aborted) this.aborted += 1;
      else this.fail(error);
    }
    if (this.inFlight.size === 0) for (const resolve of this.idlers.splice(0)) resolve();
    this.fill();
    this.buffer.serve();
  }

  private refusalOf(group: Group): LeftOutReason | undefined {
    const { keeps, leastSurvivors = 1 } = this.options;
    this.countFailures(group);
    if (survivorsOf(group) < leastSurvivors) {
      this.failed += 1;
      return "failed";
    }
    if (!keeps || keeps(group)) {
      this.filteredInARow = 0;
      return undefined;
    }
    this.filtered += 1;
    this.countFiltered();
    return "filtered";
  }

  private countFailures({ trajectories, failed }: Group): void {
    const { mostFailuresInARow = 64 } = this.options;
    this.failedInARow = trajectories.length > 0 ? 0 : this.failedInARow + 1;
    if (this.failedInARow < mostFailuresInARow) return;
    const expected = `a group that succeeds, but received ${counted(this.failedInARow, "failed group")} in a row`;
    this.fail(new TrainerError("ROLLOUTS_FAILED", `expected ${expected}${reason(failed.at(-1)?.failure)}`));
  }

  private countFiltered(): void {
    this.filteredInARow += 1;
    if (this.filteredInARow < (this.options.mostFilteredInARow ?? 1_000)) return;
    const expected = `a group that the algorithm learns from, but received ${counted(this.filteredInARow, "filtered group")} in a row`;
    this.fail(
      new TrainerError(
        "ROLLOUTS_FAILED",
        `expected ${expected}. Tasks that are always or never solved have no gradient. Choose other tasks.`,
      ),
    );
  }

  /** Ends the loop: callers that wait for a batch receive the error, and running groups are aborted. */
  private fail(error: unknown): void {
    this.state = "stopped";
    for (const controller of this.inFlight.keys()) controller.abort(error);
    this.buffer.fail(error);
  }
}

/** Returns the number of episodes that can be compared with each other: of one seat, if there are seats. */
function survivorsOf(group: Group): number {
  return Math.max(0, ...bySeat(group).map(({ trajectories }) => episodesOf(trajectories).length));
}

function reason(failure: TrajectoryFailure | undefined): string {
  return failure ? `, the last with ${failure.code}: ${failure.message}` : "";
}
