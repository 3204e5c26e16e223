/** Occasions, such as a party, for which the user, the assistant and a third person each make a proposal. */
import { jsonFile } from "../../shared/kept/data-file.js";

/** Placeholders in sentences: `{x}` is the proposal, `{who}` or `{Who}` the third person. */
export interface Occasion {
  topic: string;
  /** Noun phrase for the occasion in the titles of tasks and in questions: "suggested for ...". */
  title: string;
  values: readonly string[];
  /** Sentences in which the user asks for ideas and makes a proposal. */
  own: readonly string[];
  /** The assistant proposes. */
  assistant: readonly string[];
  /** Sentences in which the user reports the third person's proposal. */
  third: readonly string[];
  /** Closing replies of the assistant. */
  close: readonly string[];
}

export const occasions = jsonFile<readonly Occasion[]>(new URL("../data/occasions.json", import.meta.url));
