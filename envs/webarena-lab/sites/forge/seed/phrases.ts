/**
 * Generates sentences from patterns. In a pattern, `[one|other]` is a choice, and `{name}` stands for a word of the
 * project.
 */
import { readFileSync } from "node:fs";
import type { Random } from "../../../seed/random.js";

export interface ProjectStub {
  /** Path of the user or group that owns the project, or `?` for a random owner. */
  owner: string;
  path: string;
  language: string;
  description: string;
  parts: readonly string[];
  topics: readonly string[];
}

const folder = new URL("../../../data/forge/", import.meta.url);

export function readData<T>(name: string): T {
  return JSON.parse(readFileSync(new URL(`${name}.json`, folder), "utf8")) as T;
}

export type Phrases = Readonly<Record<string, readonly string[]>>;

let known: Phrases | undefined;

export function phrases(): Phrases {
  known ??= readData<Phrases>("phrases");
  return known;
}

/** Subject of a text: one part of a project. */
export interface Subject {
  stub: Pick<ProjectStub, "path" | "parts" | "language">;
  part: string;
  other: string;
}

export function subjectOf(stub: Subject["stub"], random: Random): Subject {
  const [part, other] = random.sample(stub.parts, 2) as [string, string];
  return { stub, part, other };
}

/** Generates one sentence of the given kind. */
export function say(kind: string, subject: Subject, random: Random): string {
  return filled(random.choice(phrases()[kind] as readonly string[]), subject, random);
}

/** Generates several different sentences of the given kind. */
export function saySome(kind: string, count: number, subject: Subject, random: Random): string[] {
  return random.sample(phrases()[kind] as readonly string[], count).map((one) => filled(one, subject, random));
}

export function filled(pattern: string, subject: Subject, random: Random): string {
  const chosen = pattern.replace(/\[([^\]]*\|[^\]]*)\]/g, (_, choices: string) => random.choice(choices.split("|")));
  return capital(chosen.replace(/\{(\w+)\}/g, (_, slot: string) => word(slot, subject, random)));
}

function word(slot: string, subject: Subject, random: Random): string {
  switch (slot) {
    case "part":
      return subject.part;
    case "other":
      return subject.other;
    case "name":
      return subject.stub.path;
    case "lang":
      return capital(subject.stub.language);
    case "n":
      return `${random.between(2, 9)}`;
    case "big":
      return `${random.choice([12, 40, 64, 90, 120, 200, 256, 300, 512, 750, 1000, 1500, 2000, 4096, 10_000])}`;
    case "version":
      return `${random.between(0, 4)}.${random.between(0, 14)}`;
    default:
      return filledLower(random.choice(phrases()[slot] as readonly string[]), subject, random);
  }
}

/** Fills in the words of a pattern. Unlike `filled`, does not capitalize the first letter. */
function filledLower(pattern: string, subject: Subject, random: Random): string {
  return pattern.replace(/\{(\w+)\}/g, (_, slot: string) => word(slot, subject, random));
}

export function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
