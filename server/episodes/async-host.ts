import { setTimeout as setTimeoutPromise } from "node:timers/promises";
import type { AsyncContext } from "../../envs/env.js";
import type { Registry } from "../../envs/registry.js";
import { GymError } from "../errors.js";
import { AsyncInstance, type InstanceHost } from "./async-instance.js";
import { Host } from "./host.js";
import {
  Command,
  type FromHost,
  type Message,
  MessageReader,
  mostUntaken,
  type OpenRequest,
  type Question,
  Result,
} from "./host-protocol.js";
import type { Log } from "./log.js";
import { ReportWriter } from "./report-writer.js";
import type { Slot, SlotListener } from "./slot.js";

export interface AsyncHostOptions {
  registry: Registry;
  context: AsyncContext;
  /** A call of an environment that takes longer is aborted, unless its spec states a longer time. */
  stepDeadlineMs: number;
  /** JSON text of one reply, in characters. */
  maxReplyLength: number;
}

/** How long calls that run when the gym begins to drain may go on. */
const mostDrainingMs = 5_000;

/** How long instances may take to close when the gym does. */
const mostClosingMs = 3_000;

/**
 * The host of environments whose engines run outside of the gym. It lives on the main thread, since all that such an
 * environment does is to wait; in all else it is as a worker thread is, to slots and to the log.
 */
export class AsyncHost extends Host implements InstanceHost {
  readonly results = new ReportWriter();
  readonly context: AsyncContext;
  readonly stepDeadlineMs: number;
  readonly maxReplyLength: number;
  private readonly instances = new Map<number, AsyncInstance>();
  private readonly closing = new Set<Promise<void>>();
  /** Characters that were reported and are not with their owners yet. */
  private untaken = 0;
  private onRoom: (() => void)[] = [];
  private isReporting = false;
  private isEnding = false;

  constructor(
    private readonly options: AsyncHostOptions,
    log: Log,
    /** Told of every instance that ended by no fault of its environment. */
    readonly onLost: (environment: string, error: GymError) => void,
  ) {
    super(log);
    this.context = options.context;
    this.stepDeadlineMs = options.stepDeadlineMs;
    this.maxReplyLength = options.maxReplyLength;
  }

  override open(request: OpenRequest, listener: SlotListener): Slot {
    if (this.isEnding) throw ending();
    return super.open(request, listener);
  }

  /** Ends what still runs after a while, so that its callers have an answer before the gym closes. */
  drain(): void {
    setTimeout(() => this.abortAll(), mostDrainingMs).unref();
  }

  /** Closes all instances, and waits for those that close in time. */
  async stop(): Promise<void> {
    this.isEnding = true;
    for (const instance of this.instances.values()) instance.close();
    await Promise.race([Promise.all(this.closing), setTimeoutPromise(mostClosingMs, undefined, { ref: false })]);
    this.sendReport();
    await this.detach();
    this.port.close();
    for (const { listener } of this.takeSlots()) listener.onLost(ending());
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
    this.closing.add(closed);
    void closed.then(() => this.closing.delete(closed));
  }

  protected post(message: Message): void {
    const reader = new MessageReader(message);
    while (!reader.done) this.perform(reader);
  }

  protected onTaken(characters: number): void {
    this.untaken -= characters;
    for (const resolve of this.onRoom.splice(0)) resolve();
  }

  private perform(reader: MessageReader): void {
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
      case Command.finish:
        return instance?.finish();
      case Command.close:
        return instance?.close();
      case Command.resume:
        this.sendReport();
        return this.tellLog({ kind: "resumed" });
      default:
        throw new Error(`expected a command that an async environment can follow, but received ${kind}`);
    }
  }

  private begin(slot: number, request: OpenRequest): void {
    if (this.isEnding) {
      const { code, expected, received } = ending();
      this.results.add(Result.lost, slot, code, expected, received);
      return this.report();
    }
    const spec = this.options.registry.get(request.environment);
    if (!spec.isAsync) throw new Error(`expected an async environment, but received ${request.environment}`);
    this.instances.set(slot, new AsyncInstance(slot, request, spec, this));
  }

  private sendReport(): void {
    this.isReporting = false;
    if (this.results.isEmpty) return;
    this.untaken += this.results.characters;
    this.tellLog(this.results.take());
  }

  private tellLog(message: FromHost): void {
    this.port.postMessage(message);
  }

  private abortAll(): void {
    this.isEnding = true;
    for (const instance of this.instances.values()) instance.abort(ending());
  }
}

export function ending(): GymError {
  return new GymError("SERVER_DRAINING", "a server that waits for the environment", "one that is shutting down");
}
