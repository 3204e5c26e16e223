/**
 * Chooses the bundled questions: proposes and checks questions, balances the question types, and keeps the entities of
 * different splits disjoint.
 */
import { knowledgeGraph } from "../knowledge/graph.js";
import { choose, hash } from "../knowledge/hash.js";
import { allPages } from "../knowledge/pages.js";
import { Proposer, type QuestionType, questionTypes } from "./candidates.js";
import { Evaluator, type Question } from "./forms.js";
import { passageSearch, type Search } from "./passages.js";
import { type Draft, Writer, type Written } from "./write-question.js";

export type Split = "train" | "dev" | "test";

export interface BundledQuestion {
  id: string;
  question: string;
  golden_answers: string[];
  metadata: {
    hops: number;
    type: QuestionType;
    difficulty: "easy" | "medium" | "hard";
    split: Split;
    /** Type of the answer: a kind of entity, "number", "code" or "text". */
    answerType: string;
    /** Whether the keyword baseline, a single search, finds the answer. */
    solvedByKeywords: boolean;
    /** Ids of the pages that prove the answer, in the order in which a reader can find them. */
    evidence: string[];
    /** Search queries, one for each page of `evidence`. */
    queries: string[];
    proof: { page: string; text: string }[];
    form: Question;
    /** Seed and number of the proposal, from which the question can be generated again. */
    key: string;
  };
}

/** Fraction of each question type in every split. */
const shares: Record<QuestionType, number> = {
  single: 0.1,
  chain: 0.3,
  fuzzed: 0.2,
  intersection: 0.12,
  superlative: 0.08,
  comparison: 0.08,
  count: 0.04,
  contested: 0.08,
};
const sizes: Record<Split, number> = { train: 1_600, dev: 200, test: 200 };
const mostOfAnswer = { train: 9, dev: 4, test: 4 };
const mostProposals = 400_000;

/** Returns the split of an entity, which does not depend on the seed. */
export function splitOf(entity: string): Split {
  const place = hash(`${entity} split`) % 100;
  return place < 66 ? "train" : place < 83 ? "dev" : "test";
}

export interface BundleOptions {
  seed: number;
  sizes?: Record<Split, number>;
  search?: Search;
  onProgress?: (done: number, all: number) => void;
}

/**
 * Returns the questions for a seed, sorted by split. The result is deterministic.
 *
 * @throws {Error} the graph has too few questions of a type
 */
export async function bundleQuestions({
  seed,
  sizes: wanted = sizes,
  search,
  onProgress,
}: BundleOptions): Promise<BundledQuestion[]> {
  const graph = knowledgeGraph();
  const pages = allPages(graph);
  const evaluator = new Evaluator(graph);
  const writer = new Writer(evaluator, search ?? passageSearch(pages), new Map(pages.map((page) => [page.id, page])));
  const proposer = new Proposer(evaluator);
  const shelf = new Shelf(wanted);
  for (let at = 0; at < mostProposals && !shelf.isFull; at++) {
    const key = `${seed} ${at}`;
    const type = choose(`${key} type`, shelf.openTypes);
    const form = proposer.propose(type, key);
    const draft = form && writer.draft(type, form, key);
    if (!draft || !shelf.wants(draft)) continue;
    const written = await writer.finish(draft);
    if (written) shelf.add(written);
    if (written) onProgress?.(shelf.count, shelf.total);
  }
  if (!shelf.isFull)
    throw new Error(`expected ${shelf.total} questions, but the graph has only ${shelf.count}: ${shelf.missing}`);
  return shelf.questions();
}

/** The questions chosen so far, with a limit on their number for each split and type. */
class Shelf {
  private readonly written = new Map<string, Written[]>();
  private readonly seen = new Set<string>();
  private readonly counts = new Map<string, number>();
  count = 0;

  constructor(private readonly sizes: Record<Split, number>) {}

  get total(): number {
    return this.sizes.train + this.sizes.dev + this.sizes.test;
  }

  get isFull(): boolean {
    return this.openTypes.length === 0;
  }

  get openTypes(): QuestionType[] {
    return questionTypes.filter((type) => splits.some((split) => this.room(split, type) > 0));
  }

  get missing(): string {
    const open = splits.flatMap((split) =>
      questionTypes.map((type) => ({ split, type, room: this.room(split, type) })),
    );
    return open
      .filter(({ room }) => room > 0)
      .map(({ split, type, room }) => `${room} ${type} in ${split}`)
      .join(", ");
  }

  wants(draft: Draft): boolean {
    const split = splitOfAll(draft.owners);
    if (!split || this.room(split, draft.type) === 0 || this.seen.has(draft.question)) return false;
    return this.caps(draft, split).every(([key, most]) => (this.counts.get(key) ?? 0) < most);
  }

  add(question: Written): void {
    const split = splitOfAll(question.owners) as Split;
    const place = `${split} ${question.type}`;
    this.written.set(place, [...(this.written.get(place) ?? []), question]);
    this.seen.add(question.question);
    this.count += 1;
    for (const [key] of this.caps(question, split)) this.counts.set(key, (this.counts.get(key) ?? 0) + 1);
  }

  questions(): BundledQuestion[] {
    return splits.flatMap((split) => {
      const ofSplit = questionTypes.flatMap((type) => this.written.get(`${split} ${type}`) ?? []);
      const shuffled = ofSplit.sort(
        (a, b) => hash(a.question) - hash(b.question) || (a.question < b.question ? -1 : 1),
      );
      return shuffled.map((written, at) => bundled(written, split, at));
    });
  }

  /**
   * Returns the keys of a question, with the maximum number of questions that may have each key: its answer, its
   * entities and its pattern.
   */
  private caps({ golden, answerType, owners, form }: Draft, split: Split): [string, number][] {
    const pattern = JSON.stringify(form, (key, value) => (key === "id" || key === "value" ? undefined : value));
    return [
      [`${split} answer ${answerType} ${golden[0]}`, mostOfAnswer[split]],
      [`${split} pattern ${pattern}`, Math.max(3, Math.round(this.sizes[split] * 0.01))],
      ...owners.map((owner): [string, number] => [`${split} owner ${owner}`, split === "train" ? 10 : 6]),
    ];
  }

  private room(split: Split, type: QuestionType): number {
    return Math.round(shares[type] * this.sizes[split]) - (this.written.get(`${split} ${type}`)?.length ?? 0);
  }
}

const splits: readonly Split[] = ["train", "dev", "test"];

function splitOfAll(owners: readonly string[]): Split | undefined {
  const [first, ...others] = owners.map(splitOf);
  return others.every((split) => split === first) ? first : undefined;
}

function bundled(written: Written, split: Split, at: number): BundledQuestion {
  const { question, golden, hops, type, answerType, isSolvedByKeywords, facts, queries, form, key } = written;
  return {
    id: `${split}-${String(at + 1).padStart(4, "0")}`,
    question,
    golden_answers: golden,
    metadata: {
      hops,
      type,
      difficulty: isSolvedByKeywords || hops === 1 ? "easy" : hops === 2 ? "medium" : "hard",
      split,
      answerType,
      solvedByKeywords: isSolvedByKeywords,
      evidence: [...new Set(facts.map(({ page }) => page))],
      queries,
      proof: facts.map(({ page, text }) => ({ page, text })),
      form,
      key,
    },
  };
}
