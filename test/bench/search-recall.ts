/** Recall of pages and answers for the bundled questions among the bundled pages, and agreement of two engines. */
import { bundledQuestions } from "#palestra/envs/shared/synthesis/questions.js";
import type { BenchResult } from "./report.js";

/** A found passage. */
export interface Found {
  page: string;
  text: string;
}

/** A query with its expected result. */
export interface Wanted {
  query: string;
  /** Page that the expert opens after this query, or undefined if the expected result is an answer. */
  page?: string;
  /** Texts, at least one of which a found passage must contain. */
  answers?: readonly string[];
}

const depths = [3, 10] as const;
/** Largest acceptable difference below Lucene's recall, in percentage points. */
const mostBelow = 2;

/** Returns the experts' queries, followed by the questions themselves. */
export function wantedOf(questions = bundledQuestions()): Wanted[] {
  const ofExperts = questions.flatMap(({ metadata: { queries, evidence } }) =>
    queries.map((query, at) => ({ query, page: evidence[at] as string })),
  );
  return [...ofExperts, ...questions.map(({ question, golden_answers: answers }) => ({ query: question, answers }))];
}

/** @param found passages found for each query, best first, and those of Lucene if it was measured */
export function recallResults(
  wanted: readonly Wanted[],
  ours: readonly Found[][],
  theirs?: readonly Found[][],
): BenchResult[] {
  const results: BenchResult[] = [];
  const kinds = { "evidence recall": (one: Wanted) => !!one.page, "answer recall": (one: Wanted) => !!one.answers };
  for (const [name, isKind] of Object.entries(kinds)) {
    const places = wanted.flatMap((one, at) => (isKind(one) ? [at] : []));
    for (const depth of depths) {
      const recall = (found: readonly Found[][]) =>
        percent(places, (at) => +isFound(wanted[at] as Wanted, (found[at] as Found[]).slice(0, depth)));
      const value = recall(ours);
      results.push({ name: `${name}, top ${depth}`, value, unit: "%" });
      if (!theirs) continue;
      const baseline = recall(theirs);
      results.push({ name: `${name}, top ${depth}, Lucene`, value: baseline, unit: "%" });
      const below = { name: `${name}, top ${depth}, below Lucene`, value: baseline - value };
      results.push({ ...below, unit: "points", target: `<= ${mostBelow}` });
    }
  }
  return theirs ? [...results, ...agreement(ours, theirs)] : results;
}

/** Returns the shares of pages that both engines find. */
function agreement(ours: readonly Found[][], theirs: readonly Found[][]): BenchResult[] {
  const places = [...ours.keys()];
  return depths.map((depth) => {
    const common = (at: number) => {
      const [a, b] = [ours, theirs].map((found) => new Set(found[at]?.slice(0, depth).map(({ page }) => page)));
      const most = Math.max(a?.size ?? 0, b?.size ?? 0);
      return most === 0 ? 1 : [...(a ?? [])].filter((page) => b?.has(page)).length / most;
    };
    return { name: `pages in common with Lucene, top ${depth}`, value: percent(places, common), unit: "%" };
  });
}

function isFound({ page, answers }: Wanted, found: readonly Found[]): boolean {
  if (page !== undefined) return found.some((passage) => passage.page === page);
  const texts = found.map(({ text }) => plain(text));
  return (answers ?? []).some((answer) => texts.some((text) => text.includes(plain(answer))));
}

/** Returns the words in lower case, each between spaces. */
function plain(text: string): string {
  return ` ${
    text
      .toLowerCase()
      .match(/[\p{L}\p{N}\p{M}]+/gu)
      ?.join(" ") ?? ""
  } `;
}

function percent(places: readonly number[], share: (at: number) => number): number {
  return (100 * places.reduce((sum, at) => sum + share(at), 0)) / Math.max(1, places.length);
}
