/**
 * Tool calls in a reply, in the form of the model's chat template: optional text, then one or more calls and nothing
 * after them. A reply in any other form is treated as text, so nothing is lost.
 */
import type { CallForm, FoundCall } from "../../../server/formats/actions/call-forms.js";
import { toolCallOf } from "../../../server/formats/actions/function-calling.js";
import type { FunctionCall, Tool } from "./message.js";

/** A call as the model wrote it, with the id that the model gave to it, if the form has ids. */
export interface SpokenCall extends FunctionCall {
  readonly id?: string;
}

export interface Spoken {
  readonly content: string;
  readonly calls: readonly SpokenCall[];
}

export class CallReader {
  private readonly tools: readonly Tool["function"][];

  /** @param isOneAtMost whether the reply was stopped after its first call */
  constructor(
    private readonly form: CallForm,
    tools: readonly Tool[],
    private readonly isOneAtMost = false,
  ) {
    this.tools = tools.map((tool) => tool.function);
  }

  /** Reads a whole reply. */
  read(text: string): Spoken {
    const begin = this.beginOf(text);
    const calls = begin === undefined ? undefined : this.callsIn(this.withoutNext(text.slice(begin)));
    if (calls && calls.length > 0) return { content: text.slice(0, begin).trimEnd(), calls };
    return { content: text, calls: [] };
  }

  /**
   * Returns the end of the text that surely belongs to the content of a growing reply: before a possible beginning of
   * a call and the space before it.
   */
  contentEnd(text: string): number {
    const begin = this.beginOf(text);
    const end = begin ?? Math.min(...this.form.begins.map((mark) => heldFor(text, mark)));
    return text.slice(0, end).trimEnd().length;
  }

  /** Leaves out what the last token of a stopped reply has after the first call. */
  private withoutNext(text: string): string {
    const { closing } = this.form;
    const end = this.isOneAtMost && closing !== undefined ? text.indexOf(closing) : -1;
    return end < 0 ? text : text.slice(0, end + String(closing).length);
  }

  /** Returns the place where the calls begin, if they do. */
  private beginOf(text: string): number | undefined {
    if (this.form.isBare && /^\s*\{/.test(text)) return 0;
    const places = this.form.begins.map((mark) => text.indexOf(mark)).filter((at) => at >= 0);
    return places.length > 0 ? Math.min(...places) : undefined;
  }

  /** Returns undefined if the text contains anything except whole calls. */
  private callsIn(text: string): SpokenCall[] | undefined {
    const { calls: found, outside } = this.found(text);
    if (outside.trim() !== "" || found.length > (this.form.most ?? found.length)) return undefined;
    const calls: SpokenCall[] = [];
    for (const each of found) {
      const call = toolCallOf(each, this.tools);
      if (!call || call.name === "") return undefined;
      const { name, arguments: given } = call;
      const isFirst = each.id !== undefined && !calls.some(({ id }) => id === each.id);
      calls.push({ name, arguments: JSON.stringify(given), ...(isFirst && { id: each.id as string }) });
    }
    return calls;
  }

  private found(text: string): { readonly calls: readonly FoundCall[]; readonly outside: string } {
    if (!this.form.isBare || !text.trimStart().startsWith("{")) return this.form.find(text);
    // JSON without marks is a call only if it names a tool: a reply may be JSON.
    const call = toolCallOf({ name: "", json: text }, this.tools);
    const isTool = this.tools.some(({ name }) => name === call?.name);
    return isTool ? { calls: [{ name: "", json: text }], outside: "" } : { calls: [], outside: text };
  }
}

/** Returns the start of the longest suffix of the text that is a prefix of the mark. */
export function heldFor(text: string, mark: string): number {
  for (let at = Math.max(0, text.length - mark.length + 1); at < text.length; at++) {
    if (mark.startsWith(text.slice(at))) return at;
  }
  return text.length;
}
