/** Word lists and sentence patterns for the seeded texts. */
import { readFileSync } from "node:fs";

/** Texts and patterns for one forum. The class `Phrases` describes the syntax of patterns. */
export interface Topic {
  name: string;
  title: string;
  description: string;
  sidebar: string;
  /** Relative number of submissions in the forum. */
  weight: number;
  words: Readonly<Record<string, readonly string[]>>;
  /** Name of the word list with subjects for posts, or null if its words cannot follow "about". */
  subject: string | null;
  /** Patterns of text posts, each with a title and the sentences of the body. */
  posts: readonly { title: string; body: readonly string[] }[];
  /** Patterns for titles of link posts. */
  links: readonly string[];
  /** Patterns for sentences of comments on the forum's subject. */
  remarks: readonly string[];
}

/** Kinds of sentences that fit comments on any subject. */
export type Manner = "agree" | "disagree" | "reason" | "anecdote" | "ask" | "thanks" | "joke" | "reaction";

export interface Material extends Readonly<Record<Manner, readonly string[]>> {
  /** Word lists for the patterns of all forums. */
  words: Readonly<Record<string, readonly string[]>>;
  /** Patterns of titles, in which `{x}` stands for a subject of the forum. */
  titles: readonly string[];
  closers: readonly string[];
  bios: readonly string[];
  /** First parts (`adjectives`) and second parts (`nouns`) of user names. */
  adjectives: readonly string[];
  nouns: readonly string[];
}

const folder = new URL("../../../data/forum/", import.meta.url);

function read<T>(file: string): T {
  return JSON.parse(readFileSync(new URL(file, folder), "utf8")) as T;
}

export function readTopics(): readonly Topic[] {
  return read("forums.json");
}

export function readMaterial(): Material {
  return read("words.json");
}
