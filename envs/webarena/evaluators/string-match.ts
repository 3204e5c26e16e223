/** Answers against reference answers: `StringEvaluator` of WebArena's public evaluators. */
import { wordTokens } from "./word-tokens.js";

/** The ways of comparing that a task asks for, in its order. All of them have to succeed. */
export interface ReferenceAnswers {
  exact_match?: string;
  must_include?: readonly string[];
  /** `N/A`: the task cannot be done, and a judge compares the reasons. */
  fuzzy_match?: readonly string[] | "N/A";
}

/** A language model that compares texts by their meaning. */
export interface Judge {
  /** Whether an answer means what the reference says. */
  isEquivalent(question: { intent: string; reference: string; answer: string }): Promise<boolean>;
  /** Whether a reason why a task cannot be done is the reason that holds. */
  isSameReason(question: { intent: string; reference: string; answer: string }): Promise<boolean>;
}

export interface Question {
  intent: string;
  /** Why the task cannot be done, where it cannot. */
  note: string;
}

/** The text that is compared: without outer spaces, one pair of quotes, and capitals. */
export function cleaned(answer: string): string {
  const trimmed = answer.trim();
  const quote = ["'", '"'].find((mark) => trimmed.startsWith(mark) && trimmed.endsWith(mark));
  return (quote ? trimmed.slice(1, -1) : trimmed).toLowerCase();
}

export function isExactMatch(reference: string, answer: string): boolean {
  return cleaned(answer) === cleaned(reference);
}

/** @param isWord a reference of one character has to be a word of the answer, and not a part of one */
export function includes(reference: string, answer: string, isWord = false): boolean {
  const [wanted, given] = [cleaned(reference), cleaned(answer)];
  if (isWord && [...wanted].length === 1 && wordTokens(wanted).length === 1) return wordTokens(given).includes(wanted);
  return given.includes(wanted);
}

/** @throws {Error} what the judge throws */
export async function matchesString(
  references: ReferenceAnswers,
  answer: string,
  { intent, note }: Question,
  judge: Judge,
): Promise<boolean> {
  const given = cleaned(answer);
  let matches = true;
  for (const [way, reference] of Object.entries(references) as [keyof ReferenceAnswers, unknown][]) {
    switch (way) {
      case "exact_match":
        matches &&= isExactMatch(reference as string, given);
        break;
      case "must_include": {
        const wanted = reference as readonly string[];
        matches &&= wanted.every((one) => includes(one, given, wanted.length === 1));
        break;
      }
      case "fuzzy_match":
        if (reference === "N/A") {
          matches &&= isExactMatch(reference, given);
          // As in the original, the judge's word stands in place of all that was compared before.
          if (!matches) matches = await judge.isSameReason({ intent, reference: note, answer: given });
          break;
        }
        for (const one of reference as readonly string[])
          matches &&= await judge.isEquivalent({ intent, reference: one, answer: given });
    }
  }
  return matches;
}
