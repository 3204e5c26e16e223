/** Runs one task of MiniWoB++ in its page. */

import type {
  AsyncEnvironment,
  EpisodeEnd,
  Info,
  ObservationPart,
  ResetRequest,
  ResetResult,
  StepResult,
  Verdict,
} from "../env.js";
import { WrongAction } from "../shared/browser/actions/web-action.js";
import type { Browsers } from "../shared/browser/web-session.js";
import { type MiniWobAction, parseAction } from "./actions.js";
import { adviseOn } from "./expert.js";
import { perform } from "./perform.js";
import type { PastStep } from "./sight.js";
import { TaskPage } from "./task-page.js";
import { type Problem, problemOf } from "./tasks.js";
import { verdictOf } from "./verdict.js";

/** Fields of the environment context that MiniWoB++ uses. */
export type MiniWobContext = { sandboxes: { readonly browsers: Browsers } };

/** Duration of each action in milliseconds of the page's clock. */
const actionMs = 1_000;

/** State of a started episode. */
interface Play {
  problem: Problem;
  /** The task in the words of the page. */
  utterance: string;
  page: TaskPage;
  past: PastStep[];
  isOver: boolean;
  withPicture: boolean;
}

export class MiniWob implements AsyncEnvironment {
  private play: Play | undefined;
  private page: TaskPage | undefined;

  constructor(private readonly context: MiniWobContext) {}

  async reset({ task: ref, options }: ResetRequest, signal: AbortSignal): Promise<ResetResult> {
    await this.close();
    const problem = problemOf(ref);
    return this.closedIfAborted(signal, async () => {
      const page = await TaskPage.open(this.context.sandboxes.browsers, signal);
      this.page = page;
      const { text, utterance } = await page.start(problem, signal);
      const play: Play = { problem, utterance, page, past: [], isOver: false, withPicture: options.picture === "png" };
      this.play = play;
      const info: Info = { task: problem.task, problemSeed: problem.seed, utterance };
      return { observation: text, ...(await this.parts(play, signal)), info };
    });
  }

  async step(text: string, signal: AbortSignal): Promise<StepResult> {
    const { play } = this;
    if (!play || play.isOver) throw new Error("No episode is in progress. Reset the environment before the next step.");
    return this.closedIfAborted(signal, () => this.perform(play, text, signal));
  }

  /** Returns the expert's next action, or null if the expert has no action. */
  advise(): string | null {
    const { play } = this;
    return !play || play.isOver ? null : adviseOn(play.problem.task, play.page.sight, play.past);
  }

  /** Returns why the episode has ended as it did. */
  verdict(end: EpisodeEnd): Verdict {
    return verdictOf(this.play?.utterance ?? "", end);
  }

  /** Returns a screenshot of the task area. */
  async render(signal: AbortSignal): Promise<ObservationPart & { type: "image" }> {
    const { page } = this;
    if (!page) throw new Error("No episode is in progress. Reset the environment first.");
    return { type: "image", mediaType: "image/png", data: Buffer.from(await page.picture(signal)).toString("base64") };
  }

  /** The page of the episode, for scripts that act on it directly. */
  get visited(): TaskPage | undefined {
    return this.page;
  }

  async close(): Promise<void> {
    const { page } = this;
    this.play = undefined;
    this.page = undefined;
    await page?.close();
  }

  /**
   * Runs a call, and closes the environment if the call was aborted, because an aborted call may open resources after
   * `close` has returned.
   */
  private async closedIfAborted<T>(signal: AbortSignal, call: () => Promise<T>): Promise<T> {
    try {
      return await call();
    } finally {
      if (signal.aborted) await this.close();
    }
  }

  private async perform(play: Play, written: string, signal: AbortSignal): Promise<StepResult> {
    const { page, past } = play;
    const before = page.sight;
    let fault: string | undefined;
    try {
      const action = parseAction(written);
      await perform(page, action, signal);
      past.push({ sight: before, action: written });
      await page.pass(durationOf(action), signal);
    } catch (error) {
      if (!(error instanceof WrongAction)) throw error;
      fault = error.message;
    }
    const ending = await page.look(signal);
    if (ending) {
      play.isOver = true;
      const info: Info = ending.reason === null ? {} : { reason: ending.reason };
      const reward = Math.max(-1, Math.min(ending.reward, 1));
      return { observation: "The task is over.", reward, terminated: true, truncated: false, info };
    }
    const observation = fault === undefined ? page.sight.text : `${fault}\n\n${page.sight.text}`;
    const info: Info = fault === undefined ? {} : { fault };
    const parts = await this.parts(play, signal);
    return { observation, ...parts, reward: 0, terminated: false, truncated: false, info };
  }

  private async parts(play: Play, signal: AbortSignal): Promise<{ parts?: ObservationPart[] }> {
    return play.withPicture ? { parts: [await this.render(signal)] } : {};
  }
}

function durationOf(action: MiniWobAction): number {
  return action.kind === "wait" ? action.ms : actionMs;
}
