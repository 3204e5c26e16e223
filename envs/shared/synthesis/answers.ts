/** Accepted spellings of answers, and SQuAD's normalization, with which spellings are compared. */
import type { Entity, KnowledgeGraph, Value } from "../knowledge/graph.js";
import { inText, numberText } from "../knowledge/names.js";
import type { Question } from "./forms.js";
import { attributes } from "./lexicon.js";

/** Normalizes a text like SQuAD's evaluation script: lower case, no punctuation, no articles, single spaces. */
export function normalised(text: string): string {
  return text
    .toLowerCase()
    .replace(/[!-/:-@[-`{-~]/g, "")
    .replace(/\b(a|an|the)\b/g, " ")
    .replace(/\s+/g, " ")
    .trim();
}

/**
 * Returns the accepted spellings of an answer, the preferred spelling first. Any two spellings differ after
 * normalization.
 */
export function spellings(question: Question, answer: Value, graph: KnowledgeGraph): string[] {
  const all =
    question.ask === "entity"
      ? ofEntity(graph.get(String(answer)))
      : ofValue(answer, question.ask === "attribute" ? question.attribute : "");
  const seen = new Set<string>();
  return all.filter((spelling) => {
    const key = normalised(spelling);
    if (key === "" || seen.has(key)) return false;
    seen.add(key);
    return true;
  });
}

function ofEntity(entity: Entity): string[] {
  const { kind, name, title, aliases } = entity;
  const plain = [name, ...aliases].map((text) => text.normalize("NFD").replace(/\p{M}/gu, ""));
  const withNoun = kind === "constellation" || kind === "star" ? [`${name} ${kind}`] : [];
  return [name, title, inText(entity), ...aliases, ...plain, ...withNoun];
}

function ofValue(value: Value, attribute: string): string[] {
  if (typeof value !== "number")
    return attributes()[attribute]?.write === "date" ? dates(String(value)) : [String(value)];
  if (attributes()[attribute]?.write === "plain") return [String(value)];
  const rounded = Number.isInteger(value) || Math.abs(value) < 100 ? [] : [String(Math.round(value))];
  return [numberText(value), String(value), ...rounded];
}

const inWords = [
  "zero",
  "one",
  "two",
  "three",
  "four",
  "five",
  "six",
  "seven",
  "eight",
  "nine",
  "ten",
  "eleven",
  "twelve",
];

/** Returns the spellings of a count: digits and, up to twelve, a word. */
export function countSpellings(count: number): string[] {
  return [numberText(count), inWords[count]].filter((text) => text !== undefined);
}

/** Returns the spellings of a date, such as "5 July 1962" and "July 5, 1962". */
function dates(date: string): string[] {
  const [, day, month, year] = /^(\d+) (\w+) (\d+)$/.exec(date) ?? [];
  return day ? [date, `${month} ${day}, ${year}`] : [date];
}
