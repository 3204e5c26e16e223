/** Requests of chat completions at an OpenAI-compatible endpoint. */

export interface ChatEndpoint {
  /** Base URL, without a trailing slash. */
  url: string;
  key?: string | undefined;
}

export interface ChatReply {
  /** HTTP status; 0 if the endpoint could not be reached. */
  status: number;
  /** Body of the reply, or the reason why there is none. */
  text: string;
}

const mostAttempts = 3;
const pauseMs = 1_000;

/**
 * Posts a request, up to three times while the endpoint cannot be reached, is overloaded or fails, and returns the last
 * reply.
 *
 * @param signal aborts the request, which then throws the signal's reason
 * @param timeoutMs milliseconds for each attempt
 */
export async function postChat(
  endpoint: ChatEndpoint,
  body: object,
  signal: AbortSignal,
  timeoutMs: number,
): Promise<ChatReply> {
  const text = JSON.stringify(body);
  for (let attempt = 1; ; attempt++) {
    const reply = await posted(endpoint, text, signal, timeoutMs);
    const isPassing = reply.status === 0 || reply.status === 429 || reply.status >= 500;
    if (!isPassing || attempt === mostAttempts) return reply;
    await new Promise((resolve) => setTimeout(resolve, pauseMs * attempt));
  }
}

/**
 * Sends a request. The signal and the timeout are not combined by `AbortSignal.any`, since Node 20 may garbage-collect
 * the combined signal too early.
 */
async function posted(
  { url, key }: ChatEndpoint,
  body: string,
  signal: AbortSignal,
  timeoutMs: number,
): Promise<ChatReply> {
  signal.throwIfAborted();
  const stop = new AbortController();
  const abort = () => stop.abort();
  const timer = setTimeout(abort, timeoutMs);
  signal.addEventListener("abort", abort);
  try {
    const headers = { "content-type": "application/json", ...(key && { authorization: `Bearer ${key}` }) };
    // A redirect could lead to an address inside the host's network, whose reply would be part of the error.
    const request = { method: "POST", headers, body, signal: stop.signal, redirect: "manual" } as const;
    const response = await fetch(`${url}/chat/completions`, request);
    return { status: response.status, text: await response.text() };
  } catch (error) {
    signal.throwIfAborted();
    const { cause, message } = error as Error & { cause?: Error };
    return { status: 0, text: cause?.message ?? message };
  } finally {
    clearTimeout(timer);
    signal.removeEventListener("abort", abort);
  }
}
