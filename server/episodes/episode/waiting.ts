import type { GymError } from "../../errors.js";
import type { Question } from "../../hosts/protocol.js";
import type { Account } from "../quotas/account.js";

/** Waits for a step's reply. The gym calls exactly one of the methods, and calls it once. */
export interface StepWaiter {
  /** Called after the step is in the log. @param reply JSON text of the step result */
  resolve(reply: string): void;
  reject(error: GymError): void;
}

/** Waits for the instance's answer to a question. */
export interface Asker {
  question: Question;
  /** @param index number of steps so far @param answer text of the answer, or null if there is none */
  resolve(index: number, answer: string | null): void;
  reject(error: GymError): void;
}

/** Step that was accepted and is not yet logged. */
export interface PendingStep {
  action: string;
  /** Arrival time from `performance.now()`. */
  arrivedAt: number;
  waiter: StepWaiter;
  /** Waiters of repeated requests for the same step. */
  others: StepWaiter[] | null;
}

/**
 * The waiters of an episode, from oldest to newest. They wait for steps that are accepted and not yet logged, or for
 * answers.
 */
export class Waiting {
  readonly steps: PendingStep[] = [];
  readonly askers: Asker[] = [];

  /** @param account counts the steps of the episode's owner */
  constructor(private readonly account: Account) {}

  get none(): boolean {
    return this.steps.length === 0 && this.askers.length === 0;
  }

  addStep(action: string, waiter: StepWaiter, arrivedAt: number): void {
    this.steps.push({ action, arrivedAt, waiter, others: null });
    this.account.stepBegun();
  }

  /** Removes and returns the oldest step, which is now in the log. */
  shiftStep(): PendingStep {
    this.account.stepLogged();
    return this.steps.shift() as PendingStep;
  }

  /** Removes all waiters, and returns a function that rejects them. */
  takeAll(): (error: GymError) => void {
    const steps = this.steps.splice(0);
    const askers = this.askers.splice(0);
    this.account.stepsDropped(steps.length);
    return (error) => {
      for (const { waiter, others } of steps) {
        waiter.reject(error);
        for (const other of others ?? []) other.reject(error);
      }
      for (const asker of askers) asker.reject(error);
    };
  }

  rejectAll(error: GymError): void {
    this.takeAll()(error);
  }
}
