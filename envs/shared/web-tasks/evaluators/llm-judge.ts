/** Questions to the LLM judge. The wording is copied from the benchmark, so that scores are comparable. */
import { askJudge, JudgeFailed, type JudgeSettings } from "../../llm-judge/llm-judge.js";
import type { Judge } from "./string-match.js";

/**
 * Returns an LLM judge. The methods of the LLM judge throw JudgeFailed if the model does not answer.
 *
 * @param signal aborts the calls, which then throw the signal's reason
 */
export function judgeAt(settings: JudgeSettings | undefined, signal: AbortSignal): Judge {
  const ask = async (question: string) => {
    return (await askJudge(settings, question, signal)).toLowerCase();
  };
  return {
    async isEquivalent(question) {
      const reply = await ask(equivalenceQuestion(question));
      if (reply.includes("partially correct") || reply.includes("incorrect")) return false;
      return concluded(reply, "correct");
    },
    async isSameReason(question) {
      const reply = await ask(reasonQuestion(question));
      return reply.includes("different") ? false : concluded(reply, "same");
    },
  };
}

type Compared = Parameters<Judge["isEquivalent"]>[0];

function equivalenceQuestion({ intent, reference, answer }: Compared): string {
  return [
    "Help a teacher to grade the answer of a student given a question. Keep in mind that the student may use different phrasing or wording to answer the question. The goal is to evaluate whether the answer is semantically equivalent to the reference answer.",
    `question: ${intent}`,
    `reference answer: ${reference}`,
    "all the string 'N/A' that you see is a special sequence that means 'not achievable'",
    `student answer: ${answer}`,
    "Conclude the judgement by correct/incorrect/partially correct.",
  ].join("\n");
}

function reasonQuestion({ intent, reference, answer }: Compared): string {
  return [
    `task: ${intent}`,
    `actual unachievable reason: ${reference}`,
    `reported unachievable reason: ${answer}`,
    "The task described above is inherently unachievable due to the reason specified under 'actual unachievable reason'. An individual previously attempted this task and was unable to complete it. They provided a reason for their failure, which is listed under 'reported unachievable reason'. Your role is to review both the actual and reported reasons. Determine if the reported reason aligns with the actual reason, even if implicitly. If the stated reason is in line with the actual reason, respond with 'same'. Otherwise, respond with 'different'.",
  ].join("\n");
}

function concluded(reply: string, word: string): true {
  if (reply.includes(word)) return true;
  throw new JudgeFailed(
    `expected the LLM judge's reply to contain "${word}" or its opposite, but received ${reply.slice(0, 200)}`,
  );
}
