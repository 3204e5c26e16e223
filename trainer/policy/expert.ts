/** The environment's own expert, asked over the wire: an upper bound, and a source of episodes to clone. */
import type { ActionFormat } from "../actions/action-format.js";
import { type Conversation, type Opening, type Policy, PolicyError } from "./policy.js";
import { writtenReply } from "./written-reply.js";

/** Writes as a model would that thinks nothing, so that what it plays can be cloned as it is. */
export class ExpertPolicy implements Policy {
  readonly name = "expert";

  /** @param format of conversations whose opening names none */
  constructor(private readonly format: ActionFormat) {}

  converse({ played, tools, expert, format = this.format }: Opening): Conversation {
    return {
      reply: async () => {
        if (!expert) {
          const message = `expected an environment with an expert, but received ${played.environment}`;
          throw new PolicyError("EXPERT_MISSING", message, false, { isFatal: true });
        }
        // Where no way leads to the reward it does nothing, until the rounds are used up: a task that it does not solve.
        const action = (await expert()) ?? "";
        return writtenReply(format, action, tools);
      },
      tokens: () => undefined,
      close: () => {},
    };
  }

  async close(): Promise<void> {}
}
