import { type Message, MessageReader } from "./host-protocol.js";

/** Reads the results of a report together with the page that holds their replies. */
export class ReportReader extends MessageReader {
  private lineAt = 0;
  private openings = 0;

  constructor(
    results: Message,
    private readonly lines: string,
  ) {
    super(results);
  }

  /** Of all openings and steps, as the host counts them. */
  get characters(): number {
    return this.lines.length + this.openings;
  }

  opening(): string {
    const opening = this.string();
    this.openings += opening.length;
    return opening;
  }

  /** The reply of the next step of the page. */
  reply(): string {
    const start = this.lineAt + this.number() + 1;
    const end = start + this.number();
    this.lineAt = end + 1;
    return this.lines.slice(start, end);
  }
}
