import { GymError } from "../errors.js";
import type { StepWaiter } from "./episode/waiting.js";

/** Limit on the characters of a batch's replies. A message of this length is readable for every client. */
const mostCharacters = 2 ** 24;

/** Budget for the characters of the replies of one batch. */
export class ReplyBudget {
  private characters = 0;

  /**
   * Subtracts `characters` from the budget, and returns whether the budget was large enough. The first reply always
   * counts as fitting.
   */
  take(characters: number): boolean {
    if (this.characters > 0 && this.characters + characters > mostCharacters) return false;
    this.characters += characters;
    return true;
  }

  /** @param remedy clause that states what happened to the entry, and how to get its reply */
  exceeded(remedy: string, details?: Record<string, unknown>): GymError {
    const expected = `replies of at most ${mostCharacters} characters together`;
    return new GymError("BATCH_TOO_LARGE", expected, `more: ${remedy}`, details);
  }
}

/** Collects the outcomes of the steps of one batch. */
export class StepBatch {
  private readonly outcomes: (string | GymError)[];
  private open: number;
  private readonly budget = new ReplyBudget();

  /** @param done receives the outcomes in the order of the requests */
  constructor(
    size: number,
    private readonly done: (outcomes: (string | GymError)[]) => void,
  ) {
    this.outcomes = new Array(size);
    this.open = size;
  }

  /** Returns the waiter for the step at the given index of the batch. */
  waiter(place: number): StepWaiter {
    return new BatchWaiter(this, place);
  }

  settle(place: number, outcome: string | GymError): void {
    this.outcomes[place] = typeof outcome === "string" ? this.bounded(outcome) : this.boundedError(outcome);
    this.open -= 1;
    if (this.open === 0) this.done(this.outcomes);
  }

  private boundedError(error: GymError): GymError {
    if (this.budget.take(JSON.stringify(error.toBody()).length)) return error;
    return this.budget.exceeded(`${error.code}. Repeat the step alone for the whole error`);
  }

  private bounded(reply: string): string | GymError {
    if (this.budget.take(reply.length)) return reply;
    return this.budget.exceeded("the step was taken, and repeating it gives its reply");
  }
}

class BatchWaiter implements StepWaiter {
  constructor(
    private readonly batch: StepBatch,
    private readonly place: number,
  ) {}

  resolve(reply: string): void {
    this.batch.settle(this.place, reply);
  }

  reject(error: GymError): void {
    this.batch.settle(this.place, error);
  }
}
