/** Location of a log: the file of a log in SQLite, or the URL of a log in PostgreSQL. */
import { resolve } from "node:path";
import { OperatorError } from "../../config/operator-error.js";

export type LogPlace = { path: string } | { url: string };

/**
 * @param text path of a file, or a URL that starts with `postgres://` or `postgresql://`
 * @throws {OperatorError} a URL of another kind, which may have a password
 */
export function logPlace(text: string): LogPlace {
  if (/^postgres(ql)?:\/\//.test(text)) return { url: text };
  const [, scheme] = /^([a-z][a-z0-9+.-]+):\//i.exec(text) ?? [];
  if (scheme === undefined) return { path: resolve(text) };
  throw new OperatorError("a file, or a URL that begins with postgres://", `a URL that begins with ${scheme}:`);
}

/**
 * Returns the place for people, without the password of a URL. A password may have the characters `/`, `?`, `#` and `@`,
 * which make the URL wrong, and a wrong URL is shown in an error.
 */
export function shownPlace(place: LogPlace): string {
  if ("path" in place) return place.path;
  return place.url.replace(/^([^:]+:\/\/[^:@/]*):.*@/, "$1@").replace(/([?&]password=)[^&#]*/gi, "$1...");
}
