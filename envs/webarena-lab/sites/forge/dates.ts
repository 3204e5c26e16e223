/** Formats times in UTC. */

const months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];

/** Formats a day as `Mar 5, 2024`. */
export function shownDay(time: number | string): string {
  const date = new Date(typeof time === "string" ? `${time}T00:00:00Z` : time);
  return `${months[date.getUTCMonth()]} ${date.getUTCDate()}, ${date.getUTCFullYear()}`;
}

/** Formats a time as `Mar 5, 2024 9:07am UTC`. */
export function shownTime(time: number): string {
  const date = new Date(time);
  const [hour, minute] = [date.getUTCHours(), date.getUTCMinutes()];
  return `${shownDay(time)} ${hour % 12 || 12}:${`${minute}`.padStart(2, "0")}${hour < 12 ? "am" : "pm"} UTC`;
}

/** Reads a day, such as `03/15/2024`, from a form field. Returns `2024-03-15`, or `""` if the day is invalid. */
export function dayFrom(text: string): string {
  const trimmed = text.trim();
  const [, month, date, year] = /^(\d{1,2})\/(\d{1,2})\/(\d{4})$/.exec(trimmed) ?? [];
  const day = year ? `${year}-${month?.padStart(2, "0")}-${date?.padStart(2, "0")}` : trimmed;
  if (!/^\d{4}-\d{2}-\d{2}$/.test(day)) return "";
  const time = Date.parse(`${day}T00:00:00Z`);
  return Number.isNaN(time) || new Date(time).toISOString().slice(0, 10) !== day ? "" : day;
}
