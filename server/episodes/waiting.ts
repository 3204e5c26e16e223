import type { GymError } from "../errors.js";
import type { Question } from "../hosts/protocol.js";

/** Waits for a step's reply. The gym calls exactly one of the methods, once. */
export interface StepWaiter {
  /** Called after the step is in the log. @param reply JSON text of the step result */
  resolve(reply: string): void;
  reject(error: GymError): void;
}

/** Waits for an answer of the instance. */
export interface Asker {
  question: Question;
  /** @param index number of steps so far @param answer text of the answer, or null if there is none */
  resolve(index: number, answer: string | null): void;
  reject(error: GymError): void;
}

/** A step that is accepted and not yet logged. */
export interface PendingStep {
  action: string;
  /** Arrival time from `performance.now()`. */
  arrivedAt: number;
  waiter: StepWaiter;
  /** Waiters of repetitions of the same step. */
  others: StepWaiter[] | null;
}

/** The waiters of an episode, oldest first. Some wait for steps that are accepted and not yet logged, others for answers. */
export class Waiting {
  readonly steps: PendingStep[] = [];
  readonly askers: Asker[] = [];

  /** @param inFlight counts the steps of all episodes */
  constructor(private readonly inFlight: { steps: number }) {}

  get none(): boolean {
    return this.steps.length === 0 && this.askers.length === 0;
  }

  addStep(action: string, waiter: StepWaiter, arrivedAt: number): void {
    this.steps.push({ action, arrivedAt, waiter, others: null });
    this.inFlight.steps += 1;
  }

  /** Removes and returns the oldest step, which is now in the log. */
  shiftStep(): PendingStep {
    this.inFlight.steps -= 1;
    return this.steps.shift() as PendingStep;
  }

  /** Removes all waiters. Returns a function that rejects the removed waiters. */
  takeAll(): (error: GymError) => void {
    const steps = this.steps.splice(0);
    const askers = this.askers.splice(0);
    this.inFlight.steps -= steps.length;
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
