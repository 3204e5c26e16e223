/**
 * Encodes conversations with a model's chat template, for messages of any role: the opening before the first reply, and
 * the bridge between two replies. Sampled tokens are kept unchanged between them.
 */
import type { ChatMessage, TextStream, Tokenizer } from "../../../native/api/index.js";
import { type CallForm, callForms, hermes } from "../../../server/formats/actions/call-forms.js";
import { unstable, unusableTemplate } from "../../policy/chat-format.js";
import { answer, type CallStyle, callStyleOf, inStyle, probe, probeCall, probeResult, question } from "./call-style.js";
import { EndpointError } from "./errors.js";
import type { Tool } from "./message.js";
import { CallReader } from "./tool-calls.js";

const formats = callForms.filter(({ channels }) => !channels).map(({ name }) => name);
const remedy = `Serve a model that writes tool calls as one of ${formats.join(", ")}, such as Qwen2.5-0.5B-Instruct, or describe the tools in the messages.`;

export class PromptFormat {
  /** Tokens that end a reply and belong to it. */
  readonly stopTokens: readonly number[];
  readonly #tokenizer: Tokenizer;
  readonly #takesTools: boolean;
  readonly #takesToolMessages: boolean;
  readonly #style: CallStyle | undefined;
  /** Texts of the stop tokens. */
  #ends: readonly string[] = [];

  /** @throws {TrainerError} MODEL_UNUSABLE */
  constructor(tokenizer: Tokenizer) {
    if (!tokenizer.chatTemplate) throw unusableTemplate("with the model", "a model without a chat template");
    this.#tokenizer = tokenizer;
    const ends = [...tokenizer.endTokens, ...this.#closing(this.#tailAfterText())];
    this.#ends = this.#textsOf(ends);
    this.#style = callStyleOf((messages, tools) => this.#render(messages, tools, false), this.#ends);
    if (this.#style?.form.channels)
      throw unusableTemplate("that writes a reply as one text", "a template that writes channels, as gpt-oss does");
    const called = this.#tailAfterCalls(probeCall, [probeResult], []);
    const named = (this.#style?.form.ends ?? []).flatMap((text) => tokenizer.idOf(text) ?? []);
    this.stopTokens = [...new Set([...ends, ...this.#closing(called), ...named])];
    if (this.stopTokens.length === 0) throw unusableTemplate("or a tokenizer with an end-of-turn token", "neither");
    this.#ends = this.#textsOf(this.stopTokens);
    this.#takesTools = this.#differs([question], [question], [probe]);
    this.#takesToolMessages = [answer, probeCall].some((reply) =>
      this.#differs([question, reply], [question, reply, probeResult]),
    );
  }

  /** Number of tokens. */
  get vocabulary(): number {
    return this.#tokenizer.size;
  }

  /**
   * Encodes all messages before a reply.
   *
   * @returns `[tokens]`
   * @throws {EndpointError} the template refuses the messages
   */
  opening(messages: readonly ChatMessage[], tools: readonly Tool[]): Int32Array {
    this.#checkTools(messages, tools);
    return this.#encode(guarded(() => this.#render(messages, tools)));
  }

  /**
   * Encodes the messages between two replies.
   *
   * @param earlier earlier reply, its text, and its last token; a reply that was cut off is closed first
   * @returns `[tokens]`; undefined if the template changes earlier text
   */
  bridge(
    { reply, text, last }: { reply: ChatMessage; text: string; last: number | undefined },
    said: readonly ChatMessage[],
    tools: readonly Tool[],
  ): Int32Array | undefined {
    this.#checkTools(said, tools);
    const closing = this.#style?.form.closing;
    const isStopped = closing !== undefined && !this.stopTokens.includes(last ?? -1) && text.endsWith(closing);
    // The results of tools can depend on the calls: some templates accept results only after a call.
    const after = this.#tailAfterCalls(reply, said, tools, isStopped ? closing : undefined);
    const tail = after ?? guarded(() => this.#tailAfter(answer, said, tools));
    if (tail === undefined) return undefined;
    const tokens = this.#encode(tail);
    return tokens[0] === last ? tokens.subarray(1) : tokens;
  }

  /**
   * Returns the reader of the calls in a reply; undefined without tools.
   *
   * @param tools tools that were offered
   * @param isOneCallAtMost whether the reply is stopped at `callEnds`
   */
  callReader(tools: readonly Tool[], isOneCallAtMost = false): CallReader | undefined {
    return this.#style && tools.length > 0 ? new CallReader(this.#style.form, tools, isOneCallAtMost) : undefined;
  }

  /**
   * Returns the texts that end a reply after its first call.
   *
   * @throws {EndpointError} calls in the model's form have no end
   */
  callEnds(): string[] {
    const { closing, most, name } = this.#style?.form ?? ({} as Partial<CallForm>);
    if (closing !== undefined) return [closing];
    if (most === 1) return [];
    const message = `expected true, since a reply in the form of ${name} cannot be ended after its first call, but received false`;
    throw new EndpointError("unsupported_parameter", message, "parallel_tool_calls");
  }

  /**
   * Returns the form of the model's calls. It has `written` if replies can be held to it: if it has JSON as arguments, and
   * no special tokens, which are no text.
   */
  heldForm(): CallForm {
    const { written, ...form } = this.#style?.form ?? hermes;
    return written && !form.begins.some((mark) => this.#isSpecial(mark)) ? { ...form, written } : form;
  }

  #isSpecial(text: string): boolean {
    const token = this.#tokenizer.idOf(text);
    return token !== undefined && this.#tokenizer.decode([token], { skipSpecialTokens: true }) === "";
  }

  /** Decodes a reply token by token, without its stop token. @param stopTokens the model's, and those of the request */
  textStream(stopTokens: readonly number[] = this.stopTokens): Pick<TextStream, "push" | "end"> {
    const stream = this.#tokenizer.textStream();
    const push = (token: number) => (stopTokens.includes(token) ? "" : stream.push(token));
    return { push, end: () => stream.end() };
  }

  /** Returns the text and bytes of a single token, which may be a part of a character. */
  spell(token: number): { text: string; bytes: number[] } {
    const { bytes, offsets } = this.#tokenizer.bytes(this.#tokenizer.size);
    const own = bytes.subarray(Number(offsets[token]), Number(offsets[token + 1]));
    return { text: new TextDecoder().decode(own), bytes: [...own] };
  }

  #checkTools(messages: readonly ChatMessage[], tools: readonly Tool[]): void {
    const refuse = (param: string, state: string) => {
      throw new EndpointError("unsupported_parameter", `The model's chat template ${state}. ${remedy}`, param);
    };
    if (tools.length > 0 && !this.#takesTools) refuse("tools", "has no place for tools");
    if (tools.length > 0 && !this.#style) refuse("tools", "writes tool calls in an unknown format");
    const hasResults = messages.some(({ role }) => role === "tool");
    if (hasResults && !this.#takesToolMessages) refuse("messages", "has no place for the results of tools");
  }

  /**
   * Returns the text from the end of a reply to the beginning of the next one, for a question after an answer.
   *
   * @throws {TrainerError} MODEL_UNUSABLE: the template changes earlier text as a conversation grows
   */
  #tailAfterText(): string {
    const tail = this.#tailAfter(answer, [question], []);
    if (tail === undefined) throw unstable("the first reply");
    const [next, later] = [
      this.#render([question, answer, question], [], false),
      this.#render([question, answer, question, answer, question], [], false),
    ];
    if (!later.startsWith(next)) throw unstable("the second reply");
    return tail;
  }

  /** Returns the text after a reply; undefined if the template changes the text before it. */
  #tailAfter(reply: ChatMessage, said: readonly ChatMessage[], tools: readonly Tool[]): string | undefined {
    const before = this.#render([question], tools, false);
    const all = this.#render([question, reply, ...said], tools);
    const at = all.startsWith(before) ? all.indexOf(String(reply.content), before.length) : -1;
    return at < 0 ? undefined : all.slice(at + String(reply.content).length);
  }

  /**
   * Returns the text after a reply with calls; undefined if it has none or the template does not accept it.
   *
   * @param closing text with which the reply was stopped
   */
  #tailAfterCalls(
    reply: ChatMessage,
    said: readonly ChatMessage[],
    tools: readonly Tool[],
    closing?: string,
  ): string | undefined {
    if (!reply.tool_calls) return undefined;
    try {
      const before = this.#render([question, reply], tools, false);
      const all = this.#render([question, reply, ...said], tools);
      const stopped = closing === undefined ? -1 : before.lastIndexOf(closing);
      const end = stopped < 0 ? this.#closingPlace(before) : stopped + (closing as string).length;
      return all.startsWith(before) ? all.slice(end) : undefined;
    } catch {
      return undefined;
    }
  }

  /** Returns the place of the stop token with which a text ends, or the end of the text. */
  #closingPlace(text: string): number {
    for (const end of this.#ends) {
      const at = text.lastIndexOf(end);
      if (at >= 0 && text.slice(at + end.length).trim() === "") return at;
    }
    return text.length;
  }

  /** Returns the special token with which a text begins, if it begins with one. */
  #closing(text: string | undefined): number[] {
    const [first] = this.#encode(text ?? "");
    const isSpecial = first !== undefined && this.#tokenizer.decode([first], { skipSpecialTokens: true }) === "";
    return isSpecial ? [first] : [];
  }

  #textsOf(tokens: readonly number[]): string[] {
    return tokens.map((token) => this.#tokenizer.decode([token]));
  }

  #differs(one: ChatMessage[], other: ChatMessage[], tools: Tool[] = []): boolean {
    try {
      return this.#render(one, []) !== this.#render(other, tools);
    } catch {
      return false;
    }
  }

  #render(messages: readonly ChatMessage[], tools: readonly Tool[], addGenerationPrompt = true): string {
    const style = this.#style;
    const styled = messages.map((message) => (style ? inStyle(message, style) : message));
    const options = { addGenerationPrompt, ...(tools.length > 0 && { tools: [...tools] }) };
    return this.#tokenizer.chatTemplate?.render(styled, options) ?? "";
  }

  #encode(text: string): Int32Array {
    return this.#tokenizer.encode(text, { addSpecialTokens: false });
  }
}

/** @throws {EndpointError} the template refuses the messages */
function guarded<T>(render: () => T): T {
  try {
    return render();
  } catch (error) {
    throw new EndpointError("invalid_request", (error as Error).message, "messages");
  }
}
