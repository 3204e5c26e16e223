/**
 * Reads the action in what a model wrote. The host of the episode reads, so that a slow parser delays no other caller.
 * The log has the text as the action of the step, and the action that was read in its reply.
 */
import type {
  AsyncEnvironment,
  Environment,
  EnvironmentFacts,
  Options,
  ResetRequest,
  ResetResult,
  StepResult,
} from "../../envs/env.js";
import { rewardRangeOf, toolsOf } from "../../envs/registry.js";
import { cloneOf, unwrap } from "../../envs/shared/wrappers/order-enforcing.js";
import type { ActionFormat, Reading } from "../formats/actions/action-format.js";
import { actionFormat, type EpisodeFormat } from "../formats/actions/action-formats.js";
import { offered, refusal, type Tool } from "../formats/actions/tool-call.js";

/** The reader of one episode, and of the copies that are cloned from it. */
export class ActionReader {
  /** Action of the newest text; null if none was found in it. */
  newest: string | null = null;
  private readonly format: ActionFormat;
  private readonly tools: readonly Tool[];
  private readonly reward: number;
  private logged: Reading | null = null;

  /** Returns the reader of an episode, or null if texts are plain actions. */
  static of(format: EpisodeFormat, spec: EnvironmentFacts, options: Options): ActionReader | null {
    return format === "plain" ? null : new ActionReader(format, spec, options);
  }

  private constructor(format: EpisodeFormat, spec: EnvironmentFacts, options: Options) {
    this.format = actionFormat(format);
    this.tools = offered(toolsOf(spec, options));
    const [lowest, highest] = rewardRangeOf(spec, options);
    this.reward = Math.min(Math.max(0, lowest), highest);
  }

  /** Returns what the text of a step is: an action, or the result of a step without one. */
  read(text: string): { readonly action: string } | { readonly result: StepResult } {
    const reading = this.logged ?? this.parse(text);
    this.logged = null;
    this.newest = "action" in reading ? reading.action : null;
    if ("action" in reading) return reading;
    return {
      result: { observation: reading.refusal, reward: this.reward, terminated: false, truncated: false, info: {} },
    };
  }

  /**
   * Makes the next `read` give what was read when the step was logged, so that no later version of the parser changes
   * an episode.
   *
   * @param reply JSON text of the logged reply
   */
  recall(reply: string): void {
    const { read, observation } = JSON.parse(reply) as { read: string | null; observation: string };
    this.logged = read === null ? { refusal: observation } : { action: read };
  }

  private parse(text: string): Reading {
    try {
      return this.format.read(text, this.tools);
    } catch (error) {
      // The functions that parse JSON and patterns throw it for texts that are nested too deeply.
      if (!(error instanceof RangeError)) throw error;
      return refusal("a reply that can be parsed", JSON.stringify(text));
    }
  }
}

/** Plays an environment with the actions that are read in texts. */
export class ReadingEnvironment implements Environment {
  constructor(
    private readonly inner: Environment,
    private readonly reader: ActionReader,
  ) {}

  get unwrapped(): Environment {
    return unwrap(this.inner);
  }

  reset(request: ResetRequest): ResetResult {
    return this.inner.reset(request);
  }

  step(text: string): StepResult {
    const read = this.reader.read(text);
    return "action" in read ? this.inner.step(read.action) : read.result;
  }

  close(): void {
    this.inner.close();
  }

  clone(): ReadingEnvironment {
    return new ReadingEnvironment(cloneOf(this.inner), this.reader);
  }
}

/** `ReadingEnvironment` of an async environment. */
export class AsyncReadingEnvironment implements AsyncEnvironment {
  constructor(
    readonly unwrapped: AsyncEnvironment,
    private readonly reader: ActionReader,
  ) {}

  reset(request: ResetRequest, signal: AbortSignal): Promise<ResetResult> {
    return this.unwrapped.reset(request, signal);
  }

  async step(text: string, signal: AbortSignal): Promise<StepResult> {
    const read = this.reader.read(text);
    return "action" in read ? this.unwrapped.step(read.action, signal) : read.result;
  }

  close(): Promise<void> {
    return this.unwrapped.close();
  }
}
