/**
 * Choices between options that depend on limits of the user, such as an allergy. The user has withdrawn some of the
 * limits.
 */
import { jsonFile } from "../../shared/kept/data-file.js";

export interface Limit {
  id: string;
  /** Sentences in which the user states the limit. */
  say: readonly string[];
  /** Sentences in which the user withdraws the limit. */
  lift: readonly string[];
  /** Sentence that states the limit for another person, `{who}`, instead of the user. */
  other: string;
  /** Features of an option that violate the limit. */
  features: readonly string[];
}

export interface Choice {
  topic: string;
  /** Noun phrase for the choice in the titles of tasks. */
  title: string;
  ask: readonly string[];
  names: readonly string[];
  /** Features of an option that violate no limit. */
  neutral: readonly string[];
  limits: readonly Limit[];
  replies: readonly string[];
}

export const choices = jsonFile<readonly Choice[]>(new URL("../data/choices.json", import.meta.url));
