import { setTimeout as setTimeoutPromise } from "node:timers/promises";
import type { AsyncEnvironmentSpec } from "../../../envs/env.js";
import type { Registry } from "../../../envs/registry.js";
import { GymError } from "../../errors.js";
import {
  Command,
  type FromHost,
  type Message,
  MessageReader,
  mostUntaken,
  type OpenRequest,
  type Question,
  Result,
  type VerifyRequest,
} from "../protocol.js";
import { ReportWriter } from "../report-writer.js";
import { AsyncInstance, type HostContext, type InstanceHost } from "./instance.js";
import type { RunningSlot } from "./running-slot.js";
import { AsyncVerification } from "./verification.js";

export interface AsyncLoopOptions {
  registry: Registry;
  context: HostContext;
  running: RunningSlot;
  /** A call of an environment that takes longer is aborted, unless its spec states a longer time. */
  stepDeadlineMs: number;
  /** JSON text of one reply, in characters. */
  maxReplyLength: number;
  /** Takes the results on their way to the log. */
  send(results: FromHost): void;
  /** Told of every instance that ended by no fault of its environment. */
  onLost(environment: string, error: GymError): void;
}

/** How long calls that run when the gym begins to drain may go on. */
const mostDrainingMs = 5_000;

/** How long instances may take to close when the gym does. */
const mostClosingMs = 3_000;

/** Performs a host's commands on the instances of async environments, which all live on this one thread. */
export class AsyncLoop implements InstanceHost {
  readonly results = new ReportWriter();
  readonly context: HostContext;
  readonly running: RunningSlot;
  readonly stepDeadlineMs: number;
  readonly maxReplyLength: number;
  readonly onLost: (environment: string, error: GymError) => void;
  private readonly instances = new Map<number, AsyncInstance>();
  private readonly verifications = new Map<number, AsyncVerification>();
  private readonly closing = new Set<Promise<void>>();
  /** Characters that were reported and are not with their owners yet. */
  private untaken = 0;
  private onRoom: (() => void)[] = [];
  private isReporting = false;
  private isEnding = false;

  constructor(private readonly options: AsyncLoopOptions) {
    this.context = options.context;
    this.running = options.running;
    this.stepDeadlineMs = options.stepDeadlineMs;
    this.maxReplyLength = options.maxReplyLength;
    this.onLost = options.onLost;
  }

  perform(message: Message): void {
    const reader = new MessageReader(message);
    while (!reader.done) this.performNext(reader);
  }

  /** Characters of openings and replies that were reported are with their owners now. */
  taken(characters: number): void {
    this.untaken -= characters;
    for (const resolve of this.onRoom.splice(0)) resolve();
  }

  /** Fails the instance whose code threw outside of a call. Returns false where it is nobody's code. */
  blame(error: unknown): boolean {
    const { current } = this.running;
    const owner = this.instances.get(current) ?? this.verifications.get(current);
    owner?.fail(error);
    return owner !== undefined;
  }

  /** Ends what still runs after a while, so that its callers have an answer before the gym closes. */
  drain(): void {
    setTimeout(() => this.abortAll(), mostDrainingMs).unref();
  }

  /** Closes all instances, and waits for those that close in time. */
  async stop(): Promise<void> {
    this.isEnding = true;
    for (const work of [...this.instances.values(), ...this.verifications.values()]) work.close();
    await Promise.race([Promise.all(this.closing), setTimeoutPromise(mostClosingMs, undefined, { ref: false })]);
    this.sendReport();
  }

  async room(): Promise<void> {
    while (this.untaken > mostUntaken) await new Promise<void>((resolve) => this.onRoom.push(resolve));
  }

  report(): void {
    // What is answered without waiting for anything comes by the thousand in one turn of the loop.
    if (this.results.isFull) return this.sendReport();
    if (this.isReporting) return;
    this.isReporting = true;
    setImmediate(() => this.sendReport());
  }

  onOver(slot: number, closed: Promise<void>): void {
    this.instances.delete(slot);
    this.verifications.delete(slot);
    this.closing.add(closed);
    void closed.then(() => this.closing.delete(closed));
  }

  private performNext(reader: MessageReader): void {
    const kind = reader.number();
    const slot = reader.number();
    const instance = this.instances.get(slot);
    switch (kind) {
      case Command.open:
        return this.begin(slot, reader.openRequest());
      case Command.replay: {
        const history = reader.history();
        return instance?.replay(history);
      }
      case Command.step: {
        const action = reader.string();
        return instance?.step(action);
      }
      case Command.ask: {
        const question = reader.string() as Question;
        return instance?.answer(question);
      }
      case Command.verify:
        return this.verify(slot, reader.verifyRequest());
      case Command.finish:
        return instance?.finish();
      case Command.close:
        return (instance ?? this.verifications.get(slot))?.close();
      case Command.resume:
        this.sendReport();
        return this.options.send({ kind: "resumed" });
      default:
        throw new Error(`expected a command that an async environment can follow, but received ${kind}`);
    }
  }

  private begin(slot: number, request: OpenRequest): void {
    if (this.isEnding) return this.refuse(slot);
    this.instances.set(slot, new AsyncInstance(slot, request, this.specOf(request.environment), this));
  }

  private verify(slot: number, request: VerifyRequest): void {
    if (this.isEnding) return this.refuse(slot);
    this.verifications.set(slot, new AsyncVerification(slot, request, this.specOf(request.environment), this));
  }

  private refuse(slot: number): void {
    const { code, expected, received } = ending();
    this.results.add(Result.lost, slot, code, expected, received);
    this.report();
  }

  private specOf(environment: string): AsyncEnvironmentSpec {
    const spec = this.options.registry.get(environment);
    if (!spec.isAsync) throw new Error(`expected an async environment, but received ${environment}`);
    return spec;
  }

  private sendReport(): void {
    this.isReporting = false;
    if (this.results.isEmpty) return;
    this.untaken += this.results.characters;
    this.options.send(this.results.take());
  }

  private abortAll(): void {
    this.isEnding = true;
    for (const work of [...this.instances.values(), ...this.verifications.values()]) work.abort(ending());
  }
}

export function ending(): GymError {
  return new GymError("SERVER_DRAINING", "a server that waits for the environment", "one that is shutting down");
}
