/**
 * Encodes conversations with a model's chat template in two parts: the opening of a conversation, and the bridge
 * between two replies. Sampled tokens are kept between them and are never tokenized again.
 */

import type { ChatMessage, Tokenizer } from "../../native/api/index.js";
import { callsSomething, toolInstructions } from "../../server/formats/actions/function-calling.js";
import { functionOf } from "../../server/formats/actions/tool-call.js";
import { type Dialogue, firstMessages } from "../../server/formats/dialogue.js";
import { TrainerError } from "../errors.js";
import type { Tool } from "../gym/gym.js";

/** Makes the error for a template that cannot be divided into an opening, replies and bridges. */
export function unusableTemplate(expected: string, received: string): TrainerError {
  return new TrainerError("MODEL_UNUSABLE", `expected a chat template ${expected}, but received ${received}`);
}

export interface OpeningOptions {
  /** Form of the first messages. Default `system`. */
  readonly dialogue?: Dialogue | undefined;
  /** Tools, shown by the template if it supports tools, else described in the instructions. */
  readonly tools?: readonly Tool[] | undefined;
}

/** Role of an observation's message: `tool` after a tool call, else `user`. */
export type Answerer = "tool" | "user";

/** Returns the role of the message after a reply. @param tools offered tools, if any */
export function answererOf(reply: string, tools: readonly Tool[] | undefined): Answerer {
  return tools && callsSomething(reply) ? "tool" : "user";
}

/** Placeholder messages that no template modifies. */
const question: ChatMessage = { role: "user", content: "question" };
const answer: ChatMessage = { role: "assistant", content: "answer" };
const someTool = functionOf({
  name: "some_function",
  description: "description",
  parameters: { type: "object", properties: {}, required: [], additionalProperties: false },
  action: "",
});

export class ChatFormat {
  /**
   * Tokens that end a reply and belong to it: the tokenizer's end tokens, and the token that the template writes after
   * a reply.
   */
  readonly stopTokens: readonly number[];
  readonly #tokenizer: Tokenizer;
  readonly #takesInstructions: boolean;
  readonly #takesTools: boolean;
  /** Text of a conversation with one question and its answer. */
  readonly #answered: string;

  /**
   * @throws {TrainerError} MODEL_UNUSABLE: the template alters replies, or changes earlier text as a conversation grows
   */
  constructor(tokenizer: Tokenizer) {
    this.#tokenizer = tokenizer;
    if (!tokenizer.chatTemplate) throw unusableTemplate("with the model", "a model without a chat template");
    this.#takesInstructions = this.#takes({ role: "system", content: "instructions" });
    this.#answered = this.#render([question]) + answer.content;
    this.#takesTools = this.#knowsTools();
    this.#checkPrefixes();
    const [first] = this.#encode(this.#tail("more"));
    const closing = first !== undefined && this.#isSpecial(first) ? [first] : [];
    this.stopTokens = [...new Set([...tokenizer.endTokens, ...closing])];
    if (this.stopTokens.length === 0) throw unusableTemplate("or a tokenizer with an end-of-turn token", "neither");
  }

  /** Whether the model reads the instructions: the template of the trainer's small model shows observations alone. */
  get showsInstructions(): boolean {
    const instructions = "instructions that no template has";
    return this.#render(this.#messages(instructions, "question", "system")).includes(instructions);
  }

  /** Encodes all text before the first reply. @returns `[tokens]` */
  opening(instructions: string, observation: string, { dialogue = "system", tools }: OpeningOptions = {}): Int32Array {
    const functions = this.#takesTools ? tools?.map(functionOf) : undefined;
    const prompt = tools && !functions ? `${instructions}\n\n${toolInstructions(tools)}` : instructions;
    return this.#encode(this.#render(this.#messages(prompt, observation, dialogue), functions));
  }

  /**
   * Encodes the text between two replies.
   *
   * @param last last token of the earlier reply; a reply that ended at its limit is closed first
   * @param answerer role of the observation; `user` in any case if the template does not support tools
   * @returns `[tokens]`
   */
  bridge(observation: string, last: number | undefined, answerer: Answerer = "user"): Int32Array {
    const tail = this.#encode(this.#tail(observation, this.#takesTools ? answerer : "user"));
    return tail[0] === last ? tail.subarray(1) : tail;
  }

  /** Decodes a reply, without its stop token. */
  text(reply: Int32Array): string {
    const ends = this.stopTokens.includes(reply.at(-1) as number);
    return this.#tokenizer.decode(ends ? reply.subarray(0, -1) : reply);
  }

  /** Encodes a reply as a model would sample it. @returns `[tokens]` */
  reply(text: string): Int32Array {
    const closing = this.#encode(this.#tail("more"))[0] as number;
    const end = this.stopTokens.includes(closing) ? closing : (this.stopTokens[0] as number);
    return Int32Array.of(...this.#encode(text), end);
  }

  #messages(prompt: string, observation: string, dialogue: Dialogue): ChatMessage[] {
    const joined = dialogue === "system" && !this.#takesInstructions;
    if (joined) return [{ role: "user", content: `${prompt}\n\n${observation}` }];
    return firstMessages({ prompt, observation }, dialogue).map((message) => ({ ...message }));
  }

  #takes(message: ChatMessage): boolean {
    try {
      this.#render([message, question]);
      return true;
    } catch {
      return false;
    }
  }

  /** Returns the text from the end of a reply to the beginning of the next reply. */
  #tail(observation: string, role: Answerer = "user"): string {
    const next = { role, content: observation };
    return this.#render([question, answer, next]).slice(this.#answered.length);
  }

  /** Returns whether the template shows functions, and their results after a reply. */
  #knowsTools(): boolean {
    try {
      const shown = this.#render([question], [someTool]).includes(someTool.function.name);
      const said = this.#render([question, answer, { role: "tool", content: "returned" }]);
      return shown && said.startsWith(this.#answered) && said.slice(this.#answered.length).includes("returned");
    } catch {
      return false;
    }
  }

  #checkPrefixes(): void {
    const next = this.#render([question, answer, question]);
    if (!next.startsWith(this.#answered)) throw unstable("the first reply");
    const later = this.#render([question, answer, question, answer, question]);
    if (!later.startsWith(next + answer.content)) throw unstable("the second reply");
  }

  #render(messages: ChatMessage[], tools?: object[]): string {
    return this.#tokenizer.chatTemplate?.render(messages, tools && { tools }) ?? "";
  }

  #encode(text: string): Int32Array {
    return this.#tokenizer.encode(text, { addSpecialTokens: false });
  }

  #isSpecial(token: number): boolean {
    return this.#tokenizer.decode([token], { skipSpecialTokens: true }) === "";
  }
}

/** Makes the error for a template that changes text before messages that are added. @param what place of the last change */
export function unstable(what: string): TrainerError {
  return unusableTemplate(
    "that only appends text as a conversation grows",
    `a template that changes the text up to ${what} when messages are added`,
  );
}
