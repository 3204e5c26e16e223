/** Texts of AgentGym's SearchQA, copied word for word from agentenv-searchqa in WooooDyy/AgentGym. */
import { stripped } from "../shared/questions/squad.js";
import type { Passage } from "../shared/retrieval/source.js";

/** Instructions that AgentGym's client puts before the first observation. */
export const prompt =
  "You must always reason inside <think>...</think> first; if you lack knowledge, issue a <search>...</search> and then stop; do not generate <information> or <answer> yet; wait for external input between <information>...</information> before continuing; resume only when new <information> is given; do not skip steps or anticipate answers early.";

const instructions =
  "You must reason inside <think>...</think> first. If you do not have enough knowledge, issue a <search>...</search> and then STOP. Do not generate <information> or <answer> yet. Wait for external input wrapped in <information>...</information>. After receiving information, reason again in <think>. If confident, output your final answer in <answer>...</answer>. Do not output <answer> before receiving <information> unless you are fully confident. If you find no further external knowledge needed, you can directly provide the answer inside <answer> and </answer>, without detailed illustrations. For example, <answer> Beijing </answer>. Follow this process every time.";

export const right = "Congratulations! You have answered the question correctly.";
export const wrong = "Sorry, your answer is incorrect. Please try again.";
export const invalid =
  "Your previous action is invalid. If you want to search, you should put the query between <search> and </search>. If you want to give the final answer, you should put the answer between <answer> and </answer>. Please try again.";

export function opening(question: string): string {
  return `${instructions}\n\n Question: ${stripped(question)}`;
}

export function information(passages: readonly Passage[]): string {
  const documents = passages.map(({ title, text }, at) => `Doc ${at + 1}(Title: ${title}) ${text}\n`);
  return `<information>${stripped(documents.join(""))}</information>`;
}
