import { Command, fullMessage, type Message, type PlayedStep } from "./protocol.js";

/**
 * Commands on their way to a host. Waking a thread costs more than most commands do, so commands are gathered: alone, one
 * leaves within two turns of the loop; under load, messages grow and the threads wake each other less.
 */
export class HostOutbox {
  private commands: Message = [];
  private gathering = false;
  /** Messages that have left. */
  posted = 0;

  constructor(private readonly post: (message: Message) => void) {}

  send(...command: Message): void {
    this.commands.push(...command);
    this.schedule();
  }

  /** `send` for the command that there are most of, without an array in between. */
  sendStep(slot: number, action: string): void {
    this.commands.push(Command.step, slot, action);
    this.schedule();
  }

  sendReplay(slot: number, history: readonly PlayedStep[]): void {
    this.send(Command.replay, slot, history.length);
    for (const { action, reply, answers } of history) this.commands.push(action, reply, answers);
  }

  /** Commands leave together: after a turn of the loop that brought no more of them, or once there are many. */
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
