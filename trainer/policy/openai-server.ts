/**
 * A client of an OpenAI-compatible server: completions of chats and of tokens, with timeouts and retries. The API key
 * is only read from the environment variable OPENAI_API_KEY, so that no command line and no file contains it.
 */

import PQueue from "p-queue";
import { openAbort } from "../abort.js";
import { TrainerError } from "../errors.js";
import { type BackOff, backOffMs, sleep } from "../gym/back-off.js";
import { type Completion, readCompletion, readTokens, type SampledTokens } from "./openai-reply.js";
import { PolicyError, type Retry, type RetryCause } from "./policy.js";

export interface OpenAIServerOptions {
  /** URL such as `http://127.0.0.1:8000/v1`; the path `/v1` is added to a URL without a path. */
  readonly url: string;
  /** Maximum number of requests in flight. Default 64. */
  readonly concurrency?: number;
  /** Timeout of one attempt in milliseconds, until the whole reply is received. Default 120 s. */
  readonly timeoutMs?: number;
  /** Maximum number of retries. Default 6. */
  readonly retries?: number;
  readonly backOff?: BackOff;
  /**
   * Time limit, in milliseconds, for the first successful request. After this time and at least two failures, requests
   * fail with `isFatal` and are not retried. The limit is four times as long after a rate limit (429). Default: no
   * limit.
   */
  readonly firstReplyMs?: number;
  /** Called before each wait for a retry. */
  readonly onRetry?: (retry: Retry) => void;
}

/** Callbacks of one request. */
export interface RequestWatcher {
  /** Called for each attempt that is sent. */
  onAttempt(): void;
  /** Called for each attempt that failed and is retried. */
  onRetry?(cause: RetryCause): void;
}

/** The error for a conversation that is longer than the model's context. */
export class ContextExceeded extends Error {}

/** Longest wait that a server can request with Retry-After, in milliseconds. */
const longestRetryAfterMs = 120_000;

export class OpenAIServer {
  /** URL up to and including `/v1`. */
  readonly base: string;
  private readonly slots: PQueue;
  private readonly timeoutMs: number;
  private readonly retries: number;
  private readonly backOff: BackOff;
  /** Name of the parameter for the token limit: newer models of OpenAI refuse the older name. */
  private limitName: "max_tokens" | "max_completion_tokens" = "max_tokens";
  private readonly closing = openAbort();
  private readonly firstReplyMs: number;
  private readonly onRetry: ((retry: Retry) => void) | undefined;
  /** Time of the first request, on `performance`'s clock. */
  private firstSentAt: number | undefined;
  private hasSucceeded = false;
  private failures = 0;

  constructor(options: OpenAIServerOptions) {
    const { url, concurrency = 64, timeoutMs = 120_000, retries = 6, backOff } = options;
    this.base = baseOf(url);
    this.slots = new PQueue({ concurrency });
    this.timeoutMs = timeoutMs;
    this.retries = retries;
    this.backOff = backOff ?? { baseMs: 500, maxMs: 30_000 };
    this.firstReplyMs = options.firstReplyMs ?? Number.POSITIVE_INFINITY;
    this.onRetry = options.onRetry;
  }

  /**
   * Requests a chat completion.
   *
   * @param request body without the limit of tokens
   * @throws {PolicyError} no attempt is left, or a retry would not help
   * @throws {ContextExceeded} and the signal's reason
   */
  complete(request: object, maxTokens: number, signal: AbortSignal, watcher: RequestWatcher): Promise<Completion> {
    return this.persist(signal, watcher, (both) => this.attempt(request, maxTokens, both));
  }

  /** Requests a completion of token ids. Parameters and errors are those of `complete`. @param request body */
  completeTokens(request: object, signal: AbortSignal, watcher: RequestWatcher): Promise<SampledTokens> {
    return this.ask("completions", request, readTokens, signal, watcher);
  }

  /**
   * Sends a request to a route. Parameters and errors are those of `complete`.
   *
   * @param path route below `base`, or with a slash below the server's root
   * @param request body; undefined: a GET request
   * @param read parses the body of a reply with status 200
   */
  ask<T>(
    path: string,
    request: object | undefined,
    read: (text: string) => T,
    signal: AbortSignal,
    watcher: RequestWatcher,
  ): Promise<T> {
    return this.persist(signal, watcher, async (both) => {
      const { status, retryAfter, text } = await this.post(path, request, both);
      if (status === 200) return read(text);
      throw await this.failureOf(path, status, retryAfter, text);
    });
  }

  private persist<T>(
    signal: AbortSignal,
    watcher: RequestWatcher,
    ask: (signal: AbortSignal) => Promise<T>,
  ): Promise<T> {
    const both = AbortSignal.any([signal, this.closing.signal]);
    const attempts = async () => {
      for (let attempt = 0; ; attempt++) {
        try {
          watcher.onAttempt();
          this.firstSentAt ??= performance.now();
          const reply = await ask(both);
          this.hasSucceeded = true;
          return reply;
        } catch (error) {
          both.throwIfAborted();
          this.failures += 1;
          const waitMs = this.waitMs(error, attempt);
          this.onRetry?.({ brief: briefly(error as PolicyError), waitMs });
          watcher.onRetry?.(causeOf(error as PolicyError));
          await sleep(waitMs, both);
        }
      }
    };
    return this.slots.add(attempts, { signal: both });
  }

  /**
   * Returns the milliseconds to wait before a retry. @throws the error, or a fatal error in its place, if it is not
   * retried
   */
  private waitMs(error: unknown, attempt: number): number {
    if (error instanceof ContextExceeded) this.hasSucceeded = true;
    if (!(error instanceof PolicyError) || !error.retryable) throw error;
    const giveUpMs = this.firstReplyMs * (error.facts.status === 429 ? 4 : 1);
    const waitedMs = performance.now() - (this.firstSentAt ?? 0);
    if (!this.hasSucceeded && this.failures > 1 && waitedMs >= giveUpMs) {
      const seconds = Math.max(1, Math.round(waitedMs / 1000));
      const message = `no request to ${this.base} has succeeded in ${seconds} s: ${error.message}`;
      throw new PolicyError(error.code, message, false, { ...error.facts, isFatal: true });
    }
    if (attempt >= this.retries) throw error;
    const backedOff = backOffMs(this.backOff, attempt);
    const asked = error instanceof Refused ? error.retryAfterMs : undefined;
    if (asked !== undefined) return Math.max(asked, backedOff);
    // Waits are shortened so that the last attempt is made when the time limit for the first reply ends.
    return this.hasSucceeded ? backedOff : Math.min(backedOff, Math.max(giveUpMs - waitedMs, 100));
  }

  close(): void {
    this.closing.abort(new PolicyError("POLICY_CLOSED", "The policy is closed.", false));
  }

  private async attempt(request: object, maxTokens: number, signal: AbortSignal): Promise<Completion> {
    const body = { ...request, [this.limitName]: maxTokens };
    const { status, retryAfter, text } = await this.post("chat/completions", body, signal);
    if (status === 200) return readCompletion(text);
    if (status === 400 && this.limitName === "max_tokens" && text.includes("max_completion_tokens")) {
      this.limitName = "max_completion_tokens";
      return this.attempt(request, maxTokens, signal);
    }
    throw await this.failureOf("chat/completions", status, retryAfter, text);
  }

  private async failureOf(path: string, status: number, retryAfter: string | null, text: string): Promise<Error> {
    if (isContextExceeded(status, text)) return new ContextExceeded(text);
    const models = status === 404 ? await this.models() : [];
    const hint = models.length === 0 ? "" : `; it serves the models ${models.slice(0, 8).join(", ")}`;
    const isRedirect = status >= 300 && status < 400;
    const received = isRedirect
      ? `${status}, a redirect, which is not followed. Use the address in the redirect`
      : `${status}: ${said(text).replace(/[.\s]+$/, "")}${hint}`;
    const message = `expected status 200 from ${this.urlOf(path)}, but received ${received}`;
    const { mayPass, isFatal } = judge(status, text, this.hasSucceeded);
    return new Refused(message, mayPass, { status, isFatal }, retryAfterMs(retryAfter));
  }

  /** Returns the names of the models that the server lists; empty if it lists no models. */
  private async models(): Promise<string[]> {
    try {
      const signal = AbortSignal.any([this.closing.signal, AbortSignal.timeout(2_000)]);
      const response = await fetch(`${this.base}/models`, { headers: authorization(), signal, redirect: "manual" });
      const { data } = (await response.json()) as { data?: unknown };
      return Array.isArray(data) ? data.flatMap(({ id }) => (typeof id === "string" ? [id] : [])) : [];
    } catch {
      return [];
    }
  }

  private urlOf(path: string): string {
    return path.startsWith("/") ? `${this.base.replace(/\/v1$/, "")}${path}` : `${this.base}/${path}`;
  }

  private async post(path: string, body: object | undefined, signal: AbortSignal) {
    const endpoint = this.urlOf(path);
    const timeout = AbortSignal.timeout(this.timeoutMs);
    try {
      const response = await fetch(endpoint, {
        method: body ? "POST" : "GET",
        headers: { ...(body && { "content-type": "application/json" }), ...authorization() },
        ...(body && { body: JSON.stringify(body) }),
        signal: AbortSignal.any([signal, timeout]),
        // A redirect could lead to an address inside the network of this machine, whose reply would count as the model's.
        redirect: "manual",
      });
      return { status: response.status, retryAfter: response.headers.get("retry-after"), text: await response.text() };
    } catch (error) {
      signal.throwIfAborted();
      const { cause, message } = error as Error & { cause?: Error & { code?: string } };
      const received = timeout.aborted ? `none within ${this.timeoutMs} ms` : cause?.message || message;
      const code = timeout.aborted ? "POLICY_TIMEOUT" : "POLICY_UNREACHABLE";
      const brief = timeout.aborted
        ? `no reply within ${Math.round(this.timeoutMs / 1000)} s`
        : (connectionErrors[cause?.code ?? ""] ?? "connection failed");
      throw new PolicyError(code, `expected a reply from ${endpoint}, but received ${received}`, true, { brief });
    }
  }
}

const connectionErrors: Readonly<Record<string, string>> = {
  ECONNREFUSED: "connection refused",
  ECONNRESET: "connection reset",
  UND_ERR_SOCKET: "connection closed",
  ENOTFOUND: "host unknown",
};

function authorization(): Record<string, string> {
  const key = process.env.OPENAI_API_KEY;
  return key ? { authorization: `Bearer ${key}` } : {};
}

class Refused extends PolicyError {
  constructor(
    message: string,
    mayPass: boolean,
    facts: { status: number; isFatal: boolean },
    readonly retryAfterMs: number | undefined,
  ) {
    super("POLICY_REFUSED", message, mayPass, { ...facts, brief: String(facts.status) });
  }
}

/** HTTP statuses of a wrong key, no credit, a wrong address or a wrong model. */
const fatalStatuses = [301, 302, 303, 307, 308, 401, 402, 404, 405, 410];

/** Classifies a failed request. `mayPass`: a retry may succeed; `isFatal`: no request will succeed. */
function judge(status: number, text: string, hasSucceeded: boolean): { mayPass: boolean; isFatal: boolean } {
  const isSpent = status === 429 && /insufficient_quota/.test(text);
  const isModelWrong =
    status === 400 && /model_not_found|invalid model|model\b.{0,80}(not found|not exist)/is.test(text);
  // Some servers refuse single inputs with status 403. The key is only the cause if no request has succeeded.
  const isForbidden = status === 403 && !hasSucceeded;
  const isFatal = fatalStatuses.includes(status) || isSpent || isModelWrong || isForbidden;
  return { mayPass: !isFatal && (status === 408 || status === 409 || status === 429 || status >= 500), isFatal };
}

/**
 * Returns the message of an error in the formats of OpenAI-compatible servers, else the whole text; at most 300
 * characters.
 */
function said(text: string): string {
  try {
    const { error, message, detail } = JSON.parse(text) as Record<string, unknown>;
    const own = (error as { message?: unknown } | null | undefined)?.message ?? error ?? message ?? detail;
    if (typeof own === "string") return own.slice(0, 300);
  } catch {
    // Not JSON.
  }
  return text.slice(0, 300);
}

function briefly({ code, facts: { brief = code } }: PolicyError): string {
  return brief;
}

/** Returns the cause of a failed attempt that is retried. */
function causeOf({ code, facts: { status = 0 } }: PolicyError): RetryCause {
  if (code === "POLICY_TIMEOUT" || status === 408) return "timeout";
  if (code === "POLICY_UNREACHABLE") return "connection";
  if (status === 429) return "429";
  return status >= 500 ? "5xx" : "reply";
}

/** Parses a Retry-After header, seconds or a date (RFC 9110). */
function retryAfterMs(header: string | null): number | undefined {
  if (header === null) return undefined;
  const ms = /^\d+(\.\d+)?$/.test(header) ? Number(header) * 1000 : Date.parse(header) - Date.now();
  return Number.isFinite(ms) ? Math.min(Math.max(ms, 0), longestRetryAfterMs) : undefined;
}

function isContextExceeded(status: number, text: string): boolean {
  return (status === 400 || status === 413) && /context_length_exceeded|context length|context window/i.test(text);
}

/** Completes the URL of a server. @throws {TrainerError} POLICY_INVALID */
function baseOf(url: string): string {
  if (!URL.canParse(url) || !/^https?:$/.test(new URL(url).protocol)) {
    throw new TrainerError(
      "POLICY_INVALID",
      `expected an http URL such as http://127.0.0.1:8000/v1, but received ${JSON.stringify(url)}`,
    );
  }
  const base = url.replace(/\/+$/, "").replace(/\/chat\/completions$/, "");
  return new URL(base).pathname === "/" ? `${base}/v1` : base;
}
