import type { GymError } from "../errors.js";
import type { Question } from "../hosts/protocol.js";

/** Whoever waits for a step's reply. Called once, after the step is in the log. */
export interface StepWaiter {
  /** @param reply JSON text of the step result */
  resolve(reply: string): void;
  reject(error: GymError): void;
}

/** Whoever waits for an answer of the instance. */
export interface Asker {
  question: Question;
  /** @param index the steps taken before it; @param answer null where there is none */
  resolve(index: number, answer: string | null): void;
  reject(error: GymError): void;
}

/** A step that is accepted and not yet logged. */
export interface PendingStep {
  action: string;
  /** When it came, by `performance.now()`. */
  arrivedAt: number;
  waiter: StepWaiter;
  /** Who asked for the same step meanwhile. */
  others: StepWaiter[] | null;
}

/** Who waits for an episode, oldest first: for steps that are accepted and not yet logged, and for answers. */
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

  /** The oldest step, which is in the log now. */
  shiftStep(): PendingStep {
    this.inFlight.steps -= 1;
    return this.steps.shift() as PendingStep;
  }

  /** Forgets all of them; they hear why when the returned function is called. */
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
