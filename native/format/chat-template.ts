/** Renders a conversation as text, with the Jinja template that comes with a model. */
import { Template } from "@huggingface/jinja";
import { z } from "zod";
import { misformed } from "../addon/errors.js";
import { check, listOf, text } from "./options.js";

/** One message of a conversation. Templates may read more properties, such as `tool_calls`. */
export interface ChatMessage {
  role: string;
  /**
   * Content of the message. Null or absent when the message only has `tool_calls`. A list of parts for templates that
   * support parts.
   */
  content?: string | null | unknown[];
  [key: string]: unknown;
}

export interface ChatOptions {
  /** Whether the text ends with the header of the assistant's reply. Default true. */
  addGenerationPrompt?: boolean;
  /** Definitions of tools, for templates that use them. */
  tools?: unknown[];
  /** Further variables of the template. */
  variables?: Record<string, unknown>;
}

const messageList = listOf(z.looseObject({ role: text }, "an object with a role"));

export class ChatTemplate {
  /** Jinja source of the template. */
  readonly source: string;
  readonly #template: Template;
  readonly #specialTokens: Record<string, string>;

  /** @param specialTokens text of `bos_token`, `eos_token` and so on, by name */
  constructor(source: string, specialTokens: Record<string, string>) {
    this.source = source;
    this.#specialTokens = specialTokens;
    this.#template = guarded(() => new Template(source));
  }

  /**
   * Renders messages. Fails with NATIVE_INVALID_ARGUMENT when the messages are malformed, and with NATIVE_FORMAT when
   * the template refuses them. The template runs on the event loop without a time limit, so use only templates of model
   * authors whom you trust.
   */
  render(messages: ChatMessage[], { addGenerationPrompt = true, tools, variables }: ChatOptions = {}): string {
    check("messages", messageList, messages);
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

function guarded<T>(work: () => T): T {
  try {
    return work();
  } catch (error) {
    throw misformed("a chat template that takes the messages", error instanceof Error ? error.message : String(error));
  }
}
