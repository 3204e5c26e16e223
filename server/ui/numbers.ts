/** Numbers as people read them. */
type Maybe = number | null | undefined;

const whole = new Intl.NumberFormat("en", { maximumFractionDigits: 0 });
const short = new Intl.NumberFormat("en", { maximumSignificantDigits: 3 });
const exact = new Intl.NumberFormat("en", { maximumSignificantDigits: 4 });
const compact = new Intl.NumberFormat("en", { notation: "compact", maximumSignificantDigits: 4 });
const grouping = new Intl.NumberFormat("en", { maximumFractionDigits: 2 });

/** Returns a number with four significant digits: 0.1234, 45.67, 3,674, 12.35K, 1.23e-5. */
export function shortNumber(value: Maybe): string {
  if (value === null || value === undefined || Number.isNaN(value)) return "–";
  const size = Math.abs(value);
  if ((size !== 0 && size < 1e-3) || size >= 1e15) return value.toExponential(2).replace(/\.?0+e/, "e");
  return (size >= 1e4 ? compact : exact).format(value);
}

/** Returns a share from 0 to 1 in percent with one digit: 9.7 %. */
export function percent(value: Maybe): string {
  return value === null || value === undefined || Number.isNaN(value) ? "–" : `${(100 * value).toFixed(1)} %`;
}

export function decimal(value: Maybe, digits = 2): string {
  return value === null || value === undefined ? "–" : value.toFixed(digits);
}

export function grouped(value: number): string {
  return grouping.format(value);
}

export function countText(value: number): string {
  return whole.format(value);
}

/** Returns a count with its noun: `1 step`, `2 steps`. @param nouns plural, if it is not the noun with an `s` */
export function counted(count: number, noun: string, nouns = `${noun}s`): string {
  return `${countText(count)} ${count === 1 ? noun : nouns}`;
}

/** Returns a time of the reader's clock: 2026-11-30 09:05:00. @param time ISO 8601, or milliseconds since 1970 */
export function dateText(time: string | number): string {
  const date = new Date(time);
  if (Number.isNaN(date.getTime())) return "–";
  const two = (value: number) => `${value}`.padStart(2, "0");
  const day = [date.getFullYear(), two(date.getMonth() + 1), two(date.getDate())].join("-");
  return `${day} ${[date.getHours(), date.getMinutes(), date.getSeconds()].map(two).join(":")}`;
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

/** Returns the two largest units of a duration, such as `3 h 12 min`, or its seconds below a minute. */
export function durationText(ms: number): string {
  if (ms < 60_000) return `${Math.floor(ms / 1_000)} s`;
  const minutes = Math.floor(ms / 60_000);
  const [days, hours] = [Math.floor(minutes / 1_440), Math.floor(minutes / 60) % 24];
  if (days > 0) return `${days} d ${hours} h`;
  return hours > 0 ? `${hours} h ${minutes % 60} min` : `${minutes} min`;
}

/** Returns the end of a progress: `about 3 min left`. */
export function timeLeftText(seconds: number): string {
  return seconds < 1 ? "less than a second left" : `about ${durationText(1_000 * seconds)} left`;
}

export function meanOf(values: readonly number[]): number | undefined {
  return values.length === 0 ? undefined : values.reduce((sum, value) => sum + value, 0) / values.length;
}

export interface Estimate {
  readonly value: number;
  readonly low: number;
  readonly high: number;
}

const z95 = 1.959963984540054;

/** Returns the 95 % interval of a share of successes among independent trials (Wilson 1927). */
export function wilsonInterval(share: number, trials: number): [low: number, high: number] {
  const shrunk = (share + z95 ** 2 / (2 * trials)) / (1 + z95 ** 2 / trials);
  const half = (z95 / (1 + z95 ** 2 / trials)) * Math.sqrt((share * (1 - share)) / trials + (z95 / (2 * trials)) ** 2);
  return [Math.max(0, shrunk - half), Math.min(1, shrunk + half)];
}

/** Returns an estimate with its interval. */
export function estimated(estimate: Estimate | undefined, write: (value: number) => string): string {
  return estimate ? `${write(estimate.value)} [${write(estimate.low)}, ${write(estimate.high)}]` : "–";
}
