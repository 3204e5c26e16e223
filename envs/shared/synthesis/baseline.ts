/**
 * Two baselines without skill. The keyword baseline searches once with the words of the question and returns the best
 * candidate from the first three passages. The closed-book baseline always returns the most common answer of the
 * question's answer type.
 */
import type { Page } from "../knowledge/pages.js";
import { normalised } from "./answers.js";
import { type Passage, type Search, wordsOf } from "./passages.js";

/** Type of an answer: a kind of entity, or "number", "code" or "text". */
export type AnswerType = string;

interface Candidate {
  text: string;
  score: number;
}

/** Runs the keyword baseline. @returns its answer, or undefined if it found no candidate */
export async function keywordAnswer(
  question: string,
  type: AnswerType,
  search: Search,
  pages: ReadonlyMap<string, Page>,
): Promise<string | undefined> {
  const passages = await search(question, 3);
  const asked = new Set(wordsOf(question));
  const named = normalised(question);
  const candidates = passages.flatMap((passage, rank) => candidatesOf(passage, rank, type, asked, pages));
  const totals = new Map<string, Candidate>();
  for (const { text, score } of candidates) {
    const key = normalised(text);
    if (key === "" || ` ${named} `.includes(` ${key} `)) continue;
    totals.set(key, { text, score: (totals.get(key)?.score ?? 0) + score });
  }
  return [...totals.values()].sort((a, b) => b.score - a.score)[0]?.text;
}

/**
 * Returns the candidate answers in a passage. A candidate's score grows with the number of question words in its
 * sentence.
 */
function candidatesOf(
  { id, title, text }: Passage,
  rank: number,
  type: AnswerType,
  asked: ReadonlySet<string>,
  pages: ReadonlyMap<string, Page>,
): Candidate[] {
  const linked = (pages.get(id)?.links ?? []).filter((link) => link.id.startsWith(`${type}/`));
  const own = id.startsWith(`${type}/`) ? [{ text: title, score: 1 / (rank + 1) }] : [];
  const found = sentencesOf(text).flatMap((sentence) => {
    const overlap = wordsOf(sentence).filter((word) => asked.has(word)).length;
    return inSentence(sentence, type, linked).map((candidate) => ({
      text: candidate,
      score: overlap ** 2 / (rank + 1),
    }));
  });
  return [...own, ...found];
}

function inSentence(sentence: string, type: AnswerType, linked: readonly { title: string }[]): string[] {
  if (type === "number") return sentence.match(/-?\d[\d,]*(\.\d+)?/g) ?? [];
  if (type === "code") return sentence.match(/\b[A-Z]{1,4}\b|\+\d+|\.[a-z]{2}\b|\b(HIP|HD|NGC|IC) \d+/g) ?? [];
  if (type === "text") return [/(?: is| it| are|:|call it|called|titled) ([^.]+)\.$/.exec(sentence)?.[1] ?? []].flat();
  return linked.filter(({ title }) => sentence.toLowerCase().includes(title.toLowerCase())).map(({ title }) => title);
}

function sentencesOf(text: string): string[] {
  return text.split(/(?<=\.)\s+/);
}

interface Answered {
  answerType: AnswerType;
  golden: readonly string[];
}

/** Returns the most common answer of each type among the training questions. */
export function commonAnswers(training: readonly Answered[]): Map<AnswerType, string> {
  const counts = new Map<AnswerType, Map<string, number>>();
  for (const { answerType, golden } of training) {
    const ofType = counts.get(answerType) ?? new Map<string, number>();
    counts.set(answerType, ofType.set(golden[0] as string, (ofType.get(golden[0] as string) ?? 0) + 1));
  }
  const best = (ofType: Map<string, number>) =>
    [...ofType].sort(([a, n], [b, m]) => m - n || (a < b ? -1 : 1))[0]?.[0] as string;
  return new Map([...counts].map(([type, ofType]) => [type, best(ofType)]));
}
