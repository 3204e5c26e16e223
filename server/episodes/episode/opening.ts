import { type ErrorCode, GymError } from "../../errors.js";
import { type Fault, type Slot, type SlotListener, UnplayedSlotListener } from "../../hosts/slot.js";
import type { Episode } from "./episode.js";
import { Losses } from "./losses.js";

/** Number of hosts that may end during an opening before the gym stops trying. */
const mostLosses = 5;

/**
 * Opens a slot and listens to its results until an episode takes over the slot. The episode must be in the log before
 * the takeover.
 */
export class Opening extends UnplayedSlotListener {
  private slot: Slot | null = null;
  private isOpen = false;
  private lost = false;
  private readonly losses = new Losses(mostLosses, "opening the episode");
  private settle!: { resolve(resetResult: string): void; reject(error: GymError): void };
  /** JSON text of the reset result, or "" for a clone. Rejects with the error of the reset. */
  readonly opened = new Promise<string>((resolve, reject) => {
    this.settle = { resolve, reject };
  });

  /**
   * @param open sends the command that opens the slot
   * @param gone ends the opening with the signal's reason. An instance that waits for a place then waits no longer
   */
  constructor(
    private readonly open: (listener: SlotListener) => Slot,
    gone?: AbortSignal,
  ) {
    super();
    this.slot = open(this);
    gone?.addEventListener("abort", () => {
      if (this.isOpen || this.lost) return;
      this.slot?.close();
      this.giveUp(gone.reason as GymError);
    });
  }

  /** Makes `episode` the owner of the slot. If the host has ended before, the episode starts parked. */
  handOver(episode: Episode): void {
    if (this.lost || !this.slot) return;
    this.slot.listener = episode;
    episode.adopt(this.slot);
  }

  abandon(): void {
    if (!this.lost) this.slot?.close();
  }

  onOpened(resetResult: string): void {
    this.isOpen = true;
    this.settle.resolve(resetResult);
  }

  onFailed(code: ErrorCode, detail: string, trace?: string): void {
    this.lost = true;
    this.settle.reject(GymError.ofEnvironment(code, "a reset result from the environment", detail, trace));
  }

  onUnlogged(error: GymError): void {
    this.giveUp(error);
  }

  onLost(fault: Fault): void {
    this.slot = null;
    if (this.isOpen) this.lost = true;
    else this.openAgain(fault);
  }

  private openAgain(fault: Fault): void {
    const verdict = this.losses.verdictOn(fault);
    if (verdict instanceof GymError) return this.giveUp(verdict);
    if (verdict !== "again") return this.onFailed(verdict.code, verdict.detail);
    try {
      this.slot = this.open(this);
    } catch (error) {
      this.giveUp(error as GymError);
    }
  }

  private giveUp(error: GymError): void {
    this.lost = true;
    this.settle.reject(error);
  }
}
