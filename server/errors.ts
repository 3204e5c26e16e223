/**
 * Table of all errors of the gym, with their code, class and HTTP status. The routes, the socket, the OpenAPI document
 * and `openapi/errors.md` all use this table. A published code never changes its meaning.
 *
 * The class tells a trainer how to react:
 * - `action`: the caller made a mistake.
 * - `environment`: the environment has a bug.
 * - `infrastructure`: the gym's machinery failed. Mask the trajectory instead of scoring it zero.
 * - `capacity`: a limit is reached. Try again later.
 */

export type FailureClass = "action" | "environment" | "infrastructure" | "capacity";

export interface ErrorEntry {
  status: number;
  class: FailureClass;
  /** Sentence in the documentation that describes when the error occurs. */
  when: string;
  /** Remedy for the caller. It is appended to every message. */
  remedy?: string;
}

export const errorTable = {
  REQUEST_MALFORMED: { status: 400, class: "action", when: "The request is not HTTP, or its body is not JSON." },
  REQUEST_INVALID: { status: 400, class: "action", when: "A body, parameter or header does not fit its schema." },
  REQUEST_TOO_LARGE: { status: 413, class: "action", when: "The body or frame is larger than the limit." },
  REQUEST_HEAD_TOO_LARGE: { status: 431, class: "action", when: "The URL and the headers exceed the size limit." },
  REQUEST_TIMEOUT: { status: 408, class: "action", when: "The request did not arrive completely in time." },
  REQUEST_MEDIA_TYPE: { status: 415, class: "action", when: "The media type of the body is not JSON." },
  ROUTE_UNKNOWN: { status: 404, class: "action", when: "No route has this path." },
  METHOD_NOT_ALLOWED: { status: 405, class: "action", when: "The route does not support this HTTP method." },
  SOCKET_FRAME_BINARY: {
    status: 400,
    class: "action",
    when: "The client sent a binary frame. The socket accepts only text frames.",
  },
  SOCKET_EXPECTED: {
    status: 426,
    class: "action",
    when: "The path is a WebSocket endpoint, but the request is not a WebSocket upgrade.",
  },

  TOKEN_MISSING: {
    status: 401,
    class: "action",
    when: "The gym requires a bearer token, but the request has none.",
    remedy: "Create a token on the gym's machine with `palestra token create --name <name>`.",
  },
  TOKEN_INVALID: { status: 401, class: "action", when: "The bearer token is unknown or revoked." },
  TOKEN_EXPIRED: {
    status: 401,
    class: "action",
    when: "The bearer token has expired.",
    remedy: "Create a new token on the gym's machine with `palestra token create --name <name>`.",
  },
  RIGHT_MISSING: {
    status: 403,
    class: "action",
    when: "The token does not have the right `expert` or `runs`, which this call needs.",
    remedy:
      "Create a token on the gym's machine with `palestra token create --name <name>` and the option `--expert` or `--runs`.",
  },
  ORIGIN_REFUSED: {
    status: 403,
    class: "action",
    when: "A web page of a different origin or host name sent the request, without a token.",
  },

  ENVIRONMENT_UNKNOWN: { status: 404, class: "action", when: "No environment has this id and version." },
  ENVIRONMENT_UNAVAILABLE: {
    status: 503,
    class: "infrastructure",
    when: "A program or file that the environment needs is missing on this machine.",
  },
  OPTION_UNKNOWN: {
    status: 400,
    class: "action",
    when: "The environment does not have this option, or the option does not accept this value.",
  },
  SPLIT_UNKNOWN: { status: 404, class: "action", when: "The environment has no split of this name." },
  TASK_OUT_OF_RANGE: { status: 404, class: "action", when: "The split has no task with this index." },

  EPISODE_UNKNOWN: { status: 404, class: "action", when: "The caller has no episode with this id." },
  EPISODE_CLOSED: { status: 410, class: "action", when: "The owner has deleted the episode." },
  EPISODE_ENDED: {
    status: 409,
    class: "action",
    when: "The episode has ended. It accepts no more steps, and cannot be forked after its last step.",
  },
  EPISODE_FAILED: { status: 409, class: "action", when: "The episode failed earlier. `details` contains the error." },
  EPISODE_LOST: {
    status: 409,
    class: "infrastructure",
    when: "The episode's instance is lost, or a fork needs a replay, but the environment does not support replay.",
  },
  STEP_INDEX: { status: 409, class: "action", when: "The step's index is not the next index of the episode." },
  STEP_CONFLICT: {
    status: 409,
    class: "action",
    when: "The episode already has a step with this index and a different action.",
  },
  SEAT_UNKNOWN: {
    status: 404,
    class: "action",
    when: "The environment of the episode has no seat of this name, or no seats.",
  },
  SEAT_TURN: {
    status: 409,
    class: "action",
    when: "Another seat acts next. `details.turn` names it; wait for the turn with `GET /v1/episodes/{episodeId}/seats/{seat}`.",
  },
  ACTION_TOO_LARGE: {
    status: 413,
    class: "action",
    when: "The action, or the answer to score, is longer than the limit.",
  },
  BATCH_TOO_LARGE: {
    status: 413,
    class: "action",
    when: "The request was performed, but its result does not fit into the reply to the batch. Repeat the request alone.",
  },
  PAIR_INVALID: {
    status: 400,
    class: "action",
    when: "The episodes of a judgment are not two episodes of one task with the same seed and options.",
  },
  IDEMPOTENCY_CONFLICT: {
    status: 409,
    class: "action",
    when: "The idempotency key was already used for a different request.",
  },
  CALLER_GONE: {
    status: 499,
    class: "action",
    when: "The caller disconnected before its episode was open, so the episode was not opened. Nobody gets this reply.",
  },
  EXPERT_MISSING: { status: 404, class: "action", when: "The environment has no expert." },
  VERIFIER_MISSING: {
    status: 404,
    class: "action",
    when: "The environment does not score answers without an episode.",
  },
  RENDER_MISSING: { status: 404, class: "action", when: "The environment does not render pictures." },
  QUERY_UNKNOWN: { status: 404, class: "action", when: "The environment has no query of this name." },

  RUN_UNKNOWN: { status: 404, class: "action", when: "The folders of runs have no run of this name and kind." },
  RUN_PART_UNKNOWN: {
    status: 404,
    class: "action",
    when: "The run has no such episode, or the groups of this train step are not in the log.",
  },
  RUN_DAMAGED: {
    status: 500,
    class: "infrastructure",
    when: "A file of the run could not be read, or has other content than a run writes.",
  },
  RUNS_FAILED: { status: 503, class: "infrastructure", when: "The gym could not read the folders of runs." },

  ENVIRONMENT_THREW: { status: 500, class: "environment", when: "The environment threw an error." },
  ENVIRONMENT_HUNG: {
    status: 500,
    class: "environment",
    when: "A call of the environment used the processor for longer than its limit, or waited twice for 10 seconds without using it.",
  },
  ENVIRONMENT_OUT_OF_MEMORY: {
    status: 500,
    class: "environment",
    when: "A call of the environment exceeded the memory limit of its host.",
  },
  ENVIRONMENT_RESULT: {
    status: 500,
    class: "environment",
    when: "A return value of the environment violates the contract.",
  },
  ENVIRONMENT_DIVERGED: {
    status: 500,
    class: "environment",
    when: "A replay gave different replies than the log, so the environment is not deterministic.",
  },

  ENVIRONMENT_TIMEOUT: {
    status: 504,
    class: "infrastructure",
    when: "An asynchronous environment did not reply before its deadline.",
  },
  SANDBOX_MISSING: {
    status: 503,
    class: "infrastructure",
    when: "A program, file or service that the environment's sandbox needs is missing on this machine.",
  },
  SANDBOX_REFUSED: {
    status: 503,
    class: "infrastructure",
    when: "The sandbox provider cannot guarantee the properties that the environment requires.",
  },
  SANDBOX_START: { status: 503, class: "infrastructure", when: "The environment's sandbox did not start." },
  SANDBOX_TIMEOUT: { status: 503, class: "infrastructure", when: "The environment's sandbox did not reply in time." },
  SANDBOX_LOST: { status: 503, class: "infrastructure", when: "The environment's sandbox ended unexpectedly." },
  SANDBOX_TOO_LARGE: {
    status: 503,
    class: "infrastructure",
    when: "A file in the environment's sandbox exceeds the size limit for reading.",
  },
  SANDBOX_NO_FILE: { status: 503, class: "infrastructure", when: "A file is missing in the environment's sandbox." },

  SERVICE_FAILED: {
    status: 503,
    class: "infrastructure",
    when: "A service that the environment uses, such as a web site or an LLM judge, failed.",
  },

  REPLAY_TIMEOUT: {
    status: 504,
    class: "infrastructure",
    when: "The replay of an episode for a proof took longer than its limit.",
  },
  HOST_FAILED: {
    status: 503,
    class: "infrastructure",
    when: "No thread or process could run the environment: none was available, each one died, or the system had no more memory, files or disk.",
  },
  JUDGMENTS_FAILED: {
    status: 503,
    class: "infrastructure",
    when: "The judgments could not be read or written.",
  },
  EPISODE_ELSEWHERE: {
    status: 503,
    class: "infrastructure",
    when: "Another gym of the fleet has the episode, and this gym could not reach it.",
    remedy: "Send the request again.",
  },
  LOG_FAILED: { status: 503, class: "infrastructure", when: "The episode log could not be read or written." },
  LOG_CORRUPT: {
    status: 500,
    class: "infrastructure",
    when: "A stored step, reset result or other row of an episode is damaged, because bits of the log's file have changed.",
    remedy: "Stop the gym, check the log with `palestra log verify`, and repair it with `palestra log repair`.",
  },
  SERVER_DRAINING: { status: 503, class: "infrastructure", when: "The server is shutting down." },
  SERVER_FAULT: { status: 500, class: "infrastructure", when: "The gym itself has a bug. Please report it." },

  LIMIT_TOKEN_EPISODES: {
    status: 429,
    class: "capacity",
    when: "The token or its group has reached its limit of live episodes.",
  },
  LIMIT_TOKEN_SANDBOXES: {
    status: 429,
    class: "capacity",
    when: "The token or its group has reached its limit of live episodes that hold a sandbox.",
  },
  LIMIT_TOKEN_STEPS: {
    status: 429,
    class: "capacity",
    when: "The token or its group has reached its limit of steps for the current UTC day.",
  },
  LIMIT_TOKEN_WAITS: {
    status: 429,
    class: "capacity",
    when: "The caller has reached its share of calls that wait for a seat's turn, or too many calls wait for one seat. A step of such a call was not taken.",
    remedy: "Send the call again when another one has its reply, or without `waitMs`.",
  },
  LIMIT_TOKEN_JUDGMENTS: {
    status: 429,
    class: "capacity",
    when: "The caller has reached the limit of judgments that are kept for a token.",
  },
  LIMIT_NOTES: { status: 409, class: "action", when: "The episode has reached its limit of notes." },
  LIMIT_EPISODES: { status: 503, class: "capacity", when: "The gym has reached its limit of live episodes." },
  LIMIT_TOKEN_LOG: {
    status: 429,
    class: "capacity",
    when: "The token's episodes have reached the token's limit of bytes in the log. Only running episodes go on.",
    remedy: "The limit is the option `--max-log-mb` of `palestra token create`.",
  },
  LIMIT_LOG: {
    status: 503,
    class: "capacity",
    when: "The log has reached `log.maxMb`, and all episodes that could be removed are removed. Only running episodes go on.",
    remedy: "Raise the setting `log.maxMb`, or wait until running episodes have ended.",
  },
  DISK_LOW: {
    status: 503,
    class: "capacity",
    when: "The disk of the log is nearly full, so no new episode is opened. Running episodes go on.",
    remedy: "Free space on the disk of the gym's data directory, or lower the setting `log.minFreeMb`.",
  },
  LIMIT_IN_FLIGHT: {
    status: 503,
    class: "capacity",
    when: "Too many steps, answers, replays or calls about runs wait for their replies.",
  },
  LIMIT_EXPORTS: {
    status: 503,
    class: "capacity",
    when: "Too many exports are being sent to this caller, or to all callers. Repeat the request when one of them is done.",
  },
  SANDBOX_FULL: { status: 503, class: "capacity", when: "The limit of concurrent sandboxes is reached." },
  LIMIT_PARTIAL: {
    status: 503,
    class: "capacity",
    when: "The request was dropped before it had arrived completely, since clients have sent too many incomplete requests. Repeat it.",
  },
  LIMIT_UNSENT: {
    status: 503,
    class: "capacity",
    when: "The request was performed, but its reply was dropped, since clients leave too many reply bytes unread. Repeat it.",
  },
} as const satisfies Record<string, ErrorEntry>;

export type ErrorCode = keyof typeof errorTable;

export const errorCodes = Object.keys(errorTable) as [ErrorCode, ...ErrorCode[]];

/** Body of every error reply: `{"error": …}` on HTTP, and beside the request's id on the socket. */
export interface ErrorBody {
  code: ErrorCode;
  class: FailureClass;
  /** `expected …, but received …` or a statement such as `The server is shutting down.`, and the table's remedy. */
  message: string;
  details?: Record<string, unknown>;
}

/** Limit on the characters of each part of a message. Text from an environment may have any length. */
const longestSide = 2_000;

export class GymError extends Error {
  override readonly name = "GymError";
  readonly status: number;
  readonly failureClass: FailureClass;
  /** Frames of the environment's code that threw. The gym logs them, and never sends them to callers. */
  trace?: string | undefined;

  /**
   * @param expected noun phrase for the right value, or "" if `received` is a statement
   * @param received the actual value. Quote values from outside with `shown`.
   */
  constructor(
    readonly code: ErrorCode,
    readonly expected: string,
    readonly received: string,
    readonly details?: Record<string, unknown>,
  ) {
    const { status, class: failureClass, remedy }: ErrorEntry = errorTable[code];
    const value = shortened(received, longestSide);
    const message = expected === "" ? value : `expected ${shortened(expected, longestSide)}, but received ${value}`;
    super(remedy === undefined ? message : `${message}${expected === "" ? "" : "."} ${remedy}`);
    this.status = status;
    this.failureClass = failureClass;
  }

  /** Returns an error whose message is a statement, such as "The server is shutting down.", and the table's remedy. */
  static ofState(code: ErrorCode, statement: string, details?: Record<string, unknown>): GymError {
    return new GymError(code, "", statement, details);
  }

  /**
   * Returns the error of an environment that failed.
   *
   * @param expected noun phrase for what the environment should have returned
   * @param detail description of what it threw, or a full message that starts with "expected"
   * @param trace frames of the environment's code
   */
  static ofEnvironment(code: ErrorCode, expected: string, detail: string, trace?: string): GymError {
    const isFull = detail.startsWith("expected ");
    return Object.assign(new GymError(code, isFull ? "" : expected, detail), { trace });
  }

  /** Returns an error as another gym of the fleet has reported it. */
  static reported({ code, message, details }: Pick<ErrorBody, "code" | "message" | "details">): GymError {
    return Object.assign(GymError.ofState(code, "", details), { message });
  }

  toBody(): ErrorBody {
    const body: ErrorBody = { code: this.code, class: this.failureClass, message: this.message };
    if (this.details) body.details = this.details;
    return body;
  }
}

const shownLength = 120;

/** Quotes a value from outside and cuts it to a length that fits into a message. */
export function shown(value: unknown): string {
  if (typeof value === "string") return quoted(value);
  const text = JSON.stringify(value) ?? String(value);
  return text.length <= shownLength ? text : quoted(text);
}

function quoted(text: string): string {
  const { head, rest } = cut(text, shownLength);
  return `${JSON.stringify(head)}${rest}`;
}

/** Cuts text from outside to a length. */
export function shortened(text: string, length: number): string {
  const { head, rest } = cut(text, length);
  return `${head}${rest}`;
}

function cut(text: string, length: number): { head: string; rest: string } {
  if (text.length <= length) return { head: text, rest: "" };
  return { head: text.slice(0, length).toWellFormed(), rest: ` and ${text.length - length} characters more` };
}
