/** Makes calls to an OpenSearch cluster with OpenSearch's official client, with timeouts and retries. */
import type { Client } from "@opensearch-project/opensearch";
import { attempted, PassingFailure, type RetryLimits, retryAfterMs, retryLimits } from "../remote/attempts.js";
import { type ClusterAddress, credentialsVariable } from "./address.js";

/** Thrown if the cluster refuses a request for a reason that a retry would not change. */
export class Refused extends Error {
  constructor(
    readonly status: number,
    /** OpenSearch's type of the error, such as `index_not_found_exception`. Empty if the reply has no type. */
    readonly type: string,
    reason: string,
  ) {
    super(`status ${status}: ${reason}${remedies[status] ?? ""}`);
  }
}

export interface CallLimits extends RetryLimits {
  /** Timeout of one attempt in milliseconds. */
  timeoutMs: number;
}

/** A pending request of the client. */
interface Sent {
  abort(): unknown;
  then: Promise<{ body: unknown }>["then"];
}

const credentials = `give user:password@ in the URL, or set ${credentialsVariable}`;
const remedies: Record<number, string> = {
  401: `. The user is unknown there: ${credentials}`,
  403: `. The user may not do this: give the user a role that allows it, or another user (${credentials})`,
};

const limitsOfSearches: CallLimits = { ...retryLimits, timeoutMs: 20_000 };

/**
 * Timeout of the client in milliseconds. It is longer than all timeouts of this module, which replace it: the client's
 * timeout covers only the time until the headers of the reply.
 */
const clientTimeoutMs = 3_600_000;
const mostTold = 300;

export class Cluster {
  /** Name for error messages. */
  readonly service: string;
  private client: Promise<Client> | undefined;

  constructor(
    private readonly address: ClusterAddress,
    private readonly limits: CallLimits = limitsOfSearches,
  ) {
    this.service = `OpenSearch at ${address.url}`;
  }

  /**
   * Makes a call, with retries, and returns the body of the reply.
   *
   * @param send function that makes the request; it may be called several times
   * @throws {ServiceFailed} the cluster is unreachable, too slow or too busy, or refuses the request (`cause` is then a
   *   `Refused`)
   */
  call(send: (client: Client) => Sent, signal: AbortSignal, limits: Partial<CallLimits> = {}): Promise<unknown> {
    const { timeoutMs, ...patient } = { ...this.limits, ...limits };
    return attempted(this.service, () => this.once(send, signal, timeoutMs), signal, patient);
  }

  /**
   * Makes one attempt and returns the body of the reply.
   *
   * @throws {PassingFailure} a retry may help
   * @throws {Refused} a retry would not help
   */
  async once(send: (client: Client) => Sent, signal: AbortSignal, timeoutMs = this.limits.timeoutMs): Promise<unknown> {
    const client = await this.connected();
    signal.throwIfAborted();
    const sent = send(client);
    let isLate = false;
    const abort = () => void sent.abort();
    const timer = setTimeout(() => {
      isLate = true;
      abort();
    }, timeoutMs);
    signal.addEventListener("abort", abort);
    try {
      return (await sent).body;
    } catch (error) {
      throw isLate ? new PassingFailure(`no reply within ${timeoutMs} ms`) : failureOf(error as Error);
    } finally {
      clearTimeout(timer);
      signal.removeEventListener("abort", abort);
    }
  }

  get retryLimits(): RetryLimits {
    return this.limits;
  }

  async close(): Promise<void> {
    await (await this.client)?.close();
  }

  /** Loads the client library on first use, since most gyms do not use OpenSearch. */
  private connected(): Promise<Client> {
    this.client ??= import("@opensearch-project/opensearch").then(({ Client }) => {
      const { url, username, password } = this.address;
      return new Client({
        node: url,
        ...(username !== undefined && { auth: { username, password: password ?? "" } }),
        // Retries of the client are off: the client would retry at once, and never after status 429 (busy).
        maxRetries: 0,
        requestTimeout: clientTimeoutMs,
        resurrectStrategy: "none",
      });
    });
    return this.client;
  }
}

interface ClientError extends Error {
  statusCode?: number;
  body?: unknown;
  headers?: Record<string, string> | null;
}

/**
 * Converts an error of the client to an error without credentials. The client's error contains the request and must not
 * be logged.
 */
function failureOf({ name, message, statusCode: status, body, headers }: ClientError): Error {
  if (name === "ConnectionError" || name === "TimeoutError") return new PassingFailure(message);
  if (name !== "ResponseError" || status === undefined) return new Error(message.slice(0, mostTold));
  const { type, reason } = errorOf(body);
  if (status === 429 || status >= 500)
    return new PassingFailure(`status ${status}: ${reason}`, retryAfterMs(headers?.["retry-after"]));
  return new Refused(status, type, reason);
}

/**
 * Returns the type and the reason from OpenSearch's `{error: {type, reason}}`, or the beginning of any other body as
 * the reason.
 */
export function errorOf(body: unknown): { type: string; reason: string } {
  const { type = "", reason } = ((body as { error?: unknown } | null)?.error ?? {}) as {
    type?: string;
    reason?: string;
  };
  const told = typeof body === "string" ? body : JSON.stringify(body);
  return { type, reason: `${reason ?? told ?? "no body"}`.slice(0, mostTold) };
}
