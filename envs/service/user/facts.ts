/** Facts that the customer asks for: a sum of money, a date, a time of day, or a word. */
import { dateOf, datesOf } from "../world/days.js";

export type Fact = {
  /** Noun phrase, such as `the refund`. */
  name: string;
  /** Question of the customer. */
  ask: string;
} & ({ kind: "amount"; value: number } | { kind: "date"; value: number } | { kind: "time" | "word"; value: string });

/** Returns the sums of dollars in a text. */
export function amountsIn(text: string): number[] {
  const found = text.matchAll(
    /(?:\$|\busd )\s?(\d{1,6})(\.\d\d)?(?!\d)|(?<![\d.])(\d{1,6})(\.\d\d)? ?(?:dollars?|usd|\$)/gi,
  );
  return [...found].map(([, before, cents = "", after, end = ""]) => Number(`${before ?? after}${cents || end}`));
}

export function isTold(fact: Fact, text: string): boolean {
  const lower = plainNumbers(text.toLowerCase());
  if (fact.kind === "amount") return amountsIn(lower).includes(fact.value);
  const forms = fact.kind === "date" ? datesOf(fact.value) : fact.kind === "time" ? timesOf(fact.value) : [fact.value];
  return forms.some((form) => hasWords(lower, form));
}

/** Returns the value of a fact as the expert writes it. */
export function factText(fact: Fact): string {
  if (fact.kind === "amount") return `$${fact.value}`;
  return fact.kind === "date" ? dateOf(fact.value) : fact.value;
}

/** Whether a text contains other text that no letter or digit extends. Both are in lower case. */
export function hasWords(text: string, words: string): boolean {
  for (let at = text.indexOf(words); at >= 0; at = text.indexOf(words, at + 1)) {
    if (!isWordAt(text, at - 1) && !isWordAt(text, at + words.length)) return true;
  }
  return false;
}

function isWordAt(text: string, at: number): boolean {
  return /[\p{L}\p{N}]/u.test(text.charAt(at));
}

/** Removes the endings of ordinal numbers, as in `3rd`. */
function plainNumbers(text: string): string {
  return text.replace(/\b(\d{1,2})(?:st|nd|rd|th)\b/g, "$1");
}

/** @param time such as `14:05` */
function timesOf(time: string): string[] {
  const [hour = 0, minute = "00"] = [Number(time.slice(0, 2)), time.slice(3)];
  const half = hour < 12 ? "am" : "pm";
  const short = `${hour % 12 === 0 ? 12 : hour % 12}:${minute}`;
  return [time, `${hour}:${minute}`, `${short} ${half}`, `${short}${half}`];
}
