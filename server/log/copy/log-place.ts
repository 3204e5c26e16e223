/** Where a log is: the file of a log in SQLite, or the URL of a log in PostgreSQL. */
import { resolve } from "node:path";

export type LogPlace = { path: string } | { url: string };

/** @param text path of a file, or a URL that starts with `postgres://` or `postgresql://` */
export function logPlace(text: string): LogPlace {
  return /^postgres(ql)?:\/\//.test(text) ? { url: text } : { path: resolve(text) };
}

/** Returns the place for people, without the password of a URL. */
export function shownPlace(place: LogPlace): string {
  return "path" in place ? place.path : place.url.replace(/^([^:]+:\/\/[^:@/]*):[^@/]*@/, "$1@");
}
