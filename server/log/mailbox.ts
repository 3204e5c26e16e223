/** Messages to the log thread, from the main thread and from all hosts. */
import { type MessagePort, receiveMessageOnPort } from "node:worker_threads";
import { addingCalls, type FromHost, type LogCall, type ToLog } from "./records/protocol.js";
import { type HostLine, Turn } from "./records/turn.js";

export class Mailbox {
  private readonly lines = new Map<number, HostLine>();
  private turn = new Turn();
  private isClosing = false;
  /** Calls to answer between transactions, oldest first. */
  readonly reads: LogCall[] = [];

  /** @param wake called after the arrival of a message */
  constructor(
    private readonly main: MessagePort,
    private readonly wake: () => void,
  ) {
    main.on("message", (message: ToLog) => this.receive(null, message));
  }

  /** Whether the main thread has asked to close the log. */
  get closing(): boolean {
    return this.isClosing;
  }

  /** Number of characters of the steps that have arrived. */
  get characters(): number {
    return this.turn.characters;
  }

  /** Refuses the steps that have arrived and may follow a refused step. */
  refuseLater(): void {
    this.turn.refuseLater();
  }

  /** Takes all waiting messages. Returns the content of the next transaction. */
  gather(): Turn {
    for (const message of waiting(this.main)) this.take(null, message as ToLog);
    // A detached host is dead, so all of its reports are in its port by now.
    for (const line of this.lines.values())
      for (const message of waiting(line.port)) this.take(line, message as FromHost);
    const { turn } = this;
    this.turn = new Turn();
    return turn;
  }

  detach(host: number): void {
    this.lines.get(host)?.port.close();
    this.lines.delete(host);
  }

  close(): void {
    for (const { port } of this.lines.values()) port.close();
    this.main.close();
  }

  private receive(line: HostLine | null, message: ToLog | FromHost): void {
    this.take(line, message);
    this.wake();
  }

  private take(line: HostLine | null, message: ToLog | FromHost): void {
    switch (message.type) {
      case "report":
        return this.turn.addReport(line as HostLine, message);
      case "resumed":
        (line as HostLine).refused -= 1;
        return;
      case "attach":
        return this.attach(message.host, message.port);
      case "detach":
        this.turn.detached.push(message);
        return;
      case "close":
        this.isClosing = true;
        return;
      default:
        (addingCalls.has(message.method) ? this.turn.writes : this.reads).push(message);
    }
  }

  private attach(host: number, port: MessagePort): void {
    const line = { host, port, refused: 0 };
    this.lines.set(host, line);
    port.on("message", (message: FromHost) => this.receive(line, message));
  }
}

function* waiting(from: MessagePort): Iterable<unknown> {
  for (let received = receiveMessageOnPort(from); received; received = receiveMessageOnPort(from)) {
    yield received.message;
  }
}
