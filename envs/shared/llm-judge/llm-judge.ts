/**
 * Calls an LLM judge at an OpenAI-compatible endpoint. The LLM judge decides whether an answer is right if no rule can.
 */
import { z } from "zod";

export interface JudgeSettings {
  /** Base URL of the endpoint, such as `https://api.openai.com/v1`, without a trailing slash. */
  url: string;
  model: string;
  key?: string | undefined;
}

/** Error if the LLM judge is not configured or does not answer, so that the score is unknown. */
export class JudgeFailed extends Error {
  constructor(
    message: string,
    /** Whether a retry of the call may succeed. */
    readonly isPassing = false,
  ) {
    super(message);
  }
}

const mostTokens = 768;
const timeoutMs = 60_000;
const mostAttempts = 3;
const pauseMs = 1_000;
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
  for (let attempt = 1; ; attempt++) {
    try {
      return await asked(settings, question, signal);
    } catch (error) {
      signal.throwIfAborted();
      if (attempt === mostAttempts || !(error instanceof JudgeFailed && error.isPassing)) throw error;
      await new Promise((resolve) => setTimeout(resolve, pauseMs * attempt));
    }
  }
}

const remedy = "Set PALESTRA_JUDGE_URL and PALESTRA_JUDGE_MODEL to an OpenAI-compatible endpoint";

async function asked({ url, model, key }: JudgeSettings, question: string, signal: AbortSignal): Promise<string> {
  const messages = [
    { role: "system", content: "You are a helpful assistant" },
    { role: "user", content: question },
  ];
  const body = JSON.stringify({ model, messages, temperature: 0, max_tokens: mostTokens, top_p: 1 });
  const headers = { "content-type": "application/json", ...(key && { authorization: `Bearer ${key}` }) };
  const { status, text } = await post(url, headers, body, signal);
  const isRedirect = status >= 300 && status < 400;
  const received = isRedirect
    ? `${status}, a redirect, which is not followed. Use the address in the redirect as PALESTRA_JUDGE_URL`
    : `${status}: ${text.slice(0, mostTold)}`;
  if (status !== 200)
    throw new JudgeFailed(`expected the judge to answer, but received ${received}`, status === 429 || status >= 500);
  const parsed = completion.safeParse(jsonOf(text));
  if (!parsed.success) throw new JudgeFailed(`expected a completion of the judge, but received ${received}`);
  return parsed.data.choices[0]?.message.content ?? "";
}

/**
 * Sends a request. The signal and the timeout are not combined by `AbortSignal.any`, since Node 20 may garbage-collect
 * the combined signal too early.
 */
async function post(url: string, headers: Record<string, string>, body: string, signal: AbortSignal) {
  signal.throwIfAborted();
  const stop = new AbortController();
  const abort = () => stop.abort();
  const timer = setTimeout(abort, timeoutMs);
  signal.addEventListener("abort", abort);
  try {
    // A redirect could lead to an address inside the host's network, whose reply would be part of the error.
    const request = { method: "POST", headers, body, signal: stop.signal, redirect: "manual" } as const;
    const response = await fetch(`${url}/chat/completions`, request);
    return { status: response.status, text: await response.text() };
  } catch (error) {
    const { cause, message } = error as Error & { cause?: Error };
    throw new JudgeFailed(`expected the judge at ${url} to answer, but received ${cause?.message ?? message}`, true);
  } finally {
    clearTimeout(timer);
    signal.removeEventListener("abort", abort);
  }
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
