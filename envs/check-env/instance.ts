/** One instance of a synchronous or async environment, with the same promise-based calls for both. */
import type {
  AnyEnvironmentSpec,
  AsyncEnvironment,
  Environment,
  EpisodeEnd,
  ResetRequest,
  ResetResult,
  StepResult,
} from "../env.js";
import { atOnce } from "../errors.js";
import { AsyncWrapped } from "../shared/wrappers/async-wrapped.js";
import { cloneOf, OrderEnforcing } from "../shared/wrappers/order-enforcing.js";
import { TimeLimit } from "../shared/wrappers/time-limit.js";

/** Common interface of synchronous and async engines. */
interface Engine {
  reset(request: ResetRequest, signal?: AbortSignal): ResetResult | Promise<ResetResult>;
  step(action: string, signal?: AbortSignal): StepResult | Promise<StepResult>;
  close(): void | Promise<void>;
  clone?(): Environment;
}

/** Deadline in milliseconds for a call of an environment that states no deadline. The gym's own default is 1 s. */
const callMs = 10_000;

/**
 * Returns the deadline of a call in milliseconds. An async call is aborted at the deadline. A call that does not end
 * afterwards counts as hung.
 */
export function callDeadlineMs(spec: AnyEnvironmentSpec): number {
  return (spec.isAsync && spec.deadlineMs) || callMs;
}

/**
 * Callback that receives the name of every call of an environment before the call, so that a hung call can be reported.
 * For a reset, it also receives the request.
 */
export type CallNote = (call: string, request?: ResetRequest) => void;

/** Errors that calls of environments threw, as opposed to errors of the checks. */
export const thrownByEngines = new WeakSet<object>();

export class Instance {
  private task = "no task";
  private steps = 0;

  private constructor(
    private readonly spec: AnyEnvironmentSpec,
    private readonly engine: Engine,
    /** The engine, or the wrapper around it. */
    private readonly player: Engine,
    private readonly note: CallNote,
  ) {}

  static of(spec: AnyEnvironmentSpec, engine: Engine, note: CallNote = () => {}): Instance {
    return new Instance(spec, engine, engine, note);
  }

  /** Returns an instance whose engine runs inside the gym's wrappers. */
  wrapped(maxSteps: number): Instance {
    const { spec, engine } = this;
    const player = spec.isAsync
      ? new AsyncWrapped(engine as AsyncEnvironment, maxSteps)
      : new OrderEnforcing(new TimeLimit(engine as Environment, maxSteps));
    return new Instance(spec, engine, player, this.note);
  }

  /** @param passed the request that the engine receives, if it is not a new copy */
  reset(request: ResetRequest, passed = copyOf(request)): Promise<ResetResult> {
    this.task = nameOf(request);
    this.steps = 0;
    this.note(`reset to ${this.task}`, request);
    return this.settled("reset", () => this.player.reset(passed, this.signal));
  }

  step(action: string): Promise<StepResult> {
    this.steps += 1;
    this.note(`step ${this.steps} of ${this.task}, the action ${JSON.stringify(action.slice(0, 40))}`);
    return this.settled("step", () => this.player.step(action, this.signal));
  }

  async close(): Promise<void> {
    this.note(`close after ${this.steps} steps of ${this.task}`);
    await this.settled("close", () => this.player.close());
  }

  /**
   * Closes the instance and ignores errors: a separate check tests `close`, and its error must not hide an earlier
   * failure.
   */
  async tryToClose(): Promise<void> {
    await this.close().catch(() => {});
  }

  /** Whether a replay gives the same bytes, including images. */
  get canRestore(): boolean {
    return this.spec.restore !== "none";
  }

  get canClone(): boolean {
    return typeof this.engine.clone === "function";
  }

  clone(): Instance {
    this.note(`clone after ${this.steps} steps of ${this.task}`);
    const copy = cloneOf(this.player as Environment);
    return new Instance(this.spec, copy, copy, this.note);
  }

  async askExpert(): Promise<unknown> {
    const { expert } = this.asked;
    this.note(`the expert after ${this.steps} steps of ${this.task}`);
    return (await this.settled("expert", () => expert?.call(this.spec, this.engine, this.signal))) ?? null;
  }

  /** Returns the expert's action, or null if it has none or throws. Other checks report the expert's errors. */
  async advice(): Promise<string | null> {
    const answer = await this.askExpert().catch(() => null);
    return typeof answer === "string" ? answer : null;
  }

  async answer(query: string): Promise<unknown> {
    this.note(`the query ${query} after ${this.steps} steps of ${this.task}`);
    return this.settled(`the query ${query}`, () => this.asked.queries?.[query]?.answer(this.engine, this.signal));
  }

  /** Returns the verdict on the episode, as the environment gives it. */
  async verdict(end: EpisodeEnd): Promise<unknown> {
    this.note(`the verdict after ${this.steps} steps of ${this.task}`);
    return this.settled("verdict", () => this.asked.verdict?.call(this.spec, this.engine, end, this.signal));
  }

  /** The spec, with the expert, the verdict and the queries typed for any engine. */
  private get asked(): Asked {
    return this.spec;
  }

  private get signal(): AbortSignal | undefined {
    return this.spec.isAsync ? AbortSignal.timeout(callDeadlineMs(this.spec)) : undefined;
  }

  private async settled<T>(name: string, call: () => T | Promise<T>): Promise<T> {
    try {
      const result = call();
      return await (this.spec.isAsync ? result : atOnce(name, result));
    } catch (error) {
      if (error instanceof Error) thrownByEngines.add(error);
      throw error;
    }
  }
}

interface Asked {
  expert?(engine: unknown, signal?: AbortSignal): unknown;
  verdict?(engine: unknown, end: EpisodeEnd, signal?: AbortSignal): unknown;
  queries?: Readonly<Record<string, { answer(engine: unknown, signal?: AbortSignal): unknown }>>;
}

export function nameOf({ task, seed, options }: ResetRequest): string {
  const chosen = Object.entries(options).map(([name, value]) => `, ${name} ${value}`);
  return `${task.split}:${task.index} with seed ${seed}${chosen.join("")}`;
}

/** Copies a request, so that an engine that changes its request does not affect other engines. */
export function copyOf({ task, seed, options }: ResetRequest): ResetRequest {
  return { task: { ...task }, seed, options: { ...options } };
}
