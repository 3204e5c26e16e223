import { ServiceFailed } from "../errors.js";
import { askJudge, JudgeFailed, judgeSettings } from "../shared/llm-judge/llm-judge.js";

/** Whether an LLM judge is configured. */
export function hasJudge(): boolean {
  return Boolean(process.env.PALESTRA_JUDGE_URL);
}

/**
 * Asks the LLM judge at PALESTRA_JUDGE_URL whether an answer is right.
 *
 * @throws {ServiceFailed} no LLM judge is configured, or the reply of the judge is unclear
 */
export async function isJudgedRight(
  question: string,
  golden: readonly string[],
  answer: string,
  signal: AbortSignal,
): Promise<boolean> {
  try {
    const said = await askJudge(judgeSettings(process.env), judgement(question, golden, answer), signal);
    const word = /\b(incorrect|correct)\b/i.exec(said)?.[1]?.toLowerCase();
    if (word === undefined)
      throw new JudgeFailed(`expected the LLM judge's reply to contain correct or incorrect, but received ${said}`);
    return word === "correct";
  } catch (error) {
    if (!(error instanceof JudgeFailed)) throw error;
    throw new ServiceFailed("a verdict of the LLM judge on the answer", error.message, error);
  }
}

function judgement(question: string, golden: readonly string[], answer: string): string {
  return [
    "Compare an answer with the reference. It is correct where it says the same as one of the references, in whatever words, and nothing that contradicts it.",
    `Question: ${question}`,
    `References: ${golden.join(" | ")}`,
    `Answer: ${answer}`,
    "Reply with one word: correct or incorrect.",
  ].join("\n");
}
