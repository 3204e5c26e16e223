/**
 * A client of a server of the Tinker API. Requests that take long are answered with a request id, whose result
 * `retrieve_future` waits for. A server that is away is waited for. The API key is only read from the environment variable
 * TINKER_API_KEY, so that no command line and no file contains it.
 */
import { TrainerError } from "../../errors.js";
import { type BackOff, backOffMs, sleep } from "../../gym/back-off.js";
import { BackendLost } from "../backend.js";
import { type ForwardBackward, protobufType, readOutput, readSamples, writeForwardBackward } from "./protobuf.js";

export interface TinkerServerOptions {
  /** URL of the server, with or without `/api/v1`. */
  readonly url: string;
  readonly apiKey: string | undefined;
  /** Milliseconds for which a server that is away is waited for. */
  readonly patienceMs: number;
  /** Ends every request. */
  readonly signal: AbortSignal;
  /** Receives a line when the server is away, and when it is back. */
  readonly say: (line: string) => void;
  readonly backOff?: BackOff;
}

export interface CallOptions {
  /**
   * Whether a second request does no harm. A request that changes gradients or weights is not repeated: if its reply is lost,
   * nobody knows whether the server carried it out, and the run goes back to its checkpoint.
   */
  readonly repeatable?: boolean;
  /** Ends this request, besides the server's own signal. */
  readonly signal?: AbortSignal;
}

type Json = Readonly<Record<string, unknown>>;

interface Received {
  readonly status: number;
  readonly type: string;
  readonly body: Buffer;
}

/** A request without a reply. */
interface Unanswered {
  /** Code of the connection's error. */
  readonly code: string;
  readonly message: string;
  readonly isTimeout: boolean;
}

/** Milliseconds for one request, and for one wait in retrieve_future, which is then repeated. */
const callMs = 120_000;
const pollMs = 45_000;
/** Number of replies with status 500 after which a request is given up. */
const mostFailures = 5;
/** Milliseconds before the next question for a result that the server says is not there yet. */
const tryAgainMs = 200;

/** Errors of a connection that was never made, so that the server has not received the request. */
const neverSent = new Set(["ECONNREFUSED", "ENOTFOUND", "EAI_AGAIN", "EHOSTUNREACH", "UND_ERR_CONNECT_TIMEOUT"]);

export class TinkerServer {
  /** URL up to and including `/api/v1`. */
  readonly base: string;
  /** Seconds in which the server could not be reached. */
  awaySeconds = 0;
  private awaySince: number | undefined;
  /** Whether forward_backward takes its body as protobuf, as servers for newer clients demand. */
  private takesProtobuf = false;

  constructor(private readonly options: TinkerServerOptions) {
    const url = options.url.replace(/\/+$/, "");
    this.base = url.endsWith("/api/v1") ? url : `${url}/api/v1`;
  }

  /** Sends a request. @returns the JSON of its reply */
  async call(path: string, body: object | undefined, options: CallOptions = {}): Promise<Json> {
    return jsonOf(path, await this.persist(path, body && JSON.stringify(body), "application/json", options));
  }

  /** Sends a request whose result comes later. @returns the result */
  async result(path: string, body: object, options: CallOptions = {}): Promise<Json> {
    return this.retrieve(path, await this.call(path, body, options), options);
  }

  /** Runs a pass over data: `forward_backward`, or `forward`, which leaves the gradients as they are. */
  async pass(request: ForwardBackward, options: CallOptions = {}): Promise<Json> {
    const path = request.forwardOnly && !this.takesProtobuf ? "forward" : "forward_backward";
    if (!this.takesProtobuf) {
      const { model_id, seq_id, forwardOnly, input } = request;
      const body = { model_id, seq_id, [forwardOnly ? "forward_input" : "forward_backward_input"]: input };
      const received = await this.persist(path, JSON.stringify(body), "application/json", options, [404, 405, 415]);
      if (received.status === 200) return this.retrieve(path, jsonOf(path, received), options);
      const isGone = path === "forward_backward" && received.status !== 415;
      if (isGone) throw refusal(path, received);
      this.takesProtobuf = true;
    }
    const written = writeForwardBackward(request);
    const received = await this.persist("forward_backward", written, protobufType, options);
    return this.retrieve("forward_backward", jsonOf("forward_backward", received), options);
  }

  /** Waits for the result of a request. Asking again is harmless. */
  private async retrieve(path: string, future: Json, { signal }: CallOptions): Promise<Json> {
    const { request_id } = future;
    if (typeof request_id !== "string") throw misformed(path, "a request_id", future);
    const body = JSON.stringify({ request_id });
    for (;;) {
      const options = { repeatable: true, ...(signal && { signal }) };
      const received = await this.persist("retrieve_future", body, "application/json", options, [408]);
      if (received.status === 408) continue;
      if (received.type.startsWith(protobufType))
        return path === "asample" ? readSamples(received.body) : readOutput(received.body);
      const result = jsonOf(path, received);
      if (typeof result.error === "string") throw refusal(path, { ...received, status: 400 });
      if (result.type !== "try_again") return result;
      await sleep(tryAgainMs, this.signalOf(signal));
    }
  }

  /** Sends a request until the server replies. @param expected statuses besides 200 that are returned */
  private async persist(
    path: string,
    body: string | Uint8Array | undefined,
    type: string,
    { repeatable = false, signal }: CallOptions,
    expected: readonly number[] = [],
  ): Promise<Received> {
    const either = this.signalOf(signal);
    for (let failures = 0; ; failures++) {
      const sent = await this.send(path, body, type, either);
      if ("status" in sent) {
        this.noteBack();
        if (sent.status === 200 || expected.includes(sent.status)) return sent;
        const isBusy = sent.status === 429 || sent.status === 503;
        if (!isBusy && sent.status < 500) throw refusal(path, sent);
        if (!isBusy && !repeatable) throw lost(`status 200 of ${path}`, `${sent.status}: ${said(sent.body)}`);
        // A proxy says 502 and 504 while the server starts. The server itself says 500 for a failure that may last.
        if (sent.status === 500 && failures >= mostFailures) throw refusal(path, sent);
        this.noteAway(`status ${sent.status}: ${said(sent.body)}`);
      } else {
        if (path === "retrieve_future" && sent.isTimeout) continue;
        if (!repeatable && !neverSent.has(sent.code)) throw lost(`a reply to ${path}`, sent.message);
        this.noteAway(sent.message);
      }
      this.expectPatience(path);
      await sleep(backOffMs(this.options.backOff ?? { baseMs: 250, maxMs: 15_000 }, failures), either);
    }
  }

  private async send(
    path: string,
    body: string | Uint8Array | undefined,
    type: string,
    signal: AbortSignal,
  ): Promise<Received | Unanswered> {
    const timeout = AbortSignal.timeout(path === "retrieve_future" ? pollMs : callMs);
    const { apiKey } = this.options;
    const headers = {
      accept: path === "retrieve_future" ? `application/json, ${protobufType}` : "application/json",
      ...(body !== undefined && { "content-type": type }),
      ...(apiKey !== undefined && { "x-api-key": apiKey }),
    };
    try {
      const method = body === undefined ? "GET" : "POST";
      const sent = { method, headers, signal: AbortSignal.any([signal, timeout]), redirect: "manual" as const };
      const response = await fetch(`${this.base}/${path}`, { ...sent, ...(body !== undefined && { body }) });
      const received = Buffer.from(await response.arrayBuffer());
      return { status: response.status, type: response.headers.get("content-type") ?? "", body: received };
    } catch (error) {
      signal.throwIfAborted();
      const { cause, message } = error as Error & { cause?: Error & { code?: string } };
      const isTimeout = timeout.aborted;
      return { code: cause?.code ?? "", message: isTimeout ? "no reply" : cause?.message || message, isTimeout };
    }
  }

  private signalOf(signal: AbortSignal | undefined): AbortSignal {
    return signal ? AbortSignal.any([signal, this.options.signal]) : this.options.signal;
  }

  private noteAway(reason: string): void {
    if (this.awaySince !== undefined) return;
    this.awaySince = performance.now();
    this.options.say(`waiting for ${this.base}: ${reason}`);
  }

  private noteBack(): void {
    if (this.awaySince === undefined) return;
    const seconds = (performance.now() - this.awaySince) / 1000;
    this.awaySeconds += seconds;
    this.awaySince = undefined;
    this.options.say(`reached ${this.base} again after ${seconds.toFixed(1)} s`);
  }

  private expectPatience(path: string): void {
    const awayMs = performance.now() - (this.awaySince ?? performance.now());
    if (awayMs < this.options.patienceMs) return;
    throw new TrainerError(
      "BACKEND_UNREACHABLE",
      `expected a reply of ${this.base}/${path} within backend_wait_minutes, but received none for ${Math.round(awayMs / 1000)} s. Start the server, and the same command again: the run resumes from its checkpoint.`,
    );
  }
}

function jsonOf(path: string, { body }: Received): Json {
  try {
    const value = JSON.parse(body.toString()) as unknown;
    if (typeof value === "object" && value !== null) return value as Json;
  } catch {
    // Told below.
  }
  throw misformed(path, "a JSON object", said(body));
}

/** Texts of servers that do not have a model, a request or a session any more. */
const forgotten = /(model|session|future|request)\b.{0,80}(not loaded|not found|unknown|does not exist|unloaded)/is;

/** Makes the error for a status that is no success. */
function refusal(path: string, { status, body }: Pick<Received, "status" | "body">): TrainerError {
  const text = said(body);
  const isLost = status === 410 || ((status === 404 || status === 400) && forgotten.test(text));
  if (isLost) return lost(`the result of ${path}`, `${status}: ${text}`);
  const remedy = status === 401 || status === 403 ? " Set the environment variable TINKER_API_KEY." : "";
  return new TrainerError(
    "BACKEND_REFUSED",
    `expected status 200 of ${path}, but received ${status}: ${text}${/[.!?]$/.test(text) ? "" : "."}${remedy}`,
  );
}

function lost(expected: string, received: string): BackendLost {
  return new BackendLost(`expected ${expected} from the training server, but received ${received}.`);
}

/** Makes the error for a reply of another form than the API's. */
export function misformed(path: string, expected: string, received: unknown): TrainerError {
  const shown = typeof received === "string" ? received : JSON.stringify(received);
  return new TrainerError(
    "BACKEND_REFUSED",
    `expected ${expected} in the reply of ${path}, but received ${shown.slice(0, 300)}`,
  );
}

/** Returns the message of an error; at most 400 characters. */
function said(body: Buffer): string {
  const text = body.toString().slice(0, 4_000);
  try {
    const { detail, error, message } = JSON.parse(text) as Record<string, unknown>;
    const own = detail ?? error ?? message;
    return (typeof own === "string" ? own : JSON.stringify(own ?? text)).slice(0, 400);
  } catch {
    return text.slice(0, 400);
  }
}
