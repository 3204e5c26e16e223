/**
 * Scores short answers after SQuAD's normalization (Rajpurkar et al. 2016). The scores equal those of SQuAD's
 * evaluation script v1.1 and of Search-R1. White space, word boundaries and lower case are defined as in Python.
 */

/** Regular expression for the characters of Python's `string.punctuation`. */
const punctuation = /[!-/:-@[-`{-~]/g;
/** Regular expression for articles, with the word boundaries of Python's `\b`. */
const articles = /(?<![\p{L}\p{N}_])(?:a|an|the)(?![\p{L}\p{N}_])/gu;
/** Regular expression for the white space of Python's `str.split()`. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: Python counts separators of files and records as white space.
const whiteSpace = /[\t-\r\x1c-\x20\x85\xa0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000]+/;

/** Normalizes an answer: converts it to lower case, and removes punctuation, articles and redundant white space. */
export function normalized(answer: string): string {
  return wordsOf(answer).join(" ");
}

/** Whether the normalized answer equals one of the golden answers. */
export function isExact(answer: string, golden: readonly string[]): boolean {
  const given = normalized(answer);
  return golden.some((one) => normalized(one) === given);
}

/**
 * Returns the highest F1 score of the words (harmonic mean of precision and recall, 0 to 1) over all golden answers.
 */
export function f1(answer: string, golden: readonly string[]): number {
  const given = wordsOf(answer);
  return Math.max(0, ...golden.map((one) => overlap(given, wordsOf(one))));
}

/** Whether a text contains the words of a golden answer as a contiguous sequence. */
export function contains(text: string, golden: readonly string[]): boolean {
  const held = ` ${normalized(text)} `;
  return golden.some((one) => normalized(one) !== "" && held.includes(` ${normalized(one)} `));
}

/** Removes outer white space, like Python's `str.strip()`. */
export function stripped(text: string): string {
  let [start, end] = [0, text.length];
  while (start < end && whiteSpace.test(text[start] as string)) start += 1;
  while (start < end && whiteSpace.test(text[end - 1] as string)) end -= 1;
  return text.slice(start, end);
}

function wordsOf(answer: string): string[] {
  const plain = answer.toLowerCase().replace(punctuation, "").replace(articles, " ");
  return plain.split(whiteSpace).filter((word) => word !== "");
}

function overlap(given: readonly string[], golden: readonly string[]): number {
  const left = new Map<string, number>();
  for (const word of golden) left.set(word, (left.get(word) ?? 0) + 1);
  let common = 0;
  for (const word of given) {
    const count = left.get(word) ?? 0;
    if (count === 0) continue;
    left.set(word, count - 1);
    common += 1;
  }
  if (common === 0) return 0;
  const [precision, recall] = [common / given.length, common / golden.length];
  return (2 * precision * recall) / (precision + recall);
}
