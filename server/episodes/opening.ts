import { type ErrorCode, GymError } from "../errors.js";
import type { Episode } from "./episode.js";
import type { Slot, SlotListener } from "./host.js";

/** Listens to a slot from its opening until an episode, once it is in the log, takes it over. */
export class Opening implements SlotListener {
  private slot: Slot | null = null;
  private lost = false;
  private settle!: { resolve(opening: string): void; reject(error: GymError): void };
  /** JSON text of the reset result; "" for a clone. Rejects with what the environment's reset ended in. */
  readonly opened = new Promise<string>((resolve, reject) => {
    this.settle = { resolve, reject };
  });

  /** @param open sends the command that fills the slot */
  constructor(open: (listener: SlotListener) => Slot) {
    this.slot = open(this);
  }

  /** Gives the slot to `episode`; false where the host ended meanwhile, so that the episode starts out parked. */
  handOver(episode: Episode): boolean {
    if (this.lost || !this.slot) return false;
    this.slot.listener = episode;
    episode.adopt(this.slot);
    return true;
  }

  abandon(): void {
    if (!this.lost) this.slot?.close();
  }

  onOpened(opening: string): void {
    this.settle.resolve(opening);
  }

  onStepped(): void {
    throw new Error("expected no step before the episode is in the log, but received one");
  }

  onAdvised(): void {
    throw new Error("expected no advice before the episode is in the log, but received some");
  }

  onFailed(code: ErrorCode, detail: string): void {
    this.lost = true;
    this.settle.reject(new GymError(code, "the environment to reset", detail));
  }

  onLost(): void {
    this.lost = true;
    this.settle.reject(new GymError("HOST_FAILED", "a host that opens the episode", "one that ended meanwhile"));
  }
}
