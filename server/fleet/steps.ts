/** Takes steps on the gyms that have their episodes. The steps of one episode stay in their order. */
import { isElsewhere } from "../episodes/episode/refusals.js";
import type { StepRequest } from "../episodes/gym.js";
import { StepBatch } from "../episodes/step-batch.js";
import { type ErrorBody, GymError } from "../errors.js";
import { keyOf } from "../log/records/episode-id.js";
import type { FleetMember } from "../log/records/protocol.js";
import type { Call, Operation } from "../operations/operation.js";
import { outcomeText } from "../operations/replies.js";
import type { Owners } from "./owners.js";
import { Parts } from "./parts.js";
import { errorOf } from "./peer-errors.js";
import { StepOrder } from "./step-order.js";

/**
 * Number of characters of an action above which its step may go to another gym by a connection of its own. JSON needs up to
 * six for each.
 */
const fewCharacters = 8_192;

/** Number of characters of a step without its action. */
const otherCharacters = 200;

/** Runs an operation on another gym. */
type Forward = (gym: FleetMember, name: string, call: Call, params: object) => Promise<string>;

export class FleetSteps {
  private readonly order = new StepOrder();

  /** @param operation takes a step on this gym */
  constructor(
    private readonly owners: Owners,
    private readonly operation: Operation,
    private readonly forward: Forward,
  ) {}

  /** Returns the JSON text of the reply to `step`. */
  step(call: Call, step: StepRequest): Promise<string> {
    return this.take(call, step, (gym) => this.forward(gym, "step", call, step));
  }

  /** Returns the JSON text of the reply to `stepMany`. */
  stepMany(call: Call, steps: readonly StepRequest[]): Promise<string> {
    const parts = new Parts<StepRequest, string>(
      async (gym, own) => outcomesIn(await this.forward(gym, "stepMany", call, { steps: own })),
      ({ action }) => 6 * action.length + otherCharacters,
    );
    return new Promise((resolve, reject) => {
      const batch = new StepBatch(steps.length, (outcomes) =>
        resolve(`{"results":[${outcomes.map(outcomeText).join()}]}`),
      );
      for (const [i, step] of steps.entries()) {
        const waiter = batch.waiter(i);
        this.take(call, step, (gym) => parts.add(gym, step)).then(
          (reply) => waiter.resolve(reply),
          (error: Error) => (error instanceof GymError ? waiter.reject(error) : reject(error)),
        );
      }
      // A step that comes after the batch must not overtake it.
      parts.flush();
    });
  }

  private async take(call: Call, step: StepRequest, there: (gym: FleetMember) => Promise<string>): Promise<string> {
    const here = () => this.operation.run(call, step as never);
    const key = keyOf(step.episodeId);
    if (key === null) return here();
    const turn = this.order.enter(key);
    turn.isAlone = step.action.length > fewCharacters;
    let isLost = false;
    try {
      return await this.owners.at({ key, mayRepeat: true, turn, here, there });
    } catch (error) {
      isLost = isElsewhere(error);
      throw error;
    } finally {
      this.order.leave(key, turn, isLost);
    }
  }
}

/** Returns the replies to the steps of a batch of another gym, or their errors. */
function outcomesIn(text: string): (string | Error)[] {
  const { results } = JSON.parse(text) as { results: { error?: ErrorBody }[] };
  return results.map((result) => (result.error ? errorOf(result.error) : JSON.stringify(result)));
}
