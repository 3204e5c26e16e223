/** Short phrases around and after the statements of a session. */
import { jsonFile } from "../../shared/kept/data-file.js";

/** Placeholders: `{name}` or `{Name}` is the first name of the other person. */
export interface SmallTalk {
  greetings: readonly string[];
  /** Beginnings of a message that changes the subject. */
  transitions: readonly string[];
  /** Thanks of the user at the end of a session, each with the reply. */
  thanks: readonly (readonly [string, string])[];
  /** Replies of the assistant to a corrected value. */
  corrections: readonly string[];
  /** Replies to a value that the user only considers. */
  musings: readonly string[];
  /** Replies to the value of another person. */
  courtesies: readonly string[];
  /** Replies to an event that the user mentions again or has missed. */
  nods: readonly string[];
}

export const smallTalk = jsonFile<SmallTalk>(new URL("../data/small-talk.json", import.meta.url));
