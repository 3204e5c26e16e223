/**
 * Differences of WebArena-Lite's evaluators (THUDM/VisualAgentBench, MIT) from WebArena's own. A one-word reference
 * must occur as a word in the answer. One question to the LLM judge covers all references. URLs are compared as texts.
 * The LLM judge may also compare the text of a page.
 */
import type { IsShown } from "./program-html.js";
import { isExactMatch, type Judge, type Question, type StringRules, unquoted } from "./string-match.js";
import { wordTokens } from "./word-tokens.js";

export const liteRules: StringRules = {
  clean: unquoted,
  hasAll: (references, answer) =>
    references.every((one) => one.split(" |OR| ").some((choice) => hasPart(choice, answer))),
  judged: (references) => [references.join(", ")],
};

/** @param isWhole whether the URLs must be equal; if false, the page's URL must contain the reference */
export function matchesUrlLite(reference: string, pageUrl: string, isWhole: boolean): boolean {
  const given = plain(pageUrl);
  return reference.split(" |OR| ").some((url) => (isWhole ? plain(url) === given : given.includes(plain(url))));
}

/** Returns WebArena-Lite's check of the text of a page. The check throws the errors of the LLM judge. */
export function liteShown({ intent }: Question, judge: Judge): IsShown {
  return ({ exact_match: exact, must_include: parts, fuzzy_match: references = [] }, text) => {
    if (text === null) return false;
    if (exact !== undefined) return isExactMatch(exact, text, liteRules.clean);
    if (parts !== undefined) return liteRules.hasAll(parts, text);
    return judge.isEquivalent({ intent, reference: references.join(", "), answer: text });
  };
}

function hasPart(reference: string, given: string): boolean {
  const [wanted, text] = [unquoted(reference), unquoted(given)];
  return wordTokens(wanted).length === 1 ? wordTokens(text).includes(wanted) : text.includes(wanted);
}

function plain(url: string): string {
  return url.replaceAll("localhost", "127.0.0.1").replace(/\/$/, "");
}
