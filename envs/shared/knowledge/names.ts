/** Formats names of entities, numbers and lists for prose. */
import type { Entity } from "./graph.js";

const countriesWithArticle =
  /^(United|Bahamas|Gambia|Netherlands|Philippines|Maldives|Comoros|Seychelles|Central African|Dominican Republic|Democratic|Republic|Isle|U\.S\.)|Islands$/;
const withArticle = new Set(["organisation", "currency"]);
const organisationsWithout = new Set(["BRICS", "Mercosur"]);
const lowerCase = new Set(["element", "elementclass", "skytype"]);

/**
 * Returns a name as written within a sentence: "the Netherlands", "cobalt", "Springfield (Illinois, United States)".
 */
export function inText({ kind, title }: Entity): string {
  if (kind === "country") return countriesWithArticle.test(title) ? `the ${title}` : title;
  if (kind === "continent" || organisationsWithout.has(title)) return title;
  if (withArticle.has(kind)) return `the ${title}`;
  return lowerCase.has(kind) ? title.charAt(0).toLowerCase() + title.slice(1) : title;
}

/** Returns a name as written at the start of a sentence. */
export function atStart(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** Formats a number: 1691468 as "1,691,468". Fractions are not changed. */
export function numberText(value: number): string {
  const [whole = "", fraction] = String(Math.abs(value)).split(".");
  const grouped = whole.length > 3 ? whole.replace(/\B(?=(\d{3})+$)/g, ",") : whole;
  return `${value < 0 ? "-" : ""}${grouped}${fraction === undefined ? "" : `.${fraction}`}`;
}

/** Joins names: ["a", "b", "c"] as "a, b and c". */
export function listText(parts: readonly string[]): string {
  return parts.length < 2 ? (parts[0] ?? "") : `${parts.slice(0, -1).join(", ")} and ${parts.at(-1)}`;
}

/** Formats minutes east of Greenwich: 330 as "UTC+05:30". */
export function offsetText(minutes: number): string {
  const whole = Math.abs(minutes);
  const two = (value: number) => String(value).padStart(2, "0");
  return `UTC${minutes < 0 ? "-" : "+"}${two(Math.floor(whole / 60))}:${two(whole % 60)}`;
}
