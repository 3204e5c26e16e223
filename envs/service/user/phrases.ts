/** Phrases of the scripted customer. */
import { jsonFile } from "../../shared/kept/data-file.js";

export interface Phrases {
  /** Answers to questions that change nothing, by topic. */
  moot: Readonly<Record<string, readonly string[]>>;
  /** Answers of a customer without patience to a needless question. */
  impatient: readonly string[];
  yes: readonly string[];
  /** Answer to a question that names the right value. */
  right: readonly string[];
  no: readonly string[];
  /** Question for the price of a change. */
  price: readonly string[];
  tooMuch: readonly string[];
  /** The agent has refused something that the policy allows. */
  insist: readonly string[];
  accept: readonly string[];
  waiting: readonly string[];
  thanks: readonly string[];
  missing: readonly string[];
  closing: readonly string[];
  puzzled: readonly string[];
}

export const phrases = jsonFile<Phrases>(new URL("../data/phrases.json", import.meta.url));
