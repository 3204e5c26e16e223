/**
 * A policy that requests the actions of the environment's expert from the gym: an upper bound, and a source of episodes
 * to clone.
 */
import type { ActionFormat } from "../../server/formats/actions/action-format.js";
import { type Conversation, type Opening, type Policy, PolicyError } from "./policy.js";
import { writtenReply } from "./written-reply.js";

/**
 * Policy that writes the expert's actions in the action format, without thoughts, so that its episodes can be cloned.
 */
export class ExpertPolicy implements Policy {
  readonly name = "expert";

  /** @param format action format of conversations whose opening has none */
  constructor(private readonly format: ActionFormat) {}

  converse({ played, tools, expert, format = this.format }: Opening): Conversation {
    return {
      reply: async () => {
        if (!expert) {
          const message = `expected an environment with an expert, but received ${played.environment}`;
          throw new PolicyError("EXPERT_MISSING", message, false, { isFatal: true });
        }
        // If no action can earn the reward, empty actions use up the rounds, and the task remains unsolved.
        const action = (await expert()) ?? "";
        return writtenReply(format, action, tools);
      },
      tokens: () => undefined,
      close: () => {},
    };
  }

  async close(): Promise<void> {}
}
