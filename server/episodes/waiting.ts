import type { GymError } from "../errors.js";

/** Whoever waits for a step's reply. Called once, after the step is in the log. */
export interface StepWaiter {
  /** @param reply JSON text of the step result */
  resolve(reply: string): void;
  reject(error: GymError): void;
}

/** Whoever waits for the expert's next action. */
export interface AdviceWaiter {
  resolve(advice: { index: number; action: string | null }): void;
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

/** Who waits for an episode, oldest first: for steps that are accepted and not yet logged, and for the expert. */
export class Waiting {
  readonly steps: PendingStep[] = [];
  readonly advice: AdviceWaiter[] = [];

  /** @param inFlight counts the steps of all episodes */
  constructor(private readonly inFlight: { steps: number }) {}

  get none(): boolean {
    return this.steps.length === 0 && this.advice.length === 0;
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
    const advice = this.advice.splice(0);
    this.inFlight.steps -= steps.length;
    return (error) => {
      for (const { waiter, others } of steps) {
        waiter.reject(error);
        for (const other of others ?? []) other.reject(error);
      }
      for (const waiter of advice) waiter.reject(error);
    };
  }

  rejectAll(error: GymError): void {
    this.takeAll()(error);
  }
}
