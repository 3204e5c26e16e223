import type { AsyncContext, AsyncEnvironment, Info, JsonValue, ResetRequest, ResetResult, StepResult } from "../env.js";
import { type Question, shownMetadata } from "../shared/questions/question.js";
import { contains, f1, isExact } from "../shared/questions/squad.js";
import type { PageWindow, Passage, Source } from "../shared/retrieval/source.js";
import { readAction } from "./actions.js";
import * as words from "./words.js";

/** Number of passages that a search returns, as in ASearcher. */
const passages = 5;

/** Maximum number of windows of a cited page in which the answer is searched. */
const mostCitedWindows = 25;

/** Time limit in milliseconds for reading all cited pages, because a web page may never load. */
const mostCitingMs = 60_000;

type Told = Omit<StepResult, "truncated">;

/** The answer that ended an episode. */
export interface LastAnswer {
  answer: string;
  cited: readonly string[];
  /** Ids of the cited pages that contain a golden answer. */
  proving: readonly string[];
  /** Whether the LLM judge or, without a judge, the comparison with the golden answers calls it right. */
  isRight: boolean;
}

/** Function that asks an LLM judge whether an answer is right. */
export type AskJudge = (
  question: string,
  golden: readonly string[],
  answer: string,
  signal: AbortSignal,
) => Promise<boolean>;

export interface Problem {
  question: Question;
  source: Source;
}

export interface Past {
  searches: string[];
  opens: string[];
}

/** Deep search: the agent searches, opens pages, and answers a question with citations. */
export class DeepSearch implements AsyncEnvironment {
  private problem: Problem | undefined;
  private reward = "exact";
  readonly past: Past = { searches: [], opens: [] };
  /** The answer that has ended the episode, if any. */
  given: LastAnswer | undefined;

  constructor(
    private readonly context: Pick<AsyncContext, "record">,
    private readonly problemOf: (task: ResetRequest["task"]) => Problem,
    private readonly askJudge: AskJudge,
    private readonly citingMs = mostCitingMs,
  ) {}

  async reset({ task, options }: ResetRequest): Promise<ResetResult> {
    const problem = this.problemOf(task);
    const { question } = problem;
    this.problem = problem;
    this.reward = options.reward ?? "exact";
    this.past.searches = [];
    this.past.opens = [];
    this.given = undefined;
    const info = { questionId: question.id, question: question.question, ...shownMetadata(question) };
    return { observation: words.opening(question.question), info };
  }

  async step(text: string, signal: AbortSignal): Promise<StepResult> {
    const action = readAction(text);
    const told = await this.take(action, signal);
    return { ...told, truncated: false };
  }

  async close(): Promise<void> {
    this.problem = undefined;
  }

  /** The current question, or undefined before the first reset. */
  get question(): Question | undefined {
    return this.problem?.question;
  }

  private async take(action: ReturnType<typeof readAction>, signal: AbortSignal): Promise<Told> {
    switch (action.kind) {
      case "search":
        return this.search(action.query, signal);
      case "open":
        return this.open(action.page, action.offset, signal);
      case "answer":
        return this.answer(action.answer, action.cited, signal);
      default:
        return seen(words.invalid, { action: "invalid" });
    }
  }

  private async search(query: string, signal: AbortSignal): Promise<Told> {
    const found = await this.recorded<Passage[]>((source) => source.search(query, passages, signal));
    this.past.searches.push(query);
    const results = found.map(({ id, title, score }) => ({ id, title, score }));
    return seen(words.results(query, found), { action: "search", query, results });
  }

  private async open(id: string, offset: number, signal: AbortSignal): Promise<Told> {
    const window = await this.recorded<PageWindow | null>((source) => source.open(id, offset, signal));
    this.past.opens.push(id);
    const info: Info = { action: "open", page: id, offset, isThere: window !== null };
    return seen(words.page(id, window), info);
  }

  private async answer(answer: string, cited: string[], signal: AbortSignal): Promise<Told> {
    const { question, golden } = (this.problem as Problem).question;
    const scores = { exact: isExact(answer, golden), f1: f1(answer, golden) };
    const proving = await this.recorded<string[]>((source) =>
      provingPages(source, cited, golden, this.citingMs, signal),
    );
    const info: Info = { action: "answer", answer, cited, ...scores, citedPagesWithAnswer: proving };
    let reward = this.reward === "f1" ? scores.f1 : Number(scores.exact);
    if (this.reward === "judge") {
      const isRight = await this.context.record(() => this.askJudge(question, golden, answer, signal));
      info.judge = isRight;
      reward = Number(isRight);
    }
    this.given = { answer, cited, proving, isRight: this.reward === "judge" ? reward === 1 : scores.exact };
    return { observation: words.answered, reward, terminated: true, info };
  }

  private async recorded<T>(ask: (source: Source) => Promise<T>): Promise<T> {
    const { source } = this.problem as Problem;
    return (await this.context.record(async () => (await ask(source)) as JsonValue)) as T;
  }
}

function seen(observation: string, info: Info): Told {
  return { observation, reward: 0, terminated: false, info };
}

/**
 * Returns the ids of the cited pages that contain a golden answer. Pages that cannot be read within the time limit are
 * ignored.
 */
async function provingPages(
  source: Source,
  cited: readonly string[],
  golden: readonly string[],
  mostMs: number,
  signal: AbortSignal,
): Promise<string[]> {
  const proving: string[] = [];
  const stop = new AbortController();
  const timer = setTimeout(() => stop.abort(), mostMs);
  const onAbort = () => stop.abort(signal.reason);
  signal.addEventListener("abort", onAbort, { once: true });
  try {
    for (const id of cited) if (contains(await wholeText(source, id, stop.signal), golden)) proving.push(id);
  } catch (error) {
    signal.throwIfAborted();
    if (!stop.signal.aborted) throw error;
  } finally {
    clearTimeout(timer);
    signal.removeEventListener("abort", onAbort);
  }
  return proving;
}

async function wholeText(source: Source, id: string, signal: AbortSignal): Promise<string> {
  let text = "";
  for (let windows = 0; windows < mostCitedWindows; windows++) {
    const window = await source.open(id, text.length, signal);
    if (!window || window.text === "") break;
    text += window.text;
    if (text.length >= window.length) break;
  }
  return text;
}
