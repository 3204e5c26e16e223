import { type Message, MessageReader } from "./protocol.js";

/** Reads the results of a report together with the page that holds their replies. */
export class ReportReader extends MessageReader {
  private lineAt = 0;
  private texts = 0;

  constructor(
    results: Message,
    private readonly lines: string,
  ) {
    super(results);
  }

  /** Of all openings, verdicts and steps, as the host counts them. */
  get characters(): number {
    return this.lines.length + this.texts;
  }

  /** An opening, or verdicts. */
  text(): string {
    const text = this.string();
    this.texts += text.length;
    return text;
  }

  /** The reply of the next step of the page. */
  reply(): string {
    const start = this.lineAt + this.number() + 1;
    const end = start + this.number();
    this.lineAt = end + 1;
    return this.lines.slice(start, end);
  }
}
