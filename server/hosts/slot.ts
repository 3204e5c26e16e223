import type { ErrorCode, GymError } from "../errors.js";
import type { Ended } from "../log/episode-state.js";
import type { HostOutbox } from "./outbox.js";
import type { PlayedStep, Question } from "./protocol.js";

/** Receives the results of a slot, in the order of the commands. */
export interface SlotListener {
  /** @param resetResult JSON text, or "" for a copy */
  onOpened(resetResult: string): void;
  /** The steps of a `replay` were played again and gave the same replies. */
  onReplayed(): void;
  /**
   * The step is in the log. A slot closes itself with a step that ends the episode.
   *
   * @param reply JSON text of the step result
   */
  onStepped(reply: string, ended: Ended): void;
  /** @param answer to the oldest question, or null if there is none, for example if the expert sees no way to the reward */
  onAnswered(answer: string | null): void;
  /** The slot was finished. */
  onClosed(): void;
  /** The environment failed through its own fault. The slot is closed. */
  onFailed(code: ErrorCode, detail: string): void;
  /** A step was played but could not be logged, so it did not happen. The slot is closed. */
  onUnlogged(error: GymError): void;
  /**
   * The host or the instance is gone. Commands without an answer did not happen.
   *
   * @param fault possible part of this slot in the loss
   */
  onLost(fault: Fault): void;
}

/**
 * Cause of a loss from the view of one slot. `none`: another slot or the gym ended the host. `unknown`: the cause cannot be
 * told. A blame is a suspicion against this slot. A GymError says which machinery beneath the instance failed, and how.
 */
export type Fault = "none" | "unknown" | Blame | GymError;

/** The reason why a host ended. */
export interface Blame {
  code: ErrorCode;
  detail: string;
  /** Whether the running call may be innocent. */
  uncertain?: boolean;
}

/** Base of listeners to a slot that takes no steps yet. */
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

/** The host, as a slot needs it. */
export interface SlotOwner {
  readonly outbox: HostOutbox;
  addSlot(listener: SlotListener): Slot;
  closeSlot(slot: number): void;
}

let nextSlot = 1;

/** An open place in a host: one instance of one environment. Its owner passes it on by changing `listener`. */
export class Slot {
  readonly number = nextSlot++;

  constructor(
    private readonly host: SlotOwner,
    public listener: SlotListener,
  ) {}

  step(action: string): void {
    this.host.outbox.sendStep(this.number, action);
  }

  /** Plays logged steps again. Answered by `onReplayed`. */
  replay(history: readonly PlayedStep[]): void {
    this.host.outbox.send({ type: "replay", slot: this.number, history: history.map(playedStep) });
  }

  /** Answered by `onAnswered`. */
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

  /** Closes the slot after all earlier commands. Its listener still hears their results, and then `onClosed`. */
  finish(): void {
    this.host.outbox.send({ type: "finish", slot: this.number });
  }

  /** Closes the slot at once. Its listener hears no more. */
  close(): void {
    this.host.closeSlot(this.number);
  }
}

/** Leaves out the fields of a logged step that the host does not need. */
function playedStep({ action, reply, answers }: PlayedStep): PlayedStep {
  return { action, reply, answers };
}
