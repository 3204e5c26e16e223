/** Where a log is: the file of a log in SQLite, or the URL of a log in PostgreSQL. */
import { resolve } from "node:path";

export type LogPlace = { path: string } | { url: string };

/** @param text path of a file, or a URL that starts with `postgres://` or `postgresql://` */
export function logPlace(text: string): LogPlace {
  return /^postgres(ql)?:\/\//.test(text) ? { url: text } : { path: resolve(text) };
}

/**
 * Returns the place for people, without the password of a URL. A password may have the characters `/`, `?`, `#` and `@`,
 * which make the URL wrong, and a wrong URL is shown in an error.
 */
export function shownPlace(place: LogPlace): string {
  if ("path" in place) return place.path;
  return place.url.replace(/^([^:]+:\/\/[^:@/]*):.*@/, "$1@").replace(/([?&]password=)[^&#]*/gi, "$1...");
}
