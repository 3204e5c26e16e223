import type { MessagePort } from "node:worker_threads";
import { type ErrorCode, GymError } from "../errors.js";
import { type Log, logFailure, type ReportListener } from "../log/log.js";
import type { LoggedReport } from "../log/protocol.js";
import { HostOutbox } from "./outbox.js";
import {
  Command,
  type Ended,
  type Message,
  type OpenRequest,
  Result,
  resultWords,
  type VerifyRequest,
} from "./protocol.js";
import { ReportReader } from "./report-reader.js";
import { Slot, type SlotListener } from "./slot.js";

/**
 * A place where environments run: what commands go out to, and what tells their owners of the results, which come back
 * by way of the log.
 */
export abstract class Host implements ReportListener {
  protected readonly slots = new Map<number, Slot>();
  readonly outbox = new HostOutbox((message) => this.post(message));
  /** Its name at the log. */
  private readonly number: number;
  /** To the log, for whoever reports. */
  protected readonly port: MessagePort;

  constructor(private readonly log: Log) {
    const { host, port } = log.attach(this);
    this.number = host;
    this.port = port;
  }

  protected abstract post(message: Message): void;

  /** Characters of openings and replies that were reported are with their owners now. */
  protected abstract onTaken(characters: number): void;

  /** Open slots. */
  get load(): number {
    return this.slots.size;
  }

  /** @throws {GymError} SERVER_DRAINING */
  open(request: OpenRequest, listener: SlotListener): Slot {
    const slot = this.addSlot(listener);
    const { episode, environment, task, seed, options, maxSteps, opening } = request;
    const chosen = JSON.stringify(options);
    this.outbox.send(
      Command.open,
      slot.number,
      episode,
      environment,
      task.split,
      task.index,
      seed,
      chosen,
      maxSteps,
      opening,
    );
    return slot;
  }

  /** Has answers scored in a slot of their own, which ends with `onAnswered`. */
  verify({ environment, submissions }: VerifyRequest, listener: SlotListener): Slot {
    const slot = this.addSlot(listener);
    this.outbox.send(Command.verify, slot.number, environment, JSON.stringify(submissions));
    return slot;
  }

  addSlot(listener: SlotListener): Slot {
    const slot = new Slot(this, listener);
    this.slots.set(slot.number, slot);
    return slot;
  }

  closeSlot(slot: number): void {
    if (this.slots.delete(slot)) this.outbox.send(Command.close, slot);
  }

  onReport({ results, lines, error }: LoggedReport): void {
    const reader = new ReportReader(results, lines);
    const refused = error === null ? [] : this.closeStepped(results);
    // Behind the commands that close the refused slots, and before any that their owners send when they hear of it: what
    // these lead to is to be logged.
    if (error !== null) this.outbox.send(Command.resume, 0);
    while (!reader.done) this.deliver(reader);
    this.onTaken(reader.characters);
    for (const { listener } of refused) listener.onUnlogged(logFailure(error as string));
  }

  onLogLost(error: GymError): void {
    for (const { number, listener } of this.takeSlots()) {
      this.outbox.send(Command.close, number);
      listener.onUnlogged(error);
    }
  }

  /** Closes the slots whose steps a refused report holds. */
  private closeStepped(results: Message): Slot[] {
    const closed: Slot[] = [];
    for (let at = 0; at < results.length; at += resultWords[results[at] as number] as number) {
      const slot = this.slots.get(results[at + 1] as number);
      if (results[at] !== Result.stepped || !slot) continue;
      closed.push(slot);
      this.closeSlot(slot.number);
    }
    return closed;
  }

  /** Reads the whole result even where its slot was closed meanwhile, so that those behind it stay readable. */
  private deliver(reader: ReportReader): void {
    const kind = reader.number();
    const slot = reader.number();
    const listener = this.slots.get(slot)?.listener;
    switch (kind) {
      case Result.opened: {
        const opening = reader.text();
        listener?.onOpened(opening);
        return;
      }
      case Result.replayed:
        return listener?.onReplayed();
      case Result.stepped: {
        const ended = reader.number() as Ended;
        const reply = reader.reply();
        if (ended) this.slots.delete(slot);
        listener?.onStepped(reply, ended);
        return;
      }
      case Result.answered: {
        const answer = reader.string();
        const answered = reader.number() === 1;
        listener?.onAnswered(answered ? answer : null);
        return;
      }
      case Result.cloned:
        return listener?.onOpened("");
      case Result.closed:
      case Result.failed:
      case Result.lost:
      case Result.verified:
        this.slots.delete(slot);
        return deliverLast(kind, reader, listener);
      default:
        throw new Error(`expected a result of the host protocol, but received ${kind}`);
    }
  }

  /** All that was reported has been heard when this settles; nothing more will be. */
  protected async detach(): Promise<void> {
    await this.log.detach(this.number);
  }

  protected takeSlots(): Slot[] {
    const slots = [...this.slots.values()];
    this.slots.clear();
    return slots;
  }
}

/** What a slot ends with. */
function deliverLast(kind: number, reader: ReportReader, listener: SlotListener | undefined): void {
  switch (kind) {
    case Result.verified: {
      const verdicts = reader.text();
      return listener?.onAnswered(verdicts);
    }
    case Result.failed: {
      const code = reader.string() as ErrorCode;
      const detail = reader.string();
      return listener?.onFailed(code, detail);
    }
    case Result.lost: {
      const error = new GymError(reader.string() as ErrorCode, reader.string(), reader.string());
      return listener?.onLost(error);
    }
    default:
      return listener?.onClosed();
  }
}
