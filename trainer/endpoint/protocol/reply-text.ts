/**
 * The text of a growing reply that can be sent. Text that may be the beginning of a stop string or of a tool call is
 * held back, so that the stream's text equals the text of the whole reply.
 */
import { type CallReader, heldFor, type Spoken } from "./tool-calls.js";

export class ReplyText {
  private text = "";
  private told = 0;
  /** Stop string that ended the text; undefined so far. */
  private cutBy: string | undefined;

  /** @param stops stop strings @param calls reader of tool calls, if the reply may contain any */
  constructor(
    private readonly stops: readonly string[],
    private readonly calls: CallReader | undefined,
  ) {}

  /** Adds text. @returns text that can be sent now */
  push(more: string): string {
    if (this.isCut) return "";
    this.text += more;
    this.cut();
    const end = Math.max(this.told, this.isCut ? this.certain(this.text.length) : this.certain(this.unstopped()));
    const news = this.text.slice(this.told, end);
    this.told = end;
    return news;
  }

  /** Ends the reply. @returns its content and calls, and the rest of its content that was held back */
  end(): Spoken & { readonly rest: string } {
    const spoken = this.calls?.read(this.text) ?? { content: this.text, calls: [] };
    return { ...spoken, rest: spoken.content.slice(this.told) };
  }

  /** Returns the stop string that ended the reply, if one did. */
  get stop(): string | undefined {
    return this.cutBy;
  }

  /** Returns the text before the stop string. */
  get written(): string {
    return this.text;
  }

  private get isCut(): boolean {
    return this.cutBy !== undefined;
  }

  private cut(): void {
    let end = this.text.length;
    for (const stop of this.stops) {
      const at = this.text.indexOf(stop);
      if (at < 0 || at >= end) continue;
      end = at;
      this.cutBy = stop;
    }
    this.text = this.text.slice(0, end);
  }

  private unstopped(): number {
    return Math.min(this.text.length, ...this.stops.map((stop) => heldFor(this.text, stop)));
  }

  /**
   * Returns the end of the text that can be sent: before a possible beginning of a tool call and the space before it.
   */
  private certain(end: number): number {
    return Math.min(end, this.calls?.contentEnd(this.text.slice(0, end)) ?? end);
  }
}
