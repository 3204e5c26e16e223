/** Errors in the form of Anthropic's API: https://docs.anthropic.com/en/api/errors */
import type { EndpointError } from "../errors.js";

/** Types of errors by HTTP status; other statuses below 500 have the type of an invalid request. */
const types: Readonly<Record<number, string>> = {
  401: "authentication_error",
  403: "permission_error",
  404: "not_found_error",
  413: "request_too_large",
  429: "rate_limit_error",
  500: "api_error",
  503: "overloaded_error",
};

/** Makes the body of an error. Beside Anthropic's fields it has the endpoint's own code and the parameter's name. */
export function errorBody({ status, code, message, param }: EndpointError): object {
  return {
    type: "error",
    error: { type: types[status] ?? "invalid_request_error", message, code, param: param ?? null },
  };
}
