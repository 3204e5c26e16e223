/** One instance of either kind of environment, with the same promise-based calls for both. */
import type {
  AnyEnvironmentSpec,
  AsyncEnvironment,
  Environment,
  ResetRequest,
  ResetResult,
  StepResult,
} from "../env.js";
import { AsyncWrapped } from "../wrappers/async-wrapped.js";
import { cloneOf, OrderEnforcing } from "../wrappers/order-enforcing.js";
import { TimeLimit } from "../wrappers/time-limit.js";

/** Common interface of the engines of both kinds. */
interface Engine {
  reset(request: ResetRequest, signal?: AbortSignal): ResetResult | Promise<ResetResult>;
  step(action: string, signal?: AbortSignal): StepResult | Promise<StepResult>;
  close(): void | Promise<void>;
  clone?(): Environment;
}

/** Stands for a promise that a synchronous environment returned against the contract. */
export class Promised {}

/** Milliseconds for a call of an environment without its own deadline. The gym itself allows 1 s by default. */
const callMs = 10_000;

/**
 * Returns the deadline of a call in milliseconds. An async call is aborted at the deadline, and a call that runs on
 * counts as hung.
 */
export function callDeadlineMs(spec: AnyEnvironmentSpec): number {
  return (spec.isAsync && spec.deadlineMs) || callMs;
}

/** Callback before every call of an environment, so that a hung call can be named. */
export type CallNote = (call: string) => void;

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

  /** Returns an instance with the same engine in the wrappers that the gym uses. */
  wrapped(maxSteps: number): Instance {
    const { spec, engine } = this;
    const player = spec.isAsync
      ? new AsyncWrapped(engine as AsyncEnvironment, maxSteps)
      : new OrderEnforcing(new TimeLimit(engine as Environment, maxSteps));
    return new Instance(spec, engine, player, this.note);
  }

  reset(request: ResetRequest): Promise<ResetResult> {
    this.task = nameOf(request);
    this.steps = 0;
    this.note(`reset to ${this.task}`);
    return this.settled(() => this.player.reset(copyOf(request), this.signal));
  }

  step(action: string): Promise<StepResult> {
    this.steps += 1;
    this.note(`step ${this.steps} of ${this.task}, the action ${JSON.stringify(action.slice(0, 40))}`);
    return this.settled(() => this.player.step(action, this.signal));
  }

  async close(): Promise<void> {
    this.note(`close after ${this.steps} steps of ${this.task}`);
    await this.player.close();
  }

  /** Closes the instance and ignores errors: `close` has its own check, and must not hide an earlier failure. */
  async tryToClose(): Promise<void> {
    await this.close().catch(() => {});
  }

  /** Whether a replay gives the same bytes, images included. */
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
    return (await expert?.call(this.spec, this.engine, this.signal)) ?? null;
  }

  /** Returns the expert's action, or null. Errors are ignored, since other checks test the expert. */
  async advice(): Promise<string | null> {
    const answer = await this.askExpert().catch(() => null);
    return typeof answer === "string" ? answer : null;
  }

  async answer(query: string): Promise<unknown> {
    this.note(`the query ${query} after ${this.steps} steps of ${this.task}`);
    return this.asked.queries?.[query]?.answer(this.engine, this.signal);
  }

  /** The spec, typed for any engine. */
  private get asked(): Asked {
    return this.spec;
  }

  private get signal(): AbortSignal | undefined {
    return this.spec.isAsync ? AbortSignal.timeout(callDeadlineMs(this.spec)) : undefined;
  }

  private async settled<T extends object>(call: () => T | Promise<T>): Promise<T> {
    const result = call();
    const isPromise = typeof (result as { then?: unknown } | undefined)?.then === "function";
    return isPromise && !this.spec.isAsync ? (new Promised() as T) : result;
  }
}

interface Asked {
  expert?(engine: unknown, signal?: AbortSignal): unknown;
  queries?: Readonly<Record<string, { answer(engine: unknown, signal?: AbortSignal): unknown }>>;
}

export function nameOf({ task, seed, options }: ResetRequest): string {
  const chosen = Object.entries(options).map(([name, value]) => `, ${name} ${value}`);
  return `${task.split}:${task.index} with seed ${seed}${chosen.join("")}`;
}

/** Copies a request, so that an engine may keep or change the copy without affecting other engines. */
export function copyOf({ task, seed, options }: ResetRequest): ResetRequest {
  return { task: { ...task }, seed, options: { ...options } };
}
