/** Checks the replies of the sites. */
import type { Response } from "playwright";
import { ServiceFailed } from "../../errors.js";

/** @throws {ServiceFailed} the site does not answer, or answers with a status of 500 or higher */
export function checkResponse(response: Response | null | undefined): void {
  if (!response) return;
  checkReached(response);
  const status = response.status();
  if (status >= 500) throw new ServiceFailed(`a page at ${response.url()}`, `status ${status}`);
}

/** @throws {ServiceFailed} the site does not answer, so that the response comes from the session's proxy */
export function checkReached(response: Response): void {
  const [, error] = /^palestra; error=(\w+)/.exec(response.headers()["proxy-status"] ?? "") ?? [];
  if (error !== undefined && error !== "http_request_denied")
    throw new ServiceFailed(`a site at ${response.url()}`, error.replaceAll("_", " "));
}
