/** Facts about the user that are stated once and do not change. */
import { jsonFile } from "../../shared/kept/data-file.js";

export interface Fact {
  topic: string;
  /** Noun phrase for the fact in the titles of tasks. */
  title: string;
  values: readonly string[];
  say: readonly string[];
  ask: readonly string[];
  replies: readonly string[];
}

export const facts = jsonFile<readonly Fact[]>(new URL("../data/facts.json", import.meta.url));
