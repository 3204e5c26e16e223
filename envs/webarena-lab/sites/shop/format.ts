/** Formats amounts, dates and numbers for the shop and its administration. */

/** @param cents amount in cents: 123456 gives `$1,234.56` */
export function money(cents: number): string {
  const [whole = "", part] = (Math.abs(cents) / 100).toFixed(2).split(".");
  const text = `$${whole.replace(/\B(?=(?:\d{3})+$)/g, ",")}.${part}`;
  return cents < 0 ? `-${text}` : text;
}

/** Formats an amount for a form field: `27.00`. */
export function amount(cents: number): string {
  return (cents / 100).toFixed(2);
}

/** Reads an amount of money in cents. Returns undefined for any other text. */
export function centsOf(text: string): number | undefined {
  const [, whole, part = ""] = /^\$?\s*(\d{1,7})(?:\.(\d{1,2})0*)?$/.exec(text.trim().replaceAll(",", "")) ?? [];
  return whole === undefined ? undefined : Number(whole) * 100 + Number(part.padEnd(2, "0"));
}

const months = "January February March April May June July August September October November December".split(" ");

/** Formats a date as `3/9/24`. */
export function shortDate(at: number): string {
  const date = new Date(at);
  return `${date.getUTCMonth() + 1}/${date.getUTCDate()}/${String(date.getUTCFullYear()).slice(2)}`;
}

/** Formats a date as `March 9, 2024`. */
export function longDate(at: number): string {
  const date = new Date(at);
  return `${months[date.getUTCMonth()]} ${date.getUTCDate()}, ${date.getUTCFullYear()}`;
}

/** Formats a time as `Mar 9, 2024, 4:05:09 PM`. */
export function timestamp(at: number): string {
  const date = new Date(at);
  const hour = date.getUTCHours();
  const two = (value: number) => String(value).padStart(2, "0");
  const clock = `${hour % 12 || 12}:${two(date.getUTCMinutes())}:${two(date.getUTCSeconds())} ${hour < 12 ? "AM" : "PM"}`;
  return `${months[date.getUTCMonth()]?.slice(0, 3)} ${date.getUTCDate()}, ${date.getUTCFullYear()}, ${clock}`;
}

export function monthName(at: number): string {
  const date = new Date(at);
  return `${months[date.getUTCMonth()]} ${date.getUTCFullYear()}`;
}

/** Formats an id with nine digits: `000000123`. */
export function number9(id: number): string {
  return String(id).padStart(9, "0");
}

export function slug(text: string): string {
  return text
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, "-")
    .replace(/^-|-$/g, "");
}

/** Reads the id of a row from a part of a URL. Returns undefined for any other text. */
export function idOf(text: string | undefined): number | undefined {
  return text !== undefined && /^\d{1,9}$/.test(text) ? Number(text) : undefined;
}
