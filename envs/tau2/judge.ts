/** The LLM judge of assertions in natural language. */
import { ServiceFailed } from "../errors.js";
import { askJudge, JudgeFailed, judgeSettings } from "../shared/llm-judge/llm-judge.js";
import type { Message } from "./episode/message.js";

/** Whether an LLM judge is configured. */
export function hasJudge(): boolean {
  return Boolean(process.env.PALESTRA_JUDGE_URL);
}

/** Asks the LLM judge at PALESTRA_JUDGE_URL whether an assertion holds in a conversation. @throws {ServiceFailed} */
export async function holds(assertion: string, messages: readonly Message[], signal: AbortSignal): Promise<boolean> {
  try {
    const said = await askJudge(judgeSettings(process.env), question(assertion, messages), signal);
    const word = /\b(unmet|met)\b/i.exec(said)?.[1]?.toLowerCase();
    if (word === undefined)
      throw new JudgeFailed(`expected the LLM judge's reply to contain met or unmet, but received ${said}`);
    return word === "met";
  } catch (error) {
    if (!(error instanceof JudgeFailed)) throw error;
    throw new ServiceFailed("a verdict of the LLM judge on the conversation", error.message, error);
  }
}

function question(assertion: string, messages: readonly Message[]): string {
  const lines = messages.filter(({ content }) => content).map(({ role, content }) => `${role}: ${content}`);
  return [
    "Read a conversation of an agent with a user, and decide whether the agent meets an expectation.",
    `Conversation:\n${lines.join("\n")}`,
    `Expectation: ${assertion}`,
    "Reply with one word: met or unmet.",
  ].join("\n\n");
}
