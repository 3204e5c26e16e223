/**
 * Finds the best passages by BM25 without scoring every passage that contains a query term, with MaxScore (Turtle and
 * Flood 1995) over consecutive windows of passages.
 *
 * Each term has an upper bound for its contribution to a score. The last terms whose bounds together cannot reach the
 * score of the k-th best passage so far are not essential. Only passages with an essential term are scored. A passage
 * is dropped as soon as its remaining terms cannot raise its score to the k-th best score.
 */
import { dampingOf, k1 } from "./bm25.js";
import { ListCursor } from "./posting-list.js";

/** A query term with its posting list. */
export interface ListedTerm {
  /** Weight of the term. The term adds at most `most * weight` to a score. */
  weight: number;
  most: number;
  /** Number of passages in the posting list. */
  passages: number;
  list: Buffer;
}

export interface Scored {
  passage: number;
  score: number;
}

/** Lengths of the passages of an index. */
export interface Lengths {
  passages: number;
  average: number;
  /** Returns a row of lengths: the numbers of terms of `lengthsInRow` consecutive passages. */
  row(number: number): Uint16Array;
}

/** Maximum number of passages in a window. A window needs only one row of lengths. */
const mostWindow = 2 ** 16;
const firstWindow = 2 ** 12;
/** Factor that increases sums of bounds slightly, to allow for rounding errors. */
const caution = 1 + 1e-9;

/**
 * Returns the `limit` best passages with their scores, best first. Passages are numbered from 1. At equal scores, the
 * lower number comes first.
 */
export function bestPassages(terms: readonly ListedTerm[], lengths: Lengths, limit: number): Scored[] {
  const search = new Search(terms, lengths, limit);
  for (let from = 0; from < lengths.passages; ) {
    const size = from === 0 ? firstWindow : Math.min(mostWindow, from * 3);
    const to = Math.min(from + size, (Math.floor(from / mostWindow) + 1) * mostWindow, lengths.passages);
    if (!search.look(from, to)) break;
    from = to;
  }
  return search.best.sorted();
}

/** Scores of the passages of the current window. All entries are 0 between windows. */
const scores = new Float64Array(mostWindow);
const touched = new Int32Array(mostWindow);

class Search {
  readonly best: Best;
  private readonly cursors: ListCursor[];
  private readonly terms: readonly ListedTerm[];
  /** For each term, the upper bound for what this term and all later terms together add to a score. */
  private readonly bounds: Float64Array;
  /** The damping of a passage is `base + slope * length`. */
  private readonly base: number;
  private readonly slope: number;

  constructor(
    terms: readonly ListedTerm[],
    private readonly lengths: Lengths,
    limit: number,
  ) {
    this.best = new Best(limit);
    this.terms = [...terms].sort((a, b) => b.weight * b.most - a.weight * a.most);
    this.cursors = this.terms.map(({ list, passages }) => new ListCursor(list, passages));
    this.bounds = new Float64Array(terms.length + 1);
    for (let at = terms.length - 1; at >= 0; at--) {
      const { weight, most } = this.terms[at] as ListedTerm;
      this.bounds[at] = (this.bounds[at + 1] as number) + weight * most * caution;
    }
    this.base = dampingOf(0, lengths.average);
    this.slope = dampingOf(1, lengths.average) - this.base;
  }

  /** Scores the passages `from + 1` to `to`. @returns whether later passages can still be among the best */
  look(from: number, to: number): boolean {
    const { bounds, best } = this;
    let essential = this.terms.length;
    while (essential > 0 && (bounds[essential - 1] as number) < best.least) essential -= 1;
    if (essential === 0) return false;
    const lengths = this.lengths.row(Math.floor(from / mostWindow));
    const shift = from % mostWindow;
    let count = 0;
    for (let at = 0; at < essential; at++) count = this.add(at, from, to, lengths, shift, count);
    if (essential < this.terms.length) count = this.keep(count, bounds[essential] as number).sort().length;
    for (let at = essential; at < this.terms.length && count > 0; at++) {
      this.lookUp(at, from, count, lengths, shift);
      count = this.keep(count, bounds[at + 1] as number).length;
    }
    for (let entry = 0; entry < count; entry++) {
      const place = touched[entry] as number;
      best.add(from + place + 1, scores[place] as number);
      scores[place] = 0;
    }
    return true;
  }

  /** Adds the scores of a term to all passages of the window. @returns the number of passages with a score */
  private add(
    term: number,
    from: number,
    to: number,
    lengths: Uint16Array,
    shift: number,
    touchedBefore: number,
  ): number {
    const cursor = this.cursors[term] as ListCursor;
    const { weight } = this.terms[term] as ListedTerm;
    const { passages, occurrences } = cursor;
    const { base, slope } = this;
    let count = touchedBefore;
    if (!cursor.seek(from + 1)) return count;
    do {
      for (; cursor.at < cursor.size; cursor.at++) {
        const passage = passages[cursor.at] as number;
        if (passage > to) return count;
        const place = passage - from - 1;
        const frequency = occurrences[cursor.at] as number;
        const score = scores[place] as number;
        if (score === 0) touched[count++] = place;
        const damping = base + slope * (lengths[shift + place] as number);
        scores[place] = score + weight * ((frequency * (k1 + 1)) / (frequency + damping));
      }
    } while (cursor.turn());
    return count;
  }

  /** Adds the scores of a term to the remaining candidates, which are sorted by number. */
  private lookUp(term: number, from: number, count: number, lengths: Uint16Array, shift: number): void {
    const cursor = this.cursors[term] as ListCursor;
    const { weight } = this.terms[term] as ListedTerm;
    for (let entry = 0; entry < count; entry++) {
      const place = touched[entry] as number;
      if (!cursor.seek(from + place + 1)) return;
      if (cursor.passages[cursor.at] !== from + place + 1) continue;
      const frequency = cursor.occurrences[cursor.at] as number;
      const damping = this.base + this.slope * (lengths[shift + place] as number);
      scores[place] = (scores[place] as number) + weight * ((frequency * (k1 + 1)) / (frequency + damping));
    }
  }

  /**
   * Drops candidates that cannot be among the best even if `more` is added to their scores. @returns the remaining
   * candidates
   */
  private keep(count: number, more: number): Int32Array {
    const { least } = this.best;
    let kept = 0;
    for (let entry = 0; entry < count; entry++) {
      const place = touched[entry] as number;
      if (((scores[place] as number) + more) * caution >= least) touched[kept++] = place;
      else scores[place] = 0;
    }
    return touched.subarray(0, kept);
  }
}

/** The best passages so far, in a heap whose top is the worst of them. */
class Best {
  private readonly heap: Scored[] = [];

  constructor(private readonly limit: number) {}

  /** Lowest score of the best passages so far. */
  get least(): number {
    return this.heap.length < this.limit ? 0 : (this.heap[0] as Scored).score;
  }

  add(passage: number, score: number): void {
    const { heap } = this;
    const entry = { passage, score };
    if (heap.length < this.limit) {
      heap.push(entry);
      this.rise(heap.length - 1);
    } else if (score >= (heap[0] as Scored).score && isWorse(heap[0] as Scored, entry)) {
      heap[0] = entry;
      this.sink(0);
    }
  }

  sorted(): Scored[] {
    return [...this.heap].sort((a, b) => (isWorse(a, b) ? 1 : -1));
  }

  private rise(from: number): void {
    for (let at = from; at > 0; ) {
      const above = (at - 1) >> 1;
      if (!this.swapIfWorse(at, above)) return;
      at = above;
    }
  }

  private sink(from: number): void {
    const { heap } = this;
    for (let at = from; ; ) {
      let worst = 2 * at + 1;
      if (worst >= heap.length) return;
      if (worst + 1 < heap.length && isWorse(heap[worst + 1] as Scored, heap[worst] as Scored)) worst += 1;
      if (!this.swapIfWorse(worst, at)) return;
      at = worst;
    }
  }

  private swapIfWorse(below: number, above: number): boolean {
    const [low, high] = [this.heap[below] as Scored, this.heap[above] as Scored];
    if (!isWorse(low, high)) return false;
    this.heap[above] = low;
    this.heap[below] = high;
    return true;
  }
}

function isWorse(a: Scored, b: Scored): boolean {
  return a.score < b.score || (a.score === b.score && a.passage > b.passage);
}
