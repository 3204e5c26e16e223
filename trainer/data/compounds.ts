/**
 * Compounds of a tokenizer: phrases, whose words (almost) always occur together, and names of several words. They are built
 * word by word, starting with the most frequent pairs. Parts are numbered, so that a pass over millions of words takes a
 * fraction of a second.
 */

export interface CompoundRules {
  /** Minimum number of occurrences of a phrase. */
  leastPhraseCount: number;
  /** Minimum share of the rarer part's occurrences that are within the phrase. */
  cohesion: number;
  /** Minimum number of occurrences of a name. */
  leastNameCount: number;
  /** Minimum number of different words before a name, and after it. */
  nameVariety: number;
  /**
   * Maximum number of different words that a name's last part follows, and that its first part precedes. A word such as
   * "using", which follows hundreds of different words, belongs to none of them.
   */
  mostNeighbours: number;
}

/** Two adjacent parts. `before` and `after` are the different parts around the pair, as far as they matter. */
interface Pair {
  readonly first: number;
  readonly second: number;
  count: number;
  readonly before: number[];
  readonly after: number[];
}

/** Pattern of two parts that consist of words. The pattern is unambiguous, which avoids exponential backtracking. */
const namePattern = /^ ?\p{L}+(?: \p{L}+)*\0(?: \p{L}+)+$/u;

/** Stands for the text's end in a sequence of parts, and around the first and the last pair of a text. */
const none = -1;

/** The parts of all texts, each text followed by `none`, and how often each text occurs. */
interface Texts {
  readonly sequence: Int32Array;
  readonly occurrences: readonly number[];
}

/** Returns phrases and names with their counts, the most frequent first. @param texts words of texts, and how often each occurs */
export function findCompounds(
  texts: readonly { words: readonly string[]; occurrences: number }[],
  rules: CompoundRules,
): [string, number][] {
  const parts = new Parts();
  const words = { sequence: parts.sequenceOf(texts), occurrences: texts.map(({ occurrences }) => occurrences) };
  const joined = grow(parts, grow(parts, words, phrases(rules), 0), names(rules), rules.nameVariety);
  const counts = countsOf(joined, parts.texts.length);
  const compounds = parts.texts.map((text, part): [string, number] => [text, counts[part] as number]);
  return compounds.filter(([, count], part) => parts.isCompound(part) && count >= rules.leastNameCount).sort(byCount);
}

export function byCount([one, ones]: [string, number], [other, others]: [string, number]): number {
  return others - ones || (one < other ? -1 : 1);
}

/** The texts of parts, by number. The first parts are words, later ones are joined from two parts. */
class Parts {
  readonly texts: string[] = [];
  readonly #numbers = new Map<string, number>();
  readonly #hasDigit: boolean[] = [];
  #words = 0;

  sequenceOf(texts: readonly { words: readonly string[] }[]): Int32Array {
    const length = texts.reduce((sum, { words }) => sum + words.length + 1, 0);
    const sequence = new Int32Array(length);
    let at = 0;
    for (const { words } of texts) {
      for (const word of words) sequence[at++] = this.numberOf(word);
      sequence[at++] = none;
    }
    this.#words = this.texts.length;
    return sequence;
  }

  numberOf(text: string): number {
    const known = this.#numbers.get(text);
    if (known !== undefined) return known;
    const number = this.texts.push(text) - 1;
    this.#numbers.set(text, number);
    this.#hasDigit.push(/\p{N}/u.test(text));
    return number;
  }

  text(number: number): string {
    return this.texts[number] as string;
  }

  isCompound(number: number): boolean {
    return number >= this.#words;
  }

  /** Numbers remain separate words, since they vary within a phrase. */
  canJoin(first: number, second: number): boolean {
    return first !== none && second !== none && !this.#hasDigit[first] && !this.#hasDigit[second];
  }

  textOf({ first, second }: Pair): string {
    return `${this.text(first)}\0${this.text(second)}`;
  }
}

/** Facts about all parts, by their number. */
interface Occurrences {
  readonly counts: Float64Array;
  /** Number of different parts before and after each part. */
  readonly before: Int32Array;
  readonly after: Int32Array;
}

type Choice = (pair: Pair, all: Occurrences, text: () => string) => boolean;

/** Chooses pairs whose rarer part almost always occurs together with the other part. */
function phrases({ leastPhraseCount, cohesion }: CompoundRules): Choice {
  return ({ first, second, count }, { counts }) =>
    count >= leastPhraseCount && count >= cohesion * Math.min(counts[first] as number, counts[second] as number);
}

/**
 * Chooses pairs that occur in many contexts, unlike parts of a phrase: accessor variety (Feng et al. 2004, "Accessor
 * variety criteria for Chinese word extraction").
 */
function names({ leastNameCount, nameVariety, mostNeighbours }: CompoundRules): Choice {
  return ({ first, second, count, before, after }, all, text) =>
    count >= leastNameCount &&
    Math.min(before.length, after.length) >= nameVariety &&
    Math.max(all.before[second] as number, all.after[first] as number) <= mostNeighbours &&
    namePattern.test(text());
}

/** @param contexts maximum number of different parts before a pair, and after it, that are told apart */
function grow(parts: Parts, words: Texts, isChosen: Choice, contexts: number): Texts {
  for (let texts = words; ; ) {
    const pairs = [...pairsOf(texts, parts, contexts).values()];
    const all = { counts: countsOf(texts, parts.texts.length), ...neighboursOf(pairs, parts.texts.length) };
    const chosen = pairs.filter((pair) => isChosen(pair, all, () => parts.textOf(pair)));
    if (chosen.length === 0) return texts;
    const ordered = chosen.sort((one, other) =>
      byCount([parts.textOf(one), one.count], [parts.textOf(other), other.count]),
    );
    texts = { ...texts, sequence: joinAll(texts.sequence, withoutOverlap(ordered), parts) };
  }
}

function countsOf({ sequence, occurrences }: Texts, parts: number): Float64Array {
  const counts = new Float64Array(parts);
  let text = 0;
  for (const part of sequence) {
    if (part === none) text++;
    else counts[part] = (counts[part] as number) + (occurrences[text] as number);
  }
  return counts;
}

function neighboursOf(pairs: readonly Pair[], parts: number): Pick<Occurrences, "before" | "after"> {
  const [before, after] = [new Int32Array(parts), new Int32Array(parts)];
  for (const { first, second } of pairs) {
    before[second] = (before[second] as number) + 1;
    after[first] = (after[first] as number) + 1;
  }
  return { before, after };
}

function keyOf(first: number, second: number): number {
  return first * 2 ** 26 + second;
}

function pairsOf({ sequence, occurrences }: Texts, parts: Parts, contexts: number): Map<number, Pair> {
  const pairs = new Map<number, Pair>();
  let text = 0;
  for (let at = 0; at + 1 < sequence.length; at++) {
    const first = sequence[at] as number;
    const second = sequence[at + 1] as number;
    if (first === none) text++;
    if (!parts.canJoin(first, second)) continue;
    const key = keyOf(first, second);
    let pair = pairs.get(key);
    if (!pair) {
      pair = { first, second, count: 0, before: [], after: [] };
      pairs.set(key, pair);
    }
    pair.count += occurrences[text] as number;
    note(pair.before, sequence[at - 1] ?? none, contexts);
    note(pair.after, sequence[at + 2] ?? none, contexts);
  }
  return pairs;
}

function note(found: number[], part: number, most: number): void {
  if (found.length < most && !found.includes(part)) found.push(part);
}

/** Keeps only the first of several pairs that have a part in common. */
function withoutOverlap(pairs: readonly Pair[]): Pair[] {
  const taken = new Set<number>();
  return pairs.filter(({ first, second }) => {
    if (taken.has(first) || taken.has(second)) return false;
    taken.add(first).add(second);
    return true;
  });
}

function joinAll(sequence: Int32Array, pairs: readonly Pair[], parts: Parts): Int32Array {
  const joint = new Map(
    pairs.map(({ first, second }) => [keyOf(first, second), parts.numberOf(parts.text(first) + parts.text(second))]),
  );
  const joined = new Int32Array(sequence.length);
  let length = 0;
  for (let at = 0; at < sequence.length; at++) {
    const first = sequence[at] as number;
    const second = sequence[at + 1] ?? none;
    const both = parts.canJoin(first, second) ? joint.get(keyOf(first, second)) : undefined;
    joined[length++] = both ?? first;
    if (both !== undefined) at += 1;
  }
  return joined.subarray(0, length);
}
