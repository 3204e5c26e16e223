/**
 * Every error that the gym answers with: code, class, HTTP status. Routes, socket, OpenAPI document and
 * `openapi/errors.md` all read this table. A code, once published, is never given another meaning.
 *
 * The class tells a trainer what to do: `action` is the caller's own mistake; `environment` a bug in the environment;
 * `infrastructure` the gym's machinery failed, so mask the trajectory instead of scoring it zero; `capacity` try later.
 */

export type FailureClass = "action" | "environment" | "infrastructure" | "capacity";

export interface ErrorEntry {
  status: number;
  class: FailureClass;
  /** When it is answered, as a sentence for the documentation. */
  when: string;
  /** Remedy for the caller: the sentence that ends every message. */
  remedy?: string;
}

export const errorTable = {
  REQUEST_MALFORMED: { status: 400, class: "action", when: "The request is not HTTP, or its body not JSON." },
  REQUEST_INVALID: { status: 400, class: "action", when: "A body, parameter or header does not fit its schema." },
  REQUEST_TOO_LARGE: { status: 413, class: "action", when: "The body or frame is larger than the limit." },
  REQUEST_HEAD_TOO_LARGE: { status: 431, class: "action", when: "The URL and the headers are larger than the limit." },
  REQUEST_TIMEOUT: { status: 408, class: "action", when: "The request did not arrive as a whole in time." },
  REQUEST_MEDIA_TYPE: { status: 415, class: "action", when: "The body is of another media type than JSON." },
  ROUTE_UNKNOWN: { status: 404, class: "action", when: "No route has this path." },
  METHOD_NOT_ALLOWED: { status: 405, class: "action", when: "The path is known, but not with this method." },
  SOCKET_FRAME_BINARY: { status: 400, class: "action", when: "A binary frame came where only text frames are read." },
  SOCKET_EXPECTED: { status: 426, class: "action", when: "A plain request came where a WebSocket is served." },

  TOKEN_MISSING: {
    status: 401,
    class: "action",
    when: "This address needs a bearer token and none was sent.",
    remedy: "Create a token on the gym's machine with `palestra token create --name <name>`.",
  },
  TOKEN_INVALID: { status: 401, class: "action", when: "The bearer token is unknown or revoked." },
  RIGHT_MISSING: {
    status: 403,
    class: "action",
    when: "The token does not carry the right that this call needs.",
    remedy: "Create a token on the gym's machine with `palestra token create --name <name> --expert`.",
  },
  ORIGIN_REFUSED: {
    status: 403,
    class: "action",
    when: "A page of another origin or host name called without a token.",
  },

  ENVIRONMENT_UNKNOWN: { status: 404, class: "action", when: "No environment has this id or version." },
  ENVIRONMENT_UNAVAILABLE: {
    status: 503,
    class: "infrastructure",
    when: "The environment needs something that this machine lacks.",
  },
  OPTION_UNKNOWN: {
    status: 400,
    class: "action",
    when: "The environment has no option of this name, or the option no such value.",
  },
  SPLIT_UNKNOWN: { status: 404, class: "action", when: "The environment has no split of this name." },
  TASK_OUT_OF_RANGE: { status: 404, class: "action", when: "The split has no task of this index." },

  EPISODE_UNKNOWN: { status: 404, class: "action", when: "No episode of this caller has this id." },
  EPISODE_CLOSED: { status: 410, class: "action", when: "The episode was deleted by its owner." },
  EPISODE_ENDED: { status: 409, class: "action", when: "A step or fork was asked for after the episode's end." },
  EPISODE_FAILED: { status: 409, class: "action", when: "The episode failed earlier; its failure is in the details." },
  EPISODE_LOST: {
    status: 409,
    class: "infrastructure",
    when: "The instance is gone and the environment cannot be restored by replay.",
  },
  STEP_INDEX: { status: 409, class: "action", when: "The step is not the next one of its episode." },
  STEP_CONFLICT: { status: 409, class: "action", when: "This step was taken already, with another action." },
  ACTION_TOO_LARGE: { status: 413, class: "action", when: "The action is longer than the limit." },
  BATCH_TOO_LARGE: {
    status: 413,
    class: "action",
    when: "The entry was done, but its reply no longer fits into the batch's: ask for it alone.",
  },
  IDEMPOTENCY_CONFLICT: { status: 409, class: "action", when: "The idempotency key was used for another request." },
  EXPERT_MISSING: { status: 404, class: "action", when: "The environment has no expert." },
  VERIFIER_MISSING: { status: 404, class: "action", when: "The environment scores no answers without an episode." },
  RENDER_MISSING: { status: 404, class: "action", when: "The environment draws no pictures." },
  QUERY_UNKNOWN: { status: 404, class: "action", when: "The environment has no query of this name." },

  ENVIRONMENT_THREW: { status: 500, class: "environment", when: "The environment threw an error." },
  ENVIRONMENT_HUNG: { status: 500, class: "environment", when: "A step ran past its deadline." },
  ENVIRONMENT_OUT_OF_MEMORY: { status: 500, class: "environment", when: "A step used up the memory of its host." },
  ENVIRONMENT_RESULT: { status: 500, class: "environment", when: "The environment's result broke the contract." },
  ENVIRONMENT_DIVERGED: {
    status: 500,
    class: "environment",
    when: "Played again, the logged actions gave other replies: the environment is not deterministic.",
  },

  ENVIRONMENT_TIMEOUT: {
    status: 504,
    class: "infrastructure",
    when: "An environment whose engine runs outside of the gym did not answer by its deadline.",
  },
  SANDBOX_MISSING: {
    status: 503,
    class: "infrastructure",
    when: "What the environment's sandbox needs is not on this machine.",
  },
  SANDBOX_REFUSED: {
    status: 503,
    class: "infrastructure",
    when: "The environment's sandbox cannot do, or cannot hold, what was asked of it.",
  },
  SANDBOX_START: { status: 503, class: "infrastructure", when: "The environment's sandbox did not come up." },
  SANDBOX_TIMEOUT: { status: 503, class: "infrastructure", when: "The environment's sandbox did not answer in time." },
  SANDBOX_LOST: { status: 503, class: "infrastructure", when: "The environment's sandbox ended by itself." },
  SANDBOX_TOO_LARGE: {
    status: 503,
    class: "infrastructure",
    when: "A file of the environment's sandbox is larger than the environment reads.",
  },
  SANDBOX_NO_FILE: { status: 503, class: "infrastructure", when: "A file of the environment's sandbox is not there." },

  SERVICE_FAILED: {
    status: 503,
    class: "infrastructure",
    when: "A service that the environment plays on or is judged by, such as a web site, failed.",
  },

  HOST_FAILED: {
    status: 503,
    class: "infrastructure",
    when: "No thread or process could be started to run the environment.",
  },
  LOG_FAILED: { status: 503, class: "infrastructure", when: "The episode log could not be read or written." },
  SERVER_DRAINING: { status: 503, class: "infrastructure", when: "The server is shutting down." },
  SERVER_FAULT: { status: 500, class: "infrastructure", when: "A fault in the gym itself. Please report it." },

  LIMIT_TOKEN_EPISODES: { status: 429, class: "capacity", when: "The token has as many live episodes as it may." },
  LIMIT_EPISODES: { status: 503, class: "capacity", when: "The gym has as many live episodes as it may." },
  LIMIT_IN_FLIGHT: { status: 503, class: "capacity", when: "Too many steps are waiting for their replies." },
  SANDBOX_FULL: { status: 503, class: "capacity", when: "As many sandboxes run as may run at once." },
  LIMIT_UNSENT: {
    status: 503,
    class: "capacity",
    when: "What was asked for is done, but too many bytes wait for slow readers for its reply to be kept: ask again.",
  },
} as const satisfies Record<string, ErrorEntry>;

export type ErrorCode = keyof typeof errorTable;

export const errorCodes = Object.keys(errorTable) as [ErrorCode, ...ErrorCode[]];

/** The body of every error reply, on HTTP as `{"error": …}` and on the socket beside the request's id. */
export interface ErrorBody {
  code: ErrorCode;
  class: FailureClass;
  /** `expected …, but received …`, and after it the table's remedy, where there is one. */
  message: string;
  details?: Record<string, unknown>;
}

/** Characters of either side of a message. What was received may come from an environment, at any length. */
const longestSide = 2_000;

export class GymError extends Error {
  override readonly name = "GymError";
  readonly status: number;
  readonly failureClass: FailureClass;

  /**
   * @param expected what would have been right, as a noun phrase
   * @param received what came instead; quote values from outside with `shown`
   */
  constructor(
    readonly code: ErrorCode,
    readonly expected: string,
    readonly received: string,
    readonly details?: Record<string, unknown>,
  ) {
    const { status, class: failureClass, remedy }: ErrorEntry = errorTable[code];
    const message = `expected ${shortened(expected, longestSide)}, but received ${shortened(received, longestSide)}`;
    super(remedy === undefined ? message : `${message}. ${remedy}`);
    this.status = status;
    this.failureClass = failureClass;
  }

  toBody(): ErrorBody {
    const body: ErrorBody = { code: this.code, class: this.failureClass, message: this.message };
    if (this.details) body.details = this.details;
    return body;
  }
}

const shownLength = 120;

/** A value from outside, quoted and cut to a length that fits into a message. */
export function shown(value: unknown): string {
  if (typeof value === "string") return quoted(value);
  const text = JSON.stringify(value) ?? String(value);
  return text.length <= shownLength ? text : quoted(text);
}

function quoted(text: string): string {
  const { head, rest } = cut(text, shownLength);
  return `${JSON.stringify(head)}${rest}`;
}

/** Text from outside, as it is but for its length. */
export function shortened(text: string, length: number): string {
  const { head, rest } = cut(text, length);
  return `${head}${rest}`;
}

function cut(text: string, length: number): { head: string; rest: string } {
  if (text.length <= length) return { head: text, rest: "" };
  return { head: text.slice(0, length).toWellFormed(), rest: ` and ${text.length - length} characters more` };
}
