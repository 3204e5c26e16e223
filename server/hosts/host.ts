import type { MessagePort } from "node:worker_threads";
import { GymError } from "../errors.js";
import { type Log, logFailure, type ReportListener } from "../log/log.js";
import type { LoggedReport } from "../log/records/protocol.js";
import { HostOutbox } from "./outbox.js";
import {
  type CommandMessage,
  charactersOf,
  type LastResult,
  type OpenRequest,
  type Result,
  type ResultHandler,
  type ResultMessage,
  readResults,
  type VerifyRequest,
} from "./protocol.js";
import { Slot, type SlotListener, type SlotOwner } from "./slot.js";

/**
 * Represents, on the main thread, a worker thread or process that runs environments. It sends commands to the thread or
 * process. The results come back through the log, and it passes them to the slots' owners.
 */
export abstract class Host implements ReportListener, SlotOwner {
  protected readonly slots = new Map<number, Slot>();
  readonly outbox = new HostOutbox((message) => this.post(message));
  /** Number of this host in the messages of the log. */
  private readonly number: number;
  /** Message port to the log, for the thread that sends reports. */
  protected readonly port: MessagePort;

  constructor(private readonly log: Log) {
    const { host, port } = log.attach(this);
    this.number = host;
    this.port = port;
  }

  protected abstract post(message: CommandMessage): void;

  /** Called when `characters` of reset results, verdicts and replies have reached their owners. */
  protected abstract onTaken(characters: number): void;

  /** Number of open slots. */
  get load(): number {
    return this.slots.size;
  }

  /** @throws {GymError} SERVER_DRAINING */
  open(request: OpenRequest, listener: SlotListener): Slot {
    const slot = this.addSlot(listener);
    this.outbox.send({ type: "open", slot: slot.number, request });
    return slot;
  }

  /** Scores answers in a separate slot, which ends with `onAnswered`. */
  verify(request: VerifyRequest, listener: SlotListener): Slot {
    const slot = this.addSlot(listener);
    this.outbox.send({ type: "verify", slot: slot.number, request });
    return slot;
  }

  addSlot(listener: SlotListener): Slot {
    const slot = new Slot(this, listener);
    this.slots.set(slot.number, slot);
    return slot;
  }

  closeSlot(slot: number): void {
    if (this.slots.delete(slot)) this.outbox.send({ type: "close", slot });
  }

  onReport({ results, lines, atMs, error }: LoggedReport): void {
    const message = results as ResultMessage;
    const refused = error === null ? [] : this.closeStepped(message);
    // The `resume` command is sent after the commands that close the refused slots. The owners of those slots have not heard
    // of the refusal yet. All commands that the owners send in response therefore come after `resume` and are logged.
    if (error !== null) this.outbox.send({ type: "resume" });
    this.onTaken(this.deliver(message, lines, atMs));
    for (const { listener } of refused) listener.onUnlogged(logFailure(error as string));
  }

  onLogLost(error: GymError): void {
    for (const { number, listener } of this.takeSlots()) {
      this.outbox.send({ type: "close", slot: number });
      listener.onUnlogged(error);
    }
  }

  /** Closes the slots whose steps are in a report that the log refused. */
  private closeStepped(message: ResultMessage): Slot[] {
    const closed: Slot[] = [];
    const onStep = (number: number) => {
      const slot = this.slots.get(number);
      if (!slot) return;
      closed.push(slot);
      this.closeSlot(number);
    };
    readResults(message, "", { onStep, onResult() {} });
    return closed;
  }

  /**
   * Passes results to their slots, and returns the number of delivered characters. Results of slots that have been
   * closed are dropped.
   */
  private deliver(message: ResultMessage, lines: string, atMs: number): number {
    let characters = lines.length;
    const handler: ResultHandler = {
      onStep: (slot, reply, ended, gymMs) => {
        const listener = this.slots.get(slot)?.listener;
        if (ended) this.slots.delete(slot);
        listener?.onStepped(reply, ended, atMs, gymMs);
      },
      onResult: (result) => {
        characters += charactersOf(result);
        this.deliverResult(result);
      },
    };
    readResults(message, lines, handler);
    return characters;
  }

  private deliverResult(result: Result): void {
    const listener = this.slots.get(result.slot)?.listener;
    switch (result.type) {
      case "opened":
        return listener?.onOpened(result.resetResult);
      case "replayed":
        return listener?.onReplayed(result.difference);
      case "answered":
        return listener?.onAnswered(result.answer);
      case "cloned":
        return listener?.onOpened("");
      default:
        this.slots.delete(result.slot);
        if (listener) deliverLast(result, listener);
    }
  }

  /** Resolves once all reports of this host have been delivered. No report follows. */
  protected async detach(): Promise<void> {
    await this.log.detach(this.number);
  }

  protected takeSlots(): Slot[] {
    const slots = [...this.slots.values()];
    this.slots.clear();
    return slots;
  }
}

function deliverLast(result: LastResult, listener: SlotListener): void {
  switch (result.type) {
    case "closed":
      return listener.onClosed();
    case "failed":
      return listener.onFailed(result.code, result.detail, result.trace);
    case "lost":
      return listener.onLost(new GymError(result.code, result.expected, result.received));
    case "verified":
      return listener.onAnswered(result.verdicts);
  }
}
