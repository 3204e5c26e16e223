/**
 * A reply's text as it grows, as far as it is certain: what may yet turn out to be the beginning of a stop string or of a
 * tool call is held back, so that a stream says in the end what the whole reply does.
 */
import { opening, readReply, type Spoken } from "./tool-calls.js";

export class ReplyText {
  private text = "";
  private told = 0;
  private isCut = false;

  /** @param stops what the reply ends before @param readsCalls whether tool calls are read out of it */
  constructor(
    private readonly stops: readonly string[],
    private readonly readsCalls: boolean,
  ) {}

  /** @returns what is certain since the last time */
  push(more: string): string {
    if (this.isCut) return "";
    this.text += more;
    this.cut();
    const end = Math.max(this.told, this.isCut ? this.certain(this.text.length) : this.certain(this.unstopped()));
    const news = this.text.slice(this.told, end);
    this.told = end;
    return news;
  }

  /** What the whole reply says, and what of its content has not been told. */
  end(): Spoken & { readonly rest: string } {
    const spoken = this.readsCalls ? readReply(this.text) : { content: this.text, calls: [] };
    return { ...spoken, rest: spoken.content.slice(this.told) };
  }

  /** All that was written before the stop. */
  get written(): string {
    return this.text;
  }

  private cut(): void {
    const found = this.stops.map((stop) => this.text.indexOf(stop)).filter((at) => at >= 0);
    if (found.length === 0) return;
    this.text = this.text.slice(0, Math.min(...found));
    this.isCut = true;
  }

  private unstopped(): number {
    return Math.min(this.text.length, ...this.stops.map((stop) => heldFor(this.text, stop)));
  }

  /** Up to where no tool call may have begun, nor the space before one. */
  private certain(end: number): number {
    if (!this.readsCalls) return end;
    const begun = this.text.indexOf(opening);
    const before = begun >= 0 ? begun : heldFor(this.text, opening);
    return this.text.slice(0, Math.min(end, before)).trimEnd().length;
  }
}

/** Where the longest end of the text begins that is a beginning of the mark. */
function heldFor(text: string, mark: string): number {
  for (let at = Math.max(0, text.length - mark.length + 1); at < text.length; at++) {
    if (mark.startsWith(text.slice(at))) return at;
  }
  return text.length;
}
