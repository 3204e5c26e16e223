/**
 * Tokenizes English text like NLTK's `word_tokenize`, which applies the Treebank rules to each sentence. The evaluators
 * use the tokens only for references of one character, which would otherwise match inside longer words.
 */

type Rule = readonly [RegExp, string];

const openings: readonly Rule[] = [
  [/([«“‘„]|[`]+)/gu, " $1 "],
  [/^"/g, "``"],
  [/(``)/g, " $1 "],
  [/([ ([{<])("|'{2})/g, "$1 `` "],
  [/(')(?!re|ve|ll|m|t|s|d|n)(\w)\b/giu, "$1 $2"],
];

const signs: readonly Rule[] = [
  [/([^.])(\.)([\])}>"'»”’ ]*)\s*$/gu, "$1 $2 $3 "],
  [/([:,])([^\d])/g, " $1 $2"],
  [/([:,])$/g, " $1 "],
  [/\.{2,}/gu, " $& "],
  [/[;@#$%&]/g, " $& "],
  [/([^.])(\.)([\])}>"']*)\s*$/g, "$1 $2$3 "],
  [/[?!]/g, " $& "],
  [/([^'])' /g, "$1 ' "],
  [/[*]/gu, " $& "],
  [/[\][(){}<>]/g, " $& "],
  [/--/g, " -- "],
];

const closings: readonly Rule[] = [
  [/([»”’])/gu, " $1 "],
  [/''/g, " '' "],
  [/"/g, " '' "],
  [/\s+/g, " "],
  [/([^' ])('[sS]|'[mM]|'[dD]|') /g, "$1 $2 "],
  [/([^' ])('ll|'LL|'re|'RE|'ve|'VE|n't|N'T) /g, "$1 $2 "],
];

const contractions: readonly Rule[] = [
  [/\b(can)(not)\b/gi, " $1 $2 "],
  [/\b(d)('ye)\b/gi, " $1 $2 "],
  [/\b(gim)(me)\b/gi, " $1 $2 "],
  [/\b(gon)(na)\b/gi, " $1 $2 "],
  [/\b(got)(ta)\b/gi, " $1 $2 "],
  [/\b(lem)(me)\b/gi, " $1 $2 "],
  [/\b(more)('n)\b/gi, " $1 $2 "],
  [/\b(wan)(na)(?=\s)/gi, " $1 $2 "],
  [/ ('t)(is)\b/gi, " $1 $2 "],
  [/ ('t)(was)\b/gi, " $1 $2 "],
];

export function wordTokens(text: string): string[] {
  return sentences(text).flatMap(tokensOfSentence);
}

function tokensOfSentence(sentence: string): string[] {
  const apply = (rules: readonly Rule[], start: string) =>
    rules.reduce((text, [pattern, replacement]) => text.replace(pattern, replacement), start);
  const parted = apply(signs, apply(openings, sentence));
  const whole = apply(contractions, apply(closings, ` ${parted} `));
  return whole.split(/\s+/).filter(Boolean);
}

/**
 * Splits a text into sentences. A sentence ends after `.`, `?` or `!` and any closing quotes or brackets, if a new
 * sentence follows.
 */
function sentences(text: string): string[] {
  return text.split(/(?<=[.?!]["'”’)\]}]*)\s+(?=["'“‘([{]*[\p{Lu}\d])/u);
}
