/**
 * Calls an LLM judge at an OpenAI-compatible endpoint. The LLM judge decides whether an answer is right if no rule can.
 */
import { z } from "zod";
import { postChat } from "../chat-endpoint/post-chat.js";

export interface JudgeSettings {
  /** Base URL of the endpoint, such as `https://api.openai.com/v1`, without a trailing slash. */
  url: string;
  model: string;
  key?: string | undefined;
}

/** Error if the LLM judge is not configured or does not answer, so that the score is unknown. */
export class JudgeFailed extends Error {}

const mostTokens = 768;
const timeoutMs = 60_000;
const mostTold = 200;

const completion = z.object({ choices: z.array(z.object({ message: z.object({ content: z.string() }) })).min(1) });

/**
 * Reads the settings from PALESTRA_JUDGE_URL, PALESTRA_JUDGE_MODEL and PALESTRA_JUDGE_KEY. Returns undefined if no URL
 * is set.
 *
 * @throws {Error} the URL is invalid, or no model is set
 */
export function judgeSettings(environment: Readonly<Record<string, string | undefined>>): JudgeSettings | undefined {
  const { PALESTRA_JUDGE_URL: url, PALESTRA_JUDGE_MODEL: model, PALESTRA_JUDGE_KEY: key } = environment;
  if (!url) return undefined;
  if (!/^https?:\/\/[^/]/.test(url))
    throw new Error(`expected PALESTRA_JUDGE_URL to be an http:// or https:// address, but received ${url}`);
  if (!model) throw new Error("PALESTRA_JUDGE_URL is set, but PALESTRA_JUDGE_MODEL is not. Set both.");
  return { url: url.replace(/\/+$/, ""), model, key };
}

/**
 * Asks the LLM judge a question and returns the reply.
 *
 * @param signal aborts the call, which then throws the signal's reason
 * @throws {JudgeFailed} the settings are missing, or the LLM judge does not answer
 */
export async function askJudge(
  settings: JudgeSettings | undefined,
  question: string,
  signal: AbortSignal,
): Promise<string> {
  if (!settings)
    throw new JudgeFailed(`no LLM judge is configured, but the task compares answers by meaning. ${remedy}`);
  return asked(settings, question, signal);
}

const remedy = "Set PALESTRA_JUDGE_URL and PALESTRA_JUDGE_MODEL to an OpenAI-compatible endpoint";

async function asked({ url, model, key }: JudgeSettings, question: string, signal: AbortSignal): Promise<string> {
  const messages = [
    { role: "system", content: "You are a helpful assistant" },
    { role: "user", content: question },
  ];
  const body = { model, messages, temperature: 0, max_tokens: mostTokens, top_p: 1 };
  const { status, text } = await postChat({ url, key }, body, signal, timeoutMs);
  if (status === 0) throw new JudgeFailed(`expected the judge at ${url} to answer, but received ${text}`);
  const isRedirect = status >= 300 && status < 400;
  const received = isRedirect
    ? `${status}, a redirect, which is not followed. Use the address in the redirect as PALESTRA_JUDGE_URL`
    : `${status}: ${text.slice(0, mostTold)}`;
  if (status !== 200) throw new JudgeFailed(`expected the judge to answer, but received ${received}`);
  const parsed = completion.safeParse(jsonOf(text));
  if (!parsed.success) throw new JudgeFailed(`expected a completion of the judge, but received ${received}`);
  return parsed.data.choices[0]?.message.content ?? "";
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
