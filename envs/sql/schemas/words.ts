/** Word lists for the texts in databases. A pattern names the lists that it uses. */
import { jsonFile } from "../../shared/kept/data-file.js";

/** Returns all word lists by name. */
export const wordLists = jsonFile<Readonly<Record<string, readonly string[]>>>(
  new URL("../data/words.json", import.meta.url),
);

/** @throws {Error} the list does not exist */
export function wordList(name: string): readonly string[] {
  const list = wordLists()[name];
  if (!list) throw new Error(`expected one of the lists ${Object.keys(wordLists()).join(", ")}, but received ${name}`);
  return list;
}
