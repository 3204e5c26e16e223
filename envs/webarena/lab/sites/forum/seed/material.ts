/** Word lists and sentence patterns for the seeded texts. */
import { readFileSync } from "node:fs";

/** Material of one forum. The syntax of patterns is described at `Phrases`. */
export interface Topic {
  name: string;
  title: string;
  description: string;
  sidebar: string;
  /** Number of submissions of the forum, relative to the other forums. */
  weight: number;
  words: Readonly<Record<string, readonly string[]>>;
  /** Name of the word list with subjects for any kind of post. The field is null if the words do not fit after "about". */
  subject: string | null;
  /** Text posts, each with a title and the sentences of the body. */
  posts: readonly { title: string; body: readonly string[] }[];
  /** Titles of link posts. */
  links: readonly string[];
  /** Sentences of comments on the subject. */
  remarks: readonly string[];
}

/** Kinds of sentences in comments that fit any subject. */
export type Manner = "agree" | "disagree" | "reason" | "anecdote" | "ask" | "thanks" | "joke" | "reaction";

export interface Material extends Readonly<Record<Manner, readonly string[]>> {
  /** Word lists for the patterns of all topics. */
  words: Readonly<Record<string, readonly string[]>>;
  /** Titles with `{x}` for a subject of the forum. */
  titles: readonly string[];
  closers: readonly string[];
  bios: readonly string[];
  /** First and second halves of user names. */
  adjectives: readonly string[];
  nouns: readonly string[];
}

const folder = new URL("../../../../data/lab/forum/", import.meta.url);

function read<T>(file: string): T {
  return JSON.parse(readFileSync(new URL(file, folder), "utf8")) as T;
}

export function readTopics(): readonly Topic[] {
  return read("forums.json");
}

export function readMaterial(): Material {
  return read("words.json");
}
