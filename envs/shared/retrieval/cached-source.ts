import type { PageWindow, Passage, Source } from "./source.js";

/** Maximum age of a cached answer in milliseconds. */
const mostAgeMs = 60_000;
/** Maximum total size of the cached answers, in characters. */
const mostCharacters = 2 ** 24;

interface Kept {
  answer: unknown;
  characters: number;
  at: number;
}

/** A cache of recent answers with bounded memory. */
export class Answers {
  /** Cached answers by question, the oldest first. */
  private readonly kept = new Map<string, Kept>();
  private characters = 0;

  constructor(private readonly now: () => number = () => performance.now()) {}

  /** Returns the cached answer to a question, or calls `ask` and caches its answer. */
  async of(question: string, ask: () => Promise<unknown>): Promise<unknown> {
    const known = this.kept.get(question);
    if (known && this.now() - known.at < mostAgeMs) return structuredClone(known.answer);
    const answer = await ask();
    this.keep(question, answer);
    return structuredClone(answer);
  }

  private keep(question: string, answer: unknown): void {
    const characters = question.length + JSON.stringify(answer).length;
    this.forget(question);
    this.kept.set(question, { answer, characters, at: this.now() });
    this.characters += characters;
    for (const oldest of this.kept.keys()) {
      if (this.characters <= mostCharacters) break;
      this.forget(oldest);
    }
  }

  private forget(question: string): void {
    const kept = this.kept.get(question);
    if (!kept) return;
    this.kept.delete(question);
    this.characters -= kept.characters;
  }
}

/**
 * A source that caches the answers of another source, since the episodes of a group often start with the same queries.
 */
export class CachedSource implements Source {
  constructor(
    private readonly source: Source,
    private readonly answers = new Answers(),
  ) {}

  search(query: string, k: number, signal: AbortSignal): Promise<Passage[]> {
    const asked = () => this.source.search(query, k, signal);
    return this.answers.of(`search ${k} ${query}`, asked) as Promise<Passage[]>;
  }

  open(id: string, offset: number, signal: AbortSignal): Promise<PageWindow | null> {
    const asked = () => this.source.open(id, offset, signal);
    return this.answers.of(`open ${offset} ${id}`, asked) as Promise<PageWindow | null>;
  }

  close(): Promise<void> {
    return this.source.close();
  }
}
