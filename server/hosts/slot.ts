import type { ErrorCode, GymError } from "../errors.js";
import type { Ended } from "../log/records/episode-state.js";
import type { HostOutbox } from "./outbox.js";
import type { Difference, PlayedStep, Question } from "./protocol.js";

/** Receives the results of a slot, in the order of the commands. */
export interface SlotListener {
  /** @param resetResult JSON text, or "" for a copy */
  onOpened(resetResult: string): void;
  /**
   * Called when the steps of a `replay` were played again and produced the same replies, or when the replay of a proof
   * ended at a difference.
   */
  onReplayed(difference?: Difference): void;
  /**
   * Called when the step is in the log. A step that ends the episode also closes the slot.
   *
   * @param reply JSON text of the step result
   * @param atMs time in the log. See `LoggedStep.atMs`.
   * @param gymMs see `LoggedStep.gymMs`
   */
  onStepped(reply: string, ended: Ended, atMs: number, gymMs: number | undefined): void;
  /**
   * @param answer answer to the oldest open question, or null without an answer, for example if the expert finds no
   *   solution
   */
  onAnswered(answer: string | null): void;
  /** Called when the slot was closed by `finish`. */
  onClosed(): void;
  /**
   * Called when the environment failed and caused the failure itself. The slot is closed.
   *
   * @param trace frames of the environment's code, for people on this machine
   */
  onFailed(code: ErrorCode, detail: string, trace?: string): void;
  /** Called when a step was played but could not be logged. The step counts as not taken. The slot is closed. */
  onUnlogged(error: GymError): void;
  /**
   * Called when the host or the instance has ended. Commands that were not answered count as not performed.
   *
   * @param fault whether this slot may have caused the loss
   */
  onLost(fault: Fault): void;
}

/**
 * Cause of the loss of a host or instance, as reported to one of its slots. `none` means that another slot or the gym
 * ended the host. `unknown` means that the cause cannot be determined. A Blame means that this slot is suspected. A
 * GymError describes a failure of the instance's infrastructure.
 */
export type Fault = "none" | "unknown" | Blame | GymError;

/** Suspected reason why a host ended. */
export interface Blame {
  code: ErrorCode;
  detail: string;
  /** Whether the running call may be innocent. */
  uncertain?: boolean | undefined;
}

/** Base class of listeners for a slot that takes no steps yet. */
export abstract class UnplayedSlotListener implements SlotListener {
  abstract onOpened(resetResult: string): void;
  abstract onFailed(code: ErrorCode, detail: string, trace?: string): void;
  abstract onUnlogged(error: GymError): void;
  abstract onLost(fault: Fault): void;

  onReplayed(_difference?: Difference): void {
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

/**
 * Handle of an open slot in a host, which holds one instance of one environment. To pass the slot on, its owner changes
 * `listener`.
 */
export class Slot {
  readonly number = nextSlot++;

  constructor(
    private readonly host: SlotOwner,
    public listener: SlotListener,
  ) {}

  step(action: string): void {
    this.host.outbox.sendStep(this.number, action);
  }

  /** Plays logged steps again. The result arrives at the listener's `onReplayed`. A difference fails the slot. */
  replay(history: readonly PlayedStep[]): void {
    this.host.outbox.send({ type: "replay", slot: this.number, history: history.map(playedStep) });
  }

  /** Plays logged steps again up to the first difference, which arrives at the listener's `onReplayed`. */
  prove(history: readonly PlayedStep[]): void {
    this.host.outbox.send({ type: "replay", slot: this.number, history: history.map(playedStep), isProof: true });
  }

  /** Asks the instance. The answer arrives at the listener's `onAnswered`. */
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

/** Returns only the fields of a logged step that the host needs. */
function playedStep({ action, reply, answers }: PlayedStep): PlayedStep {
  return { action, reply, answers };
}
