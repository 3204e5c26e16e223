/** Makes HTTP calls to a service, with retries and with limits on time and size. */
import { attempted, PassingFailure, retryAfterMs } from "./attempts.js";

export interface Request {
  url: string;
  method?: "GET" | "POST";
  headers?: Record<string, string>;
  /** Body, sent as JSON. */
  body?: unknown;
  /** Timeout of one attempt in milliseconds. */
  timeoutMs?: number;
}

export interface Reply {
  status: number;
  text: string;
}

const defaultTimeoutMs = 20_000;
const mostReplyBytes = 2 ** 24;
const mostTold = 200;

/**
 * Makes a call and returns the parsed JSON of a reply with status 200.
 *
 * @param service name of the service in errors, such as "the search server at http://127.0.0.1:8000"
 * @throws {ServiceFailed} the service is unreachable or too slow, or its reply has a different status or is not JSON
 *   @throws the signal's reason
 */
export function askJson(service: string, request: Request, signal: AbortSignal): Promise<unknown> {
  return attempted(service, () => asked(request, signal), signal);
}

async function asked(request: Request, signal: AbortSignal): Promise<unknown> {
  const { status, text } = await replied(request, signal);
  if (status >= 300 && status < 400)
    throw new Error(`status ${status}, a redirect, which is not followed. Use the address in the redirect`);
  if (status !== 200) throw new Error(`status ${status}: ${text.slice(0, mostTold)}`);
  try {
    return JSON.parse(text);
  } catch {
    throw new Error(`a reply that is not JSON: ${JSON.stringify(text.slice(0, mostTold))}`);
  }
}

async function replied({ url, method, headers, body, timeoutMs = defaultTimeoutMs }: Request, signal: AbortSignal) {
  signal.throwIfAborted();
  // `AbortSignal.any` is not used: Node 20 may garbage-collect the combined signal while it is in use.
  const stop = new AbortController();
  const abort = () => stop.abort();
  const timer = setTimeout(abort, timeoutMs);
  signal.addEventListener("abort", abort);
  try {
    const response = await fetch(url, {
      method: method ?? (body === undefined ? "GET" : "POST"),
      headers: {
        accept: "application/json",
        ...(body !== undefined && { "content-type": "application/json" }),
        ...headers,
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
      signal: stop.signal,
      // A redirect could lead to an address inside the host's network, whose reply the agent would see.
      redirect: "manual",
    });
    const text = await textOf(response);
    const { status } = response;
    if (status === 429 || status >= 500)
      throw new PassingFailure(
        `status ${status}: ${text.slice(0, mostTold)}`,
        retryAfterMs(response.headers.get("retry-after")),
      );
    return { status, text };
  } catch (error) {
    if (stop.signal.aborted) throw new PassingFailure(`no reply within ${timeoutMs} ms`);
    if (error instanceof TypeError) throw new PassingFailure(reasonOf(error));
    throw error;
  } finally {
    clearTimeout(timer);
    signal.removeEventListener("abort", abort);
  }
}

async function textOf(response: Response): Promise<string> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of response.body ?? []) {
    chunks.push(chunk);
    bytes += chunk.length;
    // Leaving the loop cancels the rest of the reply.
    if (bytes > mostReplyBytes) throw new Error(`a reply of more than ${mostReplyBytes} bytes`);
  }
  return Buffer.concat(chunks).toString("utf8");
}

/** Returns the message of an error of `fetch`, which describes the problem in its `cause`. */
function reasonOf(error: Error): string {
  const { message } = (error.cause as Error | undefined) ?? error;
  return message || error.message;
}
