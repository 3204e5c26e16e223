import { type ErrorCode, GymError } from "../errors.js";
import { type Fault, type Slot, type SlotListener, UnplayedSlotListener } from "../hosts/slot.js";
import type { Episode } from "./episode.js";
import { Losses } from "./losses.js";

/** Hosts that may end under an opening, by no known fault of another, before it is given up. */
const mostLosses = 5;

/** Listens to a slot from its opening until an episode, once it is in the log, takes it over. */
export class Opening extends UnplayedSlotListener {
  private slot: Slot | null = null;
  private isOpen = false;
  private lost = false;
  private readonly losses = new Losses(mostLosses, "a host that opens the episode");
  private settle!: { resolve(opening: string): void; reject(error: GymError): void };
  /** JSON text of the reset result; "" for a clone. Rejects with what the environment's reset ended in. */
  readonly opened = new Promise<string>((resolve, reject) => {
    this.settle = { resolve, reject };
  });

  /** @param open sends the command that fills the slot */
  constructor(private readonly open: (listener: SlotListener) => Slot) {
    super();
    this.slot = open(this);
  }

  /** Gives the slot to `episode`. Where the host ended meanwhile there is none, and the episode starts out parked. */
  handOver(episode: Episode): void {
    if (this.lost || !this.slot) return;
    this.slot.listener = episode;
    episode.adopt(this.slot);
  }

  abandon(): void {
    if (!this.lost) this.slot?.close();
  }

  onOpened(opening: string): void {
    this.isOpen = true;
    this.settle.resolve(opening);
  }

  onFailed(code: ErrorCode, detail: string): void {
    this.lost = true;
    this.settle.reject(new GymError(code, "the environment to reset", detail));
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
    const verdict = this.losses.judge(fault);
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
