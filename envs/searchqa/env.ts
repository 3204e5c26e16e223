import type { AsyncContext, AsyncEnvironment, Info, ResetRequest, ResetResult, StepResult } from "../env.js";
import { type Question, shownMetadata } from "../shared/questions/question.js";
import { scored } from "../shared/questions/scored.js";
import type { Passage, Source } from "../shared/retrieval/source.js";
import { readAction } from "./actions.js";
import { information, invalid, opening, right, wrong } from "./words.js";

/** Number of passages that a search returns, as on AgentGym's server. */
const passages = 3;

type Answered = Pick<StepResult, "observation" | "reward" | "terminated" | "info">;

/** The question of a task, and the source in which the agent searches. */
export interface Problem {
  question: Question;
  source: Source;
}

/** AgentGym's SearchQA, in which the agent searches for the answer to a question. */
export class SearchQa implements AsyncEnvironment {
  private problem: Problem | undefined;
  /** Whether a wrong answer ends the episode. */
  private answersOnce = false;
  private reward: string | undefined;
  /** Searches so far, in order. */
  readonly past: { searches: string[] } = { searches: [] };
  /** Answers so far, in order. */
  readonly answers: string[] = [];

  constructor(
    private readonly context: Pick<AsyncContext, "record">,
    private readonly problemOf: (task: ResetRequest["task"]) => Problem,
  ) {}

  async reset({ task, options }: ResetRequest): Promise<ResetResult> {
    const { question, source } = this.problemOf(task);
    this.problem = { question, source };
    this.answersOnce = options.answers === "once";
    this.reward = options.reward;
    this.past.searches.length = 0;
    this.answers.length = 0;
    const info = { questionId: question.id, question: question.question, ...shownMetadata(question) };
    return { observation: opening(question.question), info };
  }

  async step(text: string, signal: AbortSignal): Promise<StepResult> {
    const action = readAction(text);
    if (action.kind === "search") return { ...(await this.search(action.query, signal)), truncated: false };
    if (action.kind === "answer") return { ...this.answer(action.answer), truncated: false };
    return { observation: invalid, reward: 0, terminated: false, truncated: false, info: { action: "invalid" } };
  }

  async close(): Promise<void> {
    this.problem = undefined;
  }

  /** The current question, or undefined before the first reset. */
  get question(): Question | undefined {
    return this.problem?.question;
  }

  private async search(query: string, signal: AbortSignal): Promise<Answered> {
    const { source } = this.problem as Problem;
    const found = (await this.context.record(async () => {
      const answers = await source.search(query, passages, signal);
      return answers.map(({ id, title, text, score }) => ({ id, title, text, score }));
    })) as Passage[];
    this.past.searches.push(query);
    const results = found.map(({ id, title, score }) => ({ id, title, score }));
    const info: Info = { action: "search", query, results };
    return { observation: information(found), reward: 0, terminated: false, info };
  }

  private answer(answer: string): Answered {
    const { golden } = (this.problem as Problem).question;
    this.answers.push(answer);
    const { reward, ...scores } = scored(answer, golden, this.reward);
    const info: Info = { action: "answer", answer, ...scores };
    return {
      observation: scores.exact ? right : wrong,
      reward,
      terminated: scores.exact || this.answersOnce,
      info,
    };
  }
}
