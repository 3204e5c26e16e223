import { type ErrorCode, GymError } from "../../errors.js";
import type { OpenRequest, PlayedStep } from "../../hosts/protocol.js";
import { type Fault, type Slot, type SlotListener, UnplayedSlotListener } from "../../hosts/slot.js";
import type { Log } from "../../log/log.js";
import type { EpisodeRow } from "../../log/records/protocol.js";
import { Losses } from "./losses.js";
import { readResetResult } from "./results.js";
import { openRequestOf } from "./settings.js";

/**
 * Number of hosts that may end during a restore before the gym stops trying. After that, the episode itself is the
 * likely cause.
 */
const mostLosses = 3;

/**
 * Limit on the characters of actions and replies in one chunk of a replay. The replay is split into chunks, because the
 * whole history may be larger than memory.
 */
const chunkCharacters = 2 ** 22;

export interface RestoreServices {
  log: Log;
  /** @throws {GymError} HOST_FAILED, SERVER_DRAINING */
  open(request: OpenRequest, listener: SlotListener): Slot;
}

export interface RestoreListener {
  /** Called when the slot has reached the state of the episode. The listener owns the slot from then on. */
  onRestored(slot: Slot): void;
  /** Called when the restore failed and a later attempt may succeed. */
  onRestoreFailed(error: GymError): void;
  /** Called when the environment failed, so that the episode cannot be restored. */
  onFailed(code: ErrorCode, detail: string, trace?: string): void;
}

/**
 * Rebuilds the instance of an episode by replay. The restore opens a slot with the logged task and seed, and plays the
 * logged actions again in chunks. The reset result and the replies must be identical to the logged texts, byte for
 * byte.
 */
export class Restore extends UnplayedSlotListener {
  private slot: Slot | null = null;
  private replayed = 0;
  private readonly losses = new Losses(mostLosses, "restoring the episode");
  private over = false;

  /** @param steps number of steps in the log */
  constructor(
    private readonly row: EpisodeRow,
    private readonly steps: number,
    private readonly services: RestoreServices,
    private readonly listener: RestoreListener,
  ) {
    super();
  }

  start(): void {
    this.replayed = 0;
    this.slot = null;
    readResetResult(this.services.log, this.row).then(
      (resetResult) => !this.over && this.open(resetResult),
      (error: GymError) => !this.over && this.giveUp(error),
    );
  }

  cancel(): void {
    this.over = true;
    this.slot?.close();
  }

  onOpened(): void {
    if (this.steps === 0) this.finish();
  }

  override onReplayed(): void {
    if (this.replayed === this.steps) this.finish();
    else this.replayMore(this.slot as Slot);
  }

  onFailed(code: ErrorCode, detail: string, trace?: string): void {
    this.over = true;
    this.listener.onFailed(code, detail, trace);
  }

  onUnlogged(error: GymError): void {
    this.giveUp(error);
  }

  onLost(fault: Fault): void {
    const verdict = this.losses.verdictOn(fault);
    if (verdict === "again") this.start();
    else if (verdict instanceof GymError) this.giveUp(verdict);
    else this.onFailed(verdict.code, verdict.detail);
  }

  private open(resetResult: string): void {
    try {
      this.slot = this.services.open(openRequestOf(this.row, resetResult), this);
    } catch (error) {
      return this.giveUp(error as GymError);
    }
    if (this.steps > 0) this.replayMore(this.slot);
  }

  private replayMore(slot: Slot): void {
    const { row, replayed, steps } = this;
    const read = this.services.log.call("readSteps", row.key, replayed, steps - replayed, chunkCharacters);
    const given = () => !this.over && this.slot === slot;
    read.then(
      (history) => given() && this.replay(slot, history),
      (error: GymError) => given() && this.giveUp(error),
    );
  }

  private replay(slot: Slot, history: PlayedStep[]): void {
    if (history.length === 0)
      return this.giveUp(GymError.ofState("LOG_FAILED", `Step ${this.replayed} is missing in the log.`));
    this.replayed += history.length;
    slot.replay(history);
  }

  private finish(): void {
    this.over = true;
    this.listener.onRestored(this.slot as Slot);
  }

  private giveUp(error: GymError): void {
    this.over = true;
    this.slot?.close();
    this.listener.onRestoreFailed(error);
  }
}
