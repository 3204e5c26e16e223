import { type Kind, type Reading, swapped, wrongFor } from "./kind.js";

type Words = readonly string[];

/** Rules by their wording in a question. */
const rules: Readonly<Record<string, (words: Words) => Words>> = {
  "these words in reverse order": (words) => [...words].reverse(),
  "these words without vowels": (words) => words.map((word) => word.replace(/[aeiou]/g, "")),
  "these words with first and last swapped": (words) => [
    ...words.slice(-1),
    ...words.slice(1, -1),
    ...words.slice(0, 1),
  ],
  "every second of these words": (words) => words.filter((_, at) => at % 2 === 1),
  "the first letters of these words": (words) => words.map((word) => word.charAt(0)),
};
const names = Object.keys(rules);
const pattern = new RegExp(`\\bwrite (${names.join("|")}):([^.]*)`, "gi");

export const rewriting: Kind = {
  ask({ draw, vocabulary, isEasy }) {
    const words = draw.some(vocabulary.words, isEasy ? 4 : draw.number(5, 8));
    return { text: `Write ${draw.one(names)}: ${words.join(" ")}.` };
  },
  read: (request) => [...request.matchAll(pattern)].map(([, rule = "", text = ""]) => read(rule.toLowerCase(), text)),
};

function read(rule: string, text: string): Reading {
  const words = text.toLowerCase().match(/\p{L}+/gu) ?? [];
  if (words.length < 3) return { missing: "three or more words" };
  const right = (rules[rule] as (words: Words) => Words)(words);
  const slips = [
    ...right.slice(1).map((_, at) => swapped(right, at)),
    ...right.map((_, at) => right.filter((_word, index) => index !== at)),
    ...right.map((_, at) => [...right.slice(0, at), words[0] as string, ...right.slice(at)]),
    words,
    [...words].reverse(),
    words.filter((_, at) => at % 2 === 0),
  ];
  const answer = right.join(" ");
  const wrong = wrongFor(
    answer,
    slips.map((each) => each.join(" ")),
  );
  return { problem: { subjects: words, answer, wrong } };
}
