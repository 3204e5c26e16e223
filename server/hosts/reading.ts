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
import { rewardRangeOf, seatsOf, toolsOf } from "../../envs/registry.js";
import { cloneOf, unwrap } from "../../envs/shared/wrappers/order-enforcing.js";
import type { ActionFormat, Reading } from "../formats/actions/action-format.js";
import { actionFormat, type EpisodeFormat } from "../formats/actions/action-formats.js";
import { offered, refusal, type Tool } from "../formats/actions/tool-call.js";

/** The reader of one episode, and of the copies that are cloned from it. */
export class ActionReader {
  /** Action of the newest text; null if none was found in it. */
  newest: string | null = null;
  private readonly format: ActionFormat;
  /** Returns the tools of a seat, or of the only player. */
  private readonly tools: (turn: string | undefined) => readonly Tool[];
  private readonly reward: number;
  private logged: Reading | null = null;

  /** Returns the reader of an episode, or null if texts are plain actions. */
  static of(format: EpisodeFormat, spec: EnvironmentFacts, options: Options): ActionReader | null {
    return format === "plain" ? null : new ActionReader(format, spec, options);
  }

  private constructor(format: EpisodeFormat, spec: EnvironmentFacts, options: Options) {
    this.format = actionFormat(format);
    const own = new Map(
      [undefined, ...(seatsOf(spec) ?? [])].map((seat) => [seat, offered(toolsOf(spec, options, seat))]),
    );
    this.tools = (turn) => own.get(turn) as readonly Tool[];
    const [lowest, highest] = rewardRangeOf(spec, options);
    this.reward = Math.min(Math.max(0, lowest), highest);
  }

  /**
   * Returns what the text of a step is: an action, or the result of a step without one, after which the same seat acts
   * again.
   */
  read(text: string, turn: string | undefined): { readonly action: string } | { readonly result: StepResult } {
    const reading = this.logged ?? this.parse(text, turn);
    this.logged = null;
    this.newest = "action" in reading ? reading.action : null;
    if ("action" in reading) return reading;
    const { reward } = this;
    const next = turn === undefined ? {} : { turn };
    return { result: { observation: reading.refusal, reward, terminated: false, truncated: false, ...next, info: {} } };
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

  private parse(text: string, turn: string | undefined): Reading {
    try {
      return this.format.read(text, this.tools(turn));
    } catch (error) {
      // The functions that parse JSON and patterns throw it for texts that are nested too deeply.
      if (!(error instanceof RangeError)) throw error;
      return refusal("a reply that can be parsed", JSON.stringify(text));
    }
  }
}

/** Plays an environment with the actions that are read in texts. */
export class ReadingEnvironment implements Environment {
  /** Seat that acts next, if the environment has seats. */
  private turn: string | undefined;

  constructor(
    private readonly inner: Environment,
    private readonly reader: ActionReader,
  ) {}

  get unwrapped(): Environment {
    return unwrap(this.inner);
  }

  reset(request: ResetRequest): ResetResult {
    const result = this.inner.reset(request);
    this.turn = result.turn;
    return result;
  }

  step(text: string): StepResult {
    const read = this.reader.read(text, this.turn);
    const result = "action" in read ? this.inner.step(read.action) : read.result;
    this.turn = result.turn;
    return result;
  }

  close(): void {
    this.inner.close();
  }

  clone(): ReadingEnvironment {
    const copy = new ReadingEnvironment(cloneOf(this.inner), this.reader);
    copy.turn = this.turn;
    return copy;
  }
}

/** `ReadingEnvironment` of an async environment. */
export class AsyncReadingEnvironment implements AsyncEnvironment {
  private turn: string | undefined;

  constructor(
    readonly unwrapped: AsyncEnvironment,
    private readonly reader: ActionReader,
  ) {}

  async reset(request: ResetRequest, signal: AbortSignal): Promise<ResetResult> {
    const result = await this.unwrapped.reset(request, signal);
    this.turn = result.turn;
    return result;
  }

  async step(text: string, signal: AbortSignal): Promise<StepResult> {
    const read = this.reader.read(text, this.turn);
    const result = "action" in read ? await this.unwrapped.step(read.action, signal) : read.result;
    this.turn = result.turn;
    return result;
  }

  close(): Promise<void> {
    return this.unwrapped.close();
  }
}
