/** Words for the sentences that state why an episode ended as it did. */
import type { EpisodeEnd } from "../../env.js";

/** Maximum number of characters of a quoted text, and of entries of a list. */
const [mostShown, mostListed] = [160, 5];
/** Matches a text that is clear without quotation marks: no comma, full stop or other mark could end the sentence. */
const plain = /^[\p{L}\p{N}$€£+-][\p{L}\p{M}\p{N} '’/%^*+$€£-]*(?:[.:][\p{L}\p{N}]+)*$/u;
const mostPlain = 60;

/** Returns a count with its noun: `1 step`, `2 steps`. @param nouns plural, if it is not the noun with an `s` */
export function counted(count: number, noun: string, nouns = `${noun}s`): string {
  return `${count} ${count === 1 ? noun : nouns}`;
}

/** Returns a text on one line and of limited length, in quotation marks unless it is clear without them. */
export function told(text: string): string {
  const line = text.trim().replace(/\s+/g, " ");
  if (line.length <= mostPlain && plain.test(line)) return line;
  return JSON.stringify(brief(line));
}

/** Returns a text on one line and of limited length, without quotation marks. */
export function brief(text: string, most = mostShown): string {
  const line = text.trim().replace(/\s+/g, " ");
  return line.length <= most ? line : `${line.slice(0, most).toWellFormed()}…`;
}

/** Returns `a, b and c`. Of a long list, only the first entries are named. */
export function listed(entries: readonly string[], most = mostListed): string {
  const shown = entries.length <= most ? entries : [...entries.slice(0, most), `${entries.length - most} more`];
  if (shown.length < 2) return shown.join("");
  return `${shown.slice(0, -1).join(", ")} and ${shown.at(-1)}`;
}

/** Returns a number with at most four digits after the point. */
export function rounded(value: number): string {
  return String(Math.round(value * 10_000) / 10_000);
}

/** Returns a text that begins with a capital letter. */
export function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** Returns `in 7 steps` for an episode that the environment has ended, and `within 7 steps` for one that a limit ended. */
export function span({ steps, result }: EpisodeEnd): string {
  return `${result.terminated ? "in" : "within"} ${counted(steps, "step")}`;
}
