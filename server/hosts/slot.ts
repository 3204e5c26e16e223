import type { ErrorCode, GymError } from "../errors.js";
import type { Ended } from "../log/episode-state.js";
import type { HostOutbox } from "./outbox.js";
import type { PlayedStep, Question } from "./protocol.js";

/** Receives the results of a slot, in the order of the commands. */
export interface SlotListener {
  /** @param resetResult JSON text, or "" for a copy */
  onOpened(resetResult: string): void;
  /** Called when the steps of a `replay` were played again and gave the same replies. */
  onReplayed(): void;
  /**
   * Called when the step is in the log. A slot closes itself with a step that ends the episode.
   *
   * @param reply JSON text of the step result
   */
  onStepped(reply: string, ended: Ended): void;
  /**
   * @param answer answer to the oldest question, or null if there is none, for example if the expert finds no way to the
   * reward
   */
  onAnswered(answer: string | null): void;
  /** Called when the slot was finished. */
  onClosed(): void;
  /** Called when the environment failed through its own fault. The slot is closed. */
  onFailed(code: ErrorCode, detail: string): void;
  /** Called when a step was played but could not be logged. Such a step counts as not taken. The slot is closed. */
  onUnlogged(error: GymError): void;
  /**
   * Called when the host or the instance has ended. Commands without an answer count as not performed.
   *
   * @param fault possible part of this slot in the loss
   */
  onLost(fault: Fault): void;
}

/**
 * Cause of a loss from the view of one slot. `none` means that another slot or the gym ended the host. `unknown` means that
 * the cause cannot be told. A Blame is a suspicion against this slot. A GymError says how the machinery beneath the instance
 * failed.
 */
export type Fault = "none" | "unknown" | Blame | GymError;

/** The reason why a host ended. */
export interface Blame {
  code: ErrorCode;
  detail: string;
  /** Whether the running call may be innocent. */
  uncertain?: boolean;
}

/** Base class of listeners to a slot that takes no steps yet. */
export abstract class UnplayedSlotListener implements SlotListener {
  abstract onOpened(resetResult: string): void;
  abstract onFailed(code: ErrorCode, detail: string): void;
  abstract onUnlogged(error: GymError): void;
  abstract onLost(fault: Fault): void;

  onReplayed(): void {
    throw unexpected("replay");
  }

  onStepped(): void {
    throw unexpected("step");
  }

  onAnswered(_answer: string | null): void {
    throw unexpected("answer");
  }

  onClosed(): void {
    throw unexpected("end");
  }
}

function unexpected(result: string): Error {
  return new Error(`The host reported a ${result} for a slot that takes no steps yet.`);
}

/** Services of the host that a slot needs. */
export interface SlotOwner {
  readonly outbox: HostOutbox;
  addSlot(listener: SlotListener): Slot;
  closeSlot(slot: number): void;
}

let nextSlot = 1;

/** An open place in a host: one instance of one environment. The owner of the slot passes it on by changing `listener`. */
export class Slot {
  readonly number = nextSlot++;

  constructor(
    private readonly host: SlotOwner,
    public listener: SlotListener,
  ) {}

  step(action: string): void {
    this.host.outbox.sendStep(this.number, action);
  }

  /** Plays logged steps again. The listener's `onReplayed` receives the answer. */
  replay(history: readonly PlayedStep[]): void {
    this.host.outbox.send({ type: "replay", slot: this.number, history: history.map(playedStep) });
  }

  /** Asks the instance. The listener's `onAnswered` receives the answer. */
  ask(question: Question): void {
    this.host.outbox.send({ type: "ask", slot: this.number, question });
  }

  /**
   * Copies the instance on the same host. The copy is open once its `onOpened` is called, with an empty reset result.
   *
   * @param episode key of the copy's episode in the log
   */
  clone(episode: number, listener: SlotListener): Slot {
    const copy = this.host.addSlot(listener);
    this.host.outbox.send({ type: "clone", slot: this.number, copy: copy.number, episode });
    return copy;
  }

  /**
   * Closes the slot after all earlier commands. The listener still receives the results of those commands, and after them
   * `onClosed`.
   */
  finish(): void {
    this.host.outbox.send({ type: "finish", slot: this.number });
  }

  /** Closes the slot at once. The listener receives no further event. */
  close(): void {
    this.host.closeSlot(this.number);
  }
}

/** Copies only those fields of a logged step that the host needs. */
function playedStep({ action, reply, answers }: PlayedStep): PlayedStep {
  return { action, reply, answers };
}
