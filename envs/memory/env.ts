import type { Environment, Info, ResetRequest, ResetResult, StepResult } from "../env.js";
import { scored } from "../shared/questions/scored.js";
import { memoryIndex } from "../shared/retrieval/embedded/memory-index.js";
import type { PageIndex } from "../shared/retrieval/embedded/page-index.js";
import { readAction } from "./actions.js";
import { type Task, taskOf } from "./tasks.js";
import * as words from "./words.js";
import type { Length } from "./world/lengths.js";

/** Number of passages that a search returns. */
const passages = 5;

type Told = Omit<StepResult, "truncated">;

export interface Past {
  searches: string[];
  opens: string[];
}

/** The environment: the agent searches a history of chats, opens sessions, and answers a question about them. */
export class Memory implements Environment {
  /** The current task. Undefined before the first reset. */
  task: Task | undefined;
  readonly past: Past = { searches: [], opens: [] };
  /** The answer that has ended the episode, if any. */
  given: { answer: string; exact: boolean } | undefined;
  private index: PageIndex | undefined;
  private reward = "exact";

  /** Starts a task. The seed has no effect: all rollouts of a task get the same history. */
  reset({ task: ref, options }: ResetRequest): ResetResult {
    this.close();
    const task = taskOf(ref, options.length as Length);
    const { sessions } = task.history;
    this.task = task;
    this.index = memoryIndex(
      sessions.map((session) => ({
        id: session.id,
        title: words.titleOf(session),
        text: words.textOf(session),
        links: [],
      })),
    );
    this.reward = options.reward as string;
    this.past.searches = [];
    this.past.opens = [];
    this.given = undefined;
    const { family, topic, question } = task;
    return { observation: words.opening(task), info: { family, topic, question, sessions: sessions.length } };
  }

  step(text: string): StepResult {
    return { ...this.take(readAction(text)), truncated: false };
  }

  close(): void {
    this.index?.close();
    this.index = undefined;
  }

  private take(action: ReturnType<typeof readAction>): Told {
    switch (action.kind) {
      case "search":
        return this.search(action.query);
      case "open":
        return this.open(action.session, action.offset);
      case "answer":
        return this.answer(action.answer);
      default:
        return seen(words.invalid, { action: "invalid" });
    }
  }

  private search(query: string): Told {
    const found = (this.index as PageIndex).search(query, passages);
    this.past.searches.push(query);
    return seen(words.results(query, found), { action: "search", query, sessions: found.map(({ id }) => id) });
  }

  private open(id: string, offset: number): Told {
    const window = (this.index as PageIndex).open(id, offset);
    this.past.opens.push(id);
    return seen(words.session(id, window), { action: "open", session: id, offset, isThere: window !== null });
  }

  private answer(answer: string): Told {
    const { golden } = this.task as Task;
    const { reward, ...scores } = scored(answer, golden, this.reward);
    this.given = { answer, exact: scores.exact };
    const info: Info = { action: "answer", answer, ...scores };
    return { observation: words.answered, reward, terminated: true, info };
  }
}

function seen(observation: string, info: Info): Told {
  return { observation, reward: 0, terminated: false, info };
}
