/**
 * Encodes conversations with a model's chat template, for messages of any role: the opening before the first reply, and
 * the bridge between two replies. Sampled tokens are kept unchanged between them.
 */
import type { ChatMessage, TextStream, Tokenizer } from "../../../native/api/index.js";
import { ChatFormat } from "../../policy/chat-format.js";
import { EndpointError } from "./errors.js";
import type { Tool } from "./message.js";
import { closing, opening, readReply } from "./tool-calls.js";

/** Placeholder messages that no template modifies. */
const question: ChatMessage = { role: "user", content: "question" };
const answer: ChatMessage = { role: "assistant", content: "answer" };
const probe: Tool = { type: "function", function: { name: "probe", description: "probe", parameters: {} } };

const remedy =
  "Serve a model that writes tool calls in the format of Hermes and Qwen, such as Qwen2.5-0.5B-Instruct, or describe the tools in the messages.";

export class PromptFormat {
  /** Tokens that end a reply and belong to it. */
  readonly stopTokens: readonly number[];
  readonly #tokenizer: Tokenizer;
  readonly #takesTools: boolean;
  readonly #takesToolMessages: boolean;
  readonly #writesKnownCalls: boolean;

  /** @throws {TrainerError} MODEL_UNUSABLE */
  constructor(tokenizer: Tokenizer) {
    this.#tokenizer = tokenizer;
    this.stopTokens = new ChatFormat(tokenizer).stopTokens;
    this.#takesTools = this.#differs([question], [question], [probe]);
    const result = { role: "tool", content: "result", tool_call_id: "probe" };
    this.#takesToolMessages = this.#differs([question, answer], [question, answer, result]);
    this.#writesKnownCalls = this.#takesTools && this.#readsCallsBack();
  }

  /**
   * Encodes all messages before a reply.
   *
   * @returns `[tokens]`
   * @throws {EndpointError} the template refuses the messages
   */
  opening(messages: readonly ChatMessage[], tools: readonly Tool[]): Int32Array {
    this.#checkTools(messages, tools);
    return this.#encode(this.#render(messages, tools));
  }

  /**
   * Encodes the messages between two replies.
   *
   * @param last last token of the earlier reply; a reply that was cut off is closed first
   * @returns `[tokens]`; undefined if the template changes earlier text
   */
  bridge(said: readonly ChatMessage[], tools: readonly Tool[], last: number | undefined): Int32Array | undefined {
    this.#checkTools(said, tools);
    const before = this.#render([question], tools) + answer.content;
    const all = this.#render([question, answer, ...said], tools);
    if (!all.startsWith(before)) return undefined;
    const tail = this.#encode(all.slice(before.length));
    return tail[0] === last ? tail.subarray(1) : tail;
  }

  /** Decodes a reply token by token, without its stop token. */
  textStream(): Pick<TextStream, "push" | "end"> {
    const stream = this.#tokenizer.textStream();
    const push = (token: number) => (this.stopTokens.includes(token) ? "" : stream.push(token));
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
    if (tools.length > 0 && !this.#writesKnownCalls) {
      refuse("tools", `writes tool calls in a format other than ${opening}{"name": ..., "arguments": {...}}${closing}`);
    }
    const hasResults = messages.some(({ role }) => role === "tool");
    if (hasResults && !this.#takesToolMessages) refuse("messages", "has no place for the results of tools");
  }

  /** Returns whether our parser can read the format of tool calls that the template writes or requests. */
  #readsCallsBack(): boolean {
    const called = { id: "call", type: "function", function: { name: "probe", arguments: { key: "value" } } };
    try {
      const text = this.#render([question, { role: "assistant", content: "", tool_calls: [called] }], []);
      const [begin, end] = [text.indexOf(opening), text.lastIndexOf(closing) + closing.length];
      if (begin >= 0) return readReply(text.slice(begin, end)).calls.length === 1;
    } catch {}
    return this.#render([question], [probe]).includes(opening);
  }

  #differs(one: ChatMessage[], other: ChatMessage[], tools: Tool[] = []): boolean {
    try {
      return this.#render(one, []) !== this.#render(other, tools);
    } catch {
      return false;
    }
  }

  #render(messages: readonly ChatMessage[], tools: readonly Tool[]): string {
    const offered = tools.length > 0 ? { tools: [...tools] } : {};
    try {
      return this.#tokenizer.chatTemplate?.render([...messages], offered) ?? "";
    } catch (error) {
      throw new EndpointError("invalid_request", (error as Error).message, "messages");
    }
  }

  #encode(text: string): Int32Array {
    return this.#tokenizer.encode(text, { addSpecialTokens: false });
  }
}
