/**
 * An OpenAI-compatible server: one request for one completion, of a chat or of tokens, with time-outs, and tried again where that may help. The
 * key comes from the environment variable OPENAI_API_KEY alone, so that no command line and no file has it.
 */
import { openAbort } from "../abort.js";
import { type BackOff, backOffMs, sleep } from "../back-off.js";
import { type Completion, readCompletion, readTokens, type SampledTokens } from "./openai-reply.js";
import { PolicyError } from "./policy.js";
import { Semaphore } from "./semaphore.js";

export interface OpenAIServerOptions {
  /** As `http://127.0.0.1:8000/v1`; a URL without a path means `/v1`. */
  readonly url: string;
  /** Requests at a time. Default 64. */
  readonly concurrency?: number;
  /** How long one attempt may take, all of its reply included. Default 120 s. */
  readonly timeoutMs?: number;
  /** Attempts after the first. Default 6. */
  readonly retries?: number;
  readonly backOff?: BackOff;
}

/** The conversation has grown longer than the model can read. */
export class ContextExceeded extends Error {}

/** No server is waited for longer, whatever it asks. */
const longestRetryAfterMs = 120_000;

export class OpenAIServer {
  /** Up to and with `/v1`. */
  readonly base: string;
  private readonly slots: Semaphore;
  private readonly timeoutMs: number;
  private readonly retries: number;
  private readonly backOff: BackOff;
  /** Newer models of OpenAI refuse the older name. */
  private limitName: "max_tokens" | "max_completion_tokens" = "max_tokens";
  private readonly closing = openAbort();

  constructor({ url, concurrency = 64, timeoutMs = 120_000, retries = 6, backOff }: OpenAIServerOptions) {
    this.base = baseOf(url);
    this.slots = new Semaphore(concurrency);
    this.timeoutMs = timeoutMs;
    this.retries = retries;
    this.backOff = backOff ?? { baseMs: 500, maxMs: 30_000 };
  }

  /**
   * @param request the body, but for the limit of tokens
   * @param onAttempt hears of each request that is sent
   * @throws {PolicyError} once no attempt is left, or none would help
   * @throws {ContextExceeded} and the signal's reason
   */
  complete(request: object, maxTokens: number, signal: AbortSignal, onAttempt: () => void): Promise<Completion> {
    return this.persist(signal, onAttempt, (both) => this.attempt(request, maxTokens, both));
  }

  /** A completion of token ids. Parameters and errors as for `complete`. @param request the body */
  completeTokens(request: object, signal: AbortSignal, onAttempt: () => void): Promise<SampledTokens> {
    return this.persist(signal, onAttempt, async (both) => {
      const { status, retryAfter, text } = await this.post("completions", request, both);
      if (status === 200) return readTokens(text);
      throw failureOf(status, retryAfter, text);
    });
  }

  private persist<T>(signal: AbortSignal, onAttempt: () => void, ask: (signal: AbortSignal) => Promise<T>): Promise<T> {
    const both = AbortSignal.any([signal, this.closing.signal]);
    return this.slots.run(async () => {
      for (let attempt = 0; ; attempt++) {
        try {
          onAttempt();
          return await ask(both);
        } catch (error) {
          both.throwIfAborted();
          if (!(error instanceof PolicyError) || !error.retryable || attempt >= this.retries) throw error;
          const wanted = error instanceof Refused ? error.retryAfterMs : undefined;
          await sleep(Math.max(wanted ?? 0, backOffMs(this.backOff, attempt)), both);
        }
      }
    }, both);
  }

  close(): void {
    this.closing.abort(
      new PolicyError("POLICY_CLOSED", "expected an open policy, but received a call after its close", false),
    );
  }

  private async attempt(request: object, maxTokens: number, signal: AbortSignal): Promise<Completion> {
    const body = { ...request, [this.limitName]: maxTokens };
    const { status, retryAfter, text } = await this.post("chat/completions", body, signal);
    if (status === 200) return readCompletion(text);
    if (status === 400 && this.limitName === "max_tokens" && text.includes("max_completion_tokens")) {
      this.limitName = "max_completion_tokens";
      return this.attempt(request, maxTokens, signal);
    }
    throw failureOf(status, retryAfter, text);
  }

  private async post(path: string, body: object, signal: AbortSignal) {
    const endpoint = `${this.base}/${path}`;
    const timeout = AbortSignal.timeout(this.timeoutMs);
    const key = process.env.OPENAI_API_KEY;
    try {
      const response = await fetch(endpoint, {
        method: "POST",
        headers: { "content-type": "application/json", ...(key && { authorization: `Bearer ${key}` }) },
        body: JSON.stringify(body),
        signal: AbortSignal.any([signal, timeout]),
      });
      return { status: response.status, retryAfter: response.headers.get("retry-after"), text: await response.text() };
    } catch (error) {
      signal.throwIfAborted();
      const { cause, message } = error as Error & { cause?: Error };
      const received = timeout.aborted ? `none within ${this.timeoutMs} ms` : cause?.message || message;
      const code = timeout.aborted ? "POLICY_TIMEOUT" : "POLICY_UNREACHABLE";
      throw new PolicyError(code, `expected a reply from ${endpoint}, but received ${received}`, true);
    }
  }
}

function failureOf(status: number, retryAfter: string | null, text: string): Error {
  return isContextExceeded(status, text) ? new ContextExceeded(text) : new Refused(status, retryAfter, text);
}

class Refused extends PolicyError {
  readonly retryAfterMs: number | undefined;

  constructor(status: number, retryAfter: string | null, text: string) {
    const mayPass = status === 408 || status === 409 || status === 429 || status >= 500;
    super("POLICY_REFUSED", `expected status 200, but received ${status}: ${text.slice(0, 500)}`, mayPass);
    this.retryAfterMs = retryAfterMs(retryAfter);
  }
}

/** Seconds or a date, as RFC 9110 has it. */
function retryAfterMs(header: string | null): number | undefined {
  if (header === null) return undefined;
  const ms = /^\d+(\.\d+)?$/.test(header) ? Number(header) * 1000 : Date.parse(header) - Date.now();
  return Number.isFinite(ms) ? Math.min(Math.max(ms, 0), longestRetryAfterMs) : undefined;
}

function isContextExceeded(status: number, text: string): boolean {
  return (status === 400 || status === 413) && /context_length_exceeded|context length|context window/i.test(text);
}

/** @throws {RangeError} */
function baseOf(url: string): string {
  if (!URL.canParse(url) || !/^https?:$/.test(new URL(url).protocol)) {
    throw new RangeError(`expected an http URL as http://127.0.0.1:8000/v1, but received ${JSON.stringify(url)}`);
  }
  const base = url.replace(/\/+$/, "").replace(/\/chat\/completions$/, "");
  return new URL(base).pathname === "/" ? `${base}/v1` : base;
}
