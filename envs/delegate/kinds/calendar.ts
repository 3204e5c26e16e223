/** Dates as days since 1 January 1970. */
const months = "January February March April May June July August September October November December".split(" ");

/** Formats a day as `3 June 2024`. */
export function dateOf(day: number): string {
  const date = new Date(day * 86_400_000);
  return `${date.getUTCDate()} ${months[date.getUTCMonth()]} ${date.getUTCFullYear()}`;
}

/** Parses `3 June 2024`, `June 3, 2024` or `2024-06-03`. Returns null for a date that does not exist. */
export function dayIn(text: string): number | null {
  const found =
    /^(?<date>\d{1,2})(?:st|nd|rd|th)? (?<month>\w+),? (?<year>\d{4})$/.exec(text) ??
    /^(?<month>\w+) (?<date>\d{1,2})(?:st|nd|rd|th)?,? (?<year>\d{4})$/.exec(text) ??
    /^(?<year>\d{4})-(?<month>\d{2})-(?<date>\d{2})$/.exec(text);
  if (!found) return null;
  const { date = "", month = "", year = "" } = found.groups ?? {};
  const named = month.length < 3 ? -1 : months.findIndex((name) => name.toLowerCase().startsWith(month.toLowerCase()));
  const at = /^\d+$/.test(month) ? Number(month) - 1 : named;
  const ms = Date.UTC(Number(year), at, Number(date));
  const read = new Date(ms);
  return at >= 0 && read.getUTCMonth() === at && read.getUTCDate() === Number(date) ? ms / 86_400_000 : null;
}
