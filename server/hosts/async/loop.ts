import { setTimeout as setTimeoutPromise } from "node:timers/promises";
import type { AsyncEnvironmentSpec } from "../../../envs/env.js";
import type { Registry } from "../../../envs/registry.js";
import type { HostTimes } from "../../config/times.js";
import { GymError } from "../../errors.js";
import type { FromHost } from "../../log/records/protocol.js";
import {
  type Command,
  type CommandHandler,
  type CommandMessage,
  type OpenRequest,
  readCommands,
  type VerifyRequest,
} from "../protocol.js";
import { mostUntaken } from "../pulse.js";
import { ReportWriter } from "../report-writer.js";
import { AsyncInstance, type HostContext, type InstanceHost } from "./instance.js";
import type { RunningSlot } from "./running-slot.js";
import { AsyncVerification } from "./verification.js";

export interface AsyncLoopOptions {
  registry: Registry;
  context: HostContext;
  running: RunningSlot;
  /** Limit in milliseconds on a call of an environment. The environment's spec may set a higher limit. */
  stepDeadlineMs: number;
  times: Pick<HostTimes, "drainingMs" | "closingMs">;
  /** Limit on the characters of the JSON text of one reply. */
  maxReplyLength: number;
  /** Sends results to the log. */
  send(results: FromHost): void;
  /** Called when an instance ends and its environment did not cause it. */
  onLost(environment: string, error: GymError): void;
}

/** Performs commands on the instances of async environments, which all run on one thread. */
export class AsyncLoop implements InstanceHost, CommandHandler {
  readonly results = new ReportWriter();
  readonly context: HostContext;
  readonly running: RunningSlot;
  readonly stepDeadlineMs: number;
  readonly maxReplyLength: number;
  readonly closingMs: number;
  readonly onLost: (environment: string, error: GymError) => void;
  private readonly instances = new Map<number, AsyncInstance>();
  private readonly verifications = new Map<number, AsyncVerification>();
  private readonly closing = new Set<Promise<void>>();
  /** Number of reported characters that have not reached their owners yet. */
  private untaken = 0;
  private onRoom: (() => void)[] = [];
  private isReporting = false;
  private isEnding = false;

  constructor(private readonly options: AsyncLoopOptions) {
    this.context = options.context;
    this.running = options.running;
    this.stepDeadlineMs = options.stepDeadlineMs;
    this.maxReplyLength = options.maxReplyLength;
    this.closingMs = options.times.closingMs;
    this.onLost = options.onLost;
  }

  perform(message: CommandMessage): void {
    readCommands(message, this);
  }

  /** Called when `characters` of reset results, verdicts and replies have reached their owners. */
  taken(characters: number): void {
    this.untaken -= characters;
    for (const resolve of this.onRoom.splice(0)) resolve();
  }

  /** Fails the instance whose code threw outside of any call. Returns false if the code belongs to no instance. */
  blame(error: unknown): boolean {
    const { current } = this.running;
    const owner = this.instances.get(current) ?? this.verifications.get(current);
    owner?.fail(error);
    return owner !== undefined;
  }

  /** Aborts the calls that still run after `drainingMs`, so that callers get an answer before the gym closes. */
  drain(): void {
    setTimeout(() => this.abortAll(), this.options.times.drainingMs).unref();
  }

  /** Closes all instances and waits at most `closingMs` until they are closed. */
  async stop(): Promise<void> {
    this.isEnding = true;
    for (const work of [...this.instances.values(), ...this.verifications.values()]) work.close();
    const { closingMs } = this.options.times;
    await Promise.race([Promise.all(this.closing), setTimeoutPromise(closingMs, undefined, { ref: false })]);
    this.sendReport();
  }

  async room(): Promise<void> {
    while (this.untaken > mostUntaken) await new Promise<void>((resolve) => this.onRoom.push(resolve));
  }

  report(): void {
    // Environments that answer without waiting produce thousands of results in one turn of the event loop.
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

  onStep(slot: number, action: string): void {
    this.instances.get(slot)?.step(action);
  }

  onCommand(command: Command): void {
    switch (command.type) {
      case "open":
        return this.begin(command.slot, command.request);
      case "replay":
        return this.instances.get(command.slot)?.replay(command.history, command.isProof);
      case "ask":
        return this.instances.get(command.slot)?.answer(command.question);
      case "verify":
        return this.verify(command.slot, command.request);
      case "finish":
        return this.instances.get(command.slot)?.finish();
      case "close":
        return (this.instances.get(command.slot) ?? this.verifications.get(command.slot))?.close();
      case "resume":
        this.sendReport();
        return this.options.send({ type: "resumed" });
      case "clone":
        throw new Error("Instances of async environments cannot be cloned.");
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
    this.results.add({ type: "lost", slot, code, expected, received });
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
  return GymError.ofState("SERVER_DRAINING", "The server is shutting down and no longer waits for the environment.");
}
