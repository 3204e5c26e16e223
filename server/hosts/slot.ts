import type { ErrorCode, GymError } from "../errors.js";
import type { Host } from "./host.js";
import { Command, type Ended, type PlayedStep, type Question } from "./protocol.js";

/** What becomes of a slot. Calls come in the order of the commands. */
export interface SlotListener {
  /** @param opening JSON text of the reset result, "" for a copy */
  onOpened(opening: string): void;
  /** The steps of a `replay` were played again and gave the same. */
  onReplayed(): void;
  /**
   * The step is in the log. A slot whose step ended the episode is closed by itself.
   *
   * @param reply JSON text of the step result
   */
  onStepped(reply: string, ended: Ended): void;
  /** @param answer to the oldest question; null where there is none, as where the expert sees no way to the reward */
  onAnswered(answer: string | null): void;
  /** `finish` is done. */
  onClosed(): void;
  /** The environment failed by its own fault; the slot is closed. */
  onFailed(code: ErrorCode, detail: string): void;
  /** A step was played and could not be logged, so it did not happen; the slot is closed. */
  onUnlogged(error: GymError): void;
  /**
   * The host is gone, or the instance in it. What was commanded and not answered did not happen.
   *
   * @param fault what this slot may have had to do with it
   */
  onLost(fault: Fault): void;
}

/**
 * `none`: another slot ended the host, or the gym did. `unknown`: nobody can tell. A blame is a suspicion. An error says
 * what the instance ran on and how that failed.
 */
export type Fault = "none" | "unknown" | Blame | GymError;

/** Why a host ended. */
export interface Blame {
  code: ErrorCode;
  detail: string;
  /** Whether the running call may be innocent. */
  uncertain?: boolean;
}

/** Listens to a slot that nobody plays in yet. */
export abstract class UnplayedSlotListener implements SlotListener {
  abstract onOpened(opening: string): void;
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
  return new Error(`expected no ${result} of a slot that nobody plays in yet, but received one`);
}

let nextSlot = 1;

/** An open place in a host: one instance of one environment. Whoever owns it may pass it on by changing `listener`. */
export class Slot {
  readonly number = nextSlot++;

  constructor(
    private readonly host: Host,
    public listener: SlotListener,
  ) {}

  step(action: string): void {
    this.host.outbox.sendStep(this.number, action);
  }

  /** Plays logged steps again; the answer is `onReplayed`. */
  replay(history: readonly PlayedStep[]): void {
    this.host.outbox.sendReplay(this.number, history);
  }

  /** The answer is `onAnswered`. */
  ask(question: Question): void {
    this.host.outbox.send(Command.ask, this.number, question);
  }

  /**
   * A copy of the instance on the same host. It is open when `onOpened` comes, with an empty opening.
   *
   * @param episode the copy's key in the log
   */
  clone(episode: number, listener: SlotListener): Slot {
    const copy = this.host.addSlot(listener);
    this.host.outbox.send(Command.clone, this.number, copy.number, episode);
    return copy;
  }

  /** Closes the slot after all that was commanded; its listener still hears of that, and then `onClosed`. */
  finish(): void {
    this.host.outbox.send(Command.finish, this.number);
  }

  /** Closes the slot; its listener hears no more of it. */
  close(): void {
    this.host.closeSlot(this.number);
  }
}
