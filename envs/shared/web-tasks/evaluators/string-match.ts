/** Compares answers with reference answers, like `StringEvaluator` of WebArena's public evaluators. */
import { wordTokens } from "./word-tokens.js";

/** Comparisons that an answer must pass, in the order of the task file. */
export interface ReferenceAnswers {
  exact_match?: string;
  must_include?: readonly string[];
  /** References for the LLM judge. `N/A` means that the task is impossible; the LLM judge then compares the reasons. */
  fuzzy_match?: readonly string[] | "N/A";
}

/** A language model that compares the meaning of texts. */
export interface Judge {
  /** Returns whether an answer has the same meaning as the reference. */
  isEquivalent(question: { intent: string; reference: string; answer: string }): Promise<boolean>;
  /** Returns whether the agent's reason why a task is impossible agrees with the actual reason. */
  isSameReason(question: { intent: string; reference: string; answer: string }): Promise<boolean>;
}

export interface Question {
  intent: string;
  /** Reason why the task is impossible. Other tasks do not use this field. */
  note: string;
}

/** Rules for comparing answers with references. */
export interface StringRules {
  /** Normalizes an answer or a reference for the comparison. */
  clean(text: string): string;
  /** Returns whether an answer contains all references. */
  hasAll(references: readonly string[], answer: string): boolean;
  /** Returns the references for the LLM judge. Each reference is one question. */
  judged(references: readonly string[]): readonly string[];
}

/** WebArena's own rules. */
const originalRules: StringRules = {
  clean: cleaned,
  hasAll: (references, answer) => references.every((one) => includes(one, answer, references.length === 1)),
  judged: (references) => references,
};

/** Removes one pair of quotes around a text, and converts the text to lower case. */
export function unquoted(text: string): string {
  const quote = ["'", '"'].find((mark) => text.startsWith(mark) && text.endsWith(mark));
  return (quote ? text.slice(1, -1) : text).toLowerCase();
}

/** Normalizes a text for the comparison: trims it, removes one pair of quotes, and converts it to lower case. */
export function cleaned(answer: string): string {
  return unquoted(answer.trim());
}

export function isExactMatch(reference: string, answer: string, clean = cleaned): boolean {
  return clean(answer) === clean(reference);
}

/** @param isWord whether a reference of one character must occur as a whole word */
export function includes(reference: string, answer: string, isWord = false): boolean {
  const [wanted, given] = [cleaned(reference), cleaned(answer)];
  if (isWord && [...wanted].length === 1 && wordTokens(wanted).length === 1) return wordTokens(given).includes(wanted);
  return given.includes(wanted);
}

/** @throws the errors of the LLM judge */
export async function matchesString(
  references: ReferenceAnswers,
  answer: string,
  { intent, note }: Question,
  judge: Judge,
  rules: StringRules = originalRules,
): Promise<boolean> {
  const given = rules.clean(answer);
  let matches = true;
  for (const [way, reference] of Object.entries(references) as [keyof ReferenceAnswers, unknown][]) {
    switch (way) {
      case "exact_match":
        matches &&= isExactMatch(reference as string, given, rules.clean);
        break;
      case "must_include":
        matches &&= rules.hasAll(reference as readonly string[], given);
        break;
      case "fuzzy_match":
        if (reference === "N/A") {
          matches &&= isExactMatch(reference, given, rules.clean);
          // As in WebArena, the verdict of the LLM judge replaces all earlier comparisons.
          if (!matches) matches = await judge.isSameReason({ intent, reference: note, answer: given });
          break;
        }
        for (const one of rules.judged(reference as readonly string[]))
          matches &&= await judge.isEquivalent({ intent, reference: one, answer: given });
    }
  }
  return matches;
}
