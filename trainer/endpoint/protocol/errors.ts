/** Errors of the endpoint in the form of OpenAI's API: `{error: {message, type, param, code}}`. */

/** HTTP status and OpenAI type by code. OpenAI's clients retry after status 408, 409, 429 and 500 or above. */
const table = {
  invalid_request: [400, "invalid_request_error"],
  unsupported_parameter: [400, "invalid_request_error"],
  rollout_required: [400, "invalid_request_error"],
  context_length_exceeded: [400, "invalid_request_error"],
  invalid_api_key: [401, "authentication_error"],
  origin_refused: [403, "permission_error"],
  unknown_url: [404, "invalid_request_error"],
  rollout_not_found: [404, "invalid_request_error"],
  call_not_found: [404, "invalid_request_error"],
  rollout_ended: [410, "invalid_request_error"],
  request_too_large: [413, "invalid_request_error"],
  unsupported_media_type: [415, "invalid_request_error"],
  no_room: [429, "rate_limit_error"],
  endpoint_fault: [500, "server_error"],
  generation_failed: [500, "server_error"],
  endpoint_closed: [503, "server_error"],
} as const satisfies Record<string, readonly [number, string]>;

export type EndpointErrorCode = keyof typeof table;

export interface EndpointErrorBody {
  readonly error: {
    readonly message: string;
    readonly type: string;
    readonly param: string | null;
    readonly code: EndpointErrorCode;
  };
}

export class EndpointError extends Error {
  override readonly name = "EndpointError";

  /** @param param parameter of the request that caused the error, such as `messages[0].content` */
  constructor(
    readonly code: EndpointErrorCode,
    message: string,
    readonly param?: string,
  ) {
    super(message);
  }

  get status(): number {
    return table[this.code][0];
  }

  toBody(): EndpointErrorBody {
    const { code, message, param = null } = this;
    return { error: { message, type: table[code][1], param, code } };
  }
}

/** Makes the error for a call to an ended rollout. @param failure failure of the rollout, if it failed */
export function rolloutEnded(failure: { readonly message: string } | undefined): EndpointError {
  const state = failure ? `has failed (${failure.message})` : "has ended";
  return new EndpointError("rollout_ended", `The rollout ${state}. Claim another with POST /rollouts.`);
}

export function unsupported(param: string, expected: string, received: unknown): EndpointError {
  return new EndpointError("unsupported_parameter", `expected ${expected}, but received ${shown(received)}`, param);
}

/** Quotes a value for a message, cut to a readable length. */
export function shown(value: unknown): string {
  const text = JSON.stringify(value) ?? String(value);
  return text.length <= 100 ? text : `${text.slice(0, 99)}…`;
}
