/** The environment's own expert, asked through the gym: an upper bound, and a source of episodes to clone. */
import type { ActionFormat } from "../actions/action-format.js";
import { type Conversation, type Opening, type Policy, PolicyError } from "./policy.js";
import { writtenReply } from "./written-reply.js";

/** Writes replies in the action format, without thoughts, so its episodes can be cloned. */
export class ExpertPolicy implements Policy {
  readonly name = "expert";

  /** @param format action format of conversations whose opening names none */
  constructor(private readonly format: ActionFormat) {}

  converse({ played, tools, expert, format = this.format }: Opening): Conversation {
    return {
      reply: async () => {
        if (!expert) {
          const message = `expected an environment with an expert, but received ${played.environment}`;
          throw new PolicyError("EXPERT_MISSING", message, false, { isFatal: true });
        }
        // If no action leads to the reward, the empty action uses up the rounds: the task stays unsolved.
        const action = (await expert()) ?? "";
        return writtenReply(format, action, tools);
      },
      tokens: () => undefined,
      close: () => {},
    };
  }

  async close(): Promise<void> {}
}
