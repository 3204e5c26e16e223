/** One instance of either kind of environment, as the checks play it: every answer comes as a promise. */
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

/** What the engines of both kinds have in common. */
interface Engine {
  reset(request: ResetRequest, signal?: AbortSignal): ResetResult | Promise<ResetResult>;
  step(action: string, signal?: AbortSignal): StepResult | Promise<StepResult>;
  close(): void | Promise<void>;
  clone?(): Environment;
}

/** What stands for a promise where the contract wants a result at once. */
export class Promised {}

/** For a call of an environment that states no deadline of its own. */
const callMs = 60_000;

export class Instance {
  private constructor(
    private readonly spec: AnyEnvironmentSpec,
    private readonly engine: Engine,
    /** The engine, or the wrappers around it. */
    private readonly player: Engine,
  ) {}

  static of(spec: AnyEnvironmentSpec, engine: Engine): Instance {
    return new Instance(spec, engine, engine);
  }

  /** The same engine in the wrappers that every caller meets. */
  wrapped(maxSteps: number): Instance {
    const { spec, engine } = this;
    const player = spec.isAsync
      ? new AsyncWrapped(engine as AsyncEnvironment, maxSteps)
      : new OrderEnforcing(new TimeLimit(engine as Environment, maxSteps));
    return new Instance(spec, engine, player);
  }

  reset(request: ResetRequest): Promise<ResetResult> {
    return this.settled(() => this.player.reset(copyOf(request), this.signal));
  }

  step(action: string): Promise<StepResult> {
    return this.settled(() => this.player.step(action, this.signal));
  }

  async close(): Promise<void> {
    await this.player.close();
  }

  /** A `close` that throws is the business of its own check, and must not hide what went wrong before. */
  async tryToClose(): Promise<void> {
    await this.close().catch(() => {});
  }

  get canClone(): boolean {
    return typeof this.engine.clone === "function";
  }

  clone(): Instance {
    const copy = cloneOf(this.player as Environment);
    return new Instance(this.spec, copy, copy);
  }

  async askExpert(): Promise<unknown> {
    const { expert } = this.asked;
    return (await expert?.call(this.spec, this.engine, this.signal)) ?? null;
  }

  /** The expert's answer, if it has one. An expert that throws is the business of its own check. */
  async advice(): Promise<string | null> {
    const answer = await this.askExpert().catch(() => null);
    return typeof answer === "string" ? answer : null;
  }

  async answer(query: string): Promise<unknown> {
    return this.asked.queries?.[query]?.answer(this.engine, this.signal);
  }

  /** The spec, whatever engine it is for. */
  private get asked(): Asked {
    return this.spec;
  }

  private get signal(): AbortSignal | undefined {
    return this.spec.isAsync ? AbortSignal.timeout(this.spec.deadlineMs ?? callMs) : undefined;
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

/** For an engine to keep or to change, without harm to the others that get it. */
export function copyOf({ task, seed, options }: ResetRequest): ResetRequest {
  return { task: { ...task }, seed, options: { ...options } };
}
