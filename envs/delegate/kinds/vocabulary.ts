import { jsonFile } from "../../shared/kept/data-file.js";

/** Words of the jobs of a split. The splits for training and for tests share none. */
export interface Vocabulary {
  words: readonly string[];
  surnames: readonly string[];
  /** Names of helpers. */
  helpers: readonly string[];
}

export const vocabularies = jsonFile<Readonly<Record<"train" | "test", Vocabulary>>>(
  new URL("../data/vocabulary.json", import.meta.url),
);

/** Names of materials: tables with their columns, programs and lists. */
export const materialNames = jsonFile<{
  tables: Readonly<Record<string, readonly string[]>>;
  programs: readonly string[];
  lists: readonly string[];
}>(new URL("../data/materials.json", import.meta.url));
