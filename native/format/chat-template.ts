/** Conversations as the text that a model was trained on, by the Jinja template that comes with it. */
import { Template } from "@huggingface/jinja";
import { invalid, misformed } from "../addon/errors.js";
import { listOf, string } from "./options.js";
import { isRecord } from "./safetensors.js";

/** What a template reads of a message; templates of tools read more. */
export interface ChatMessage {
  role: string;
  /** Null or none where a message is its `tool_calls` alone; parts for templates that take them. */
  content?: string | null | unknown[];
  [key: string]: unknown;
}

export interface ChatOptions {
  /** End with the beginning of an answer of the assistant. Default true. */
  addGenerationPrompt?: boolean;
  /** Descriptions of tools, for templates that know of them. */
  tools?: unknown[];
  /** More variables of the template. */
  variables?: Record<string, unknown>;
}

export class ChatTemplate {
  /** The Jinja text. */
  readonly source: string;
  readonly #template: Template;
  readonly #specialTokens: Record<string, string>;

  /** @param specialTokens `bos_token`, `eos_token` and their like, as templates name them */
  constructor(source: string, specialTokens: Record<string, string>) {
    this.source = source;
    this.#specialTokens = specialTokens;
    this.#template = guarded(() => new Template(source));
  }

  /**
   * Fails with NATIVE_INVALID_ARGUMENT where the messages are none, and with NATIVE_FORMAT where the template refuses
   * them. It runs on the event loop, for as long as the template likes: it comes from whom the model comes from.
   */
  render(messages: ChatMessage[], { addGenerationPrompt = true, tools, variables }: ChatOptions = {}): string {
    listOf(expectMessage)(messages, "messages");
    return guarded(() =>
      this.#template.render({
        ...this.#specialTokens,
        messages,
        tools: tools ?? null,
        add_generation_prompt: addGenerationPrompt,
        ...variables,
      }),
    );
  }
}

function expectMessage(value: unknown, name: string): void {
  if (!isRecord(value)) throw invalid(`${name} as an object with a role`, value);
  string(value.role, `${name}.role`);
}

function guarded<T>(work: () => T): T {
  try {
    return work();
  } catch (error) {
    throw misformed("a chat template that takes the messages", error instanceof Error ? error.message : String(error));
  }
}
