/** Numbers as people read them. */
const whole = new Intl.NumberFormat("en", { maximumFractionDigits: 0 });
const short = new Intl.NumberFormat("en", { maximumSignificantDigits: 3 });

export function countText(value: number): string {
  return whole.format(value);
}

const units = ["B", "kB", "MB", "GB", "TB"];

export function bytesText(bytes: number): string {
  let [value, unit] = [bytes, 0];
  while (value >= 999.5 && unit < units.length - 1) [value, unit] = [value / 1_000, unit + 1];
  return `${short.format(value)} ${units[unit]}`;
}

export function msText(ms: number | null): string {
  if (ms === null) return "–";
  return ms < 1_000 ? `${short.format(ms)} ms` : `${short.format(ms / 1_000)} s`;
}

/** Returns the two largest units of a duration, such as `3 h 12 min`. */
export function durationText(ms: number): string {
  const minutes = Math.floor(ms / 60_000);
  const [days, hours] = [Math.floor(minutes / 1_440), Math.floor(minutes / 60) % 24];
  if (days > 0) return `${days} d ${hours} h`;
  return hours > 0 ? `${hours} h ${minutes % 60} min` : `${minutes} min`;
}
