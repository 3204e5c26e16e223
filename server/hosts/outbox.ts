import { type Command, type CommandMessage, fullMessage } from "./protocol.js";

/**
 * Collects commands into messages for a host, because waking a thread costs more than most commands. A single command
 * is sent within two turns of the event loop. Under load, messages contain more commands and threads are woken less
 * often.
 */
export class HostOutbox {
  private commands: CommandMessage = [];
  private gathering = false;
  /** Number of messages sent. */
  posted = 0;

  constructor(private readonly post: (message: CommandMessage) => void) {}

  send(command: Command): void {
    this.commands.push(command);
    this.schedule();
  }

  sendStep(slot: number, action: string): void {
    this.commands.push(slot, action);
    this.schedule();
  }

  /** Sends the message after a turn of the event loop that added no command, or once the message is full. */
  private schedule(): void {
    if (this.gathering) return;
    this.gathering = true;
    setImmediate(() => this.gather(0));
  }

  private gather(before: number): void {
    const { length } = this.commands;
    if (length > before && length < fullMessage) setImmediate(() => this.gather(length));
    else this.flush();
  }

  private flush(): void {
    this.gathering = false;
    this.posted += 1;
    this.post(this.commands);
    this.commands = [];
  }
}
