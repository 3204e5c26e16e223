/** The contract of an action format: it instructs a policy how to write actions, and parses the replies. */
import type { components } from "../../../openapi/gym.js";

/**
 * Tool of an environment: an action as a function. Its `action` is a template: `get {count} {item}`, or
 * `{"text": "{text}"}` for a text that is written as JSON.
 */
export type Tool = components["schemas"]["Tool"];

/** Result of parsing a reply: the action to send, or a refusal that the policy receives instead of an observation. */
export type Reading = { readonly action: string } | { readonly refusal: string };

/** Instructions that a policy receives before the first observation. */
export interface Instructions {
  readonly prompt: string;
  /** Tools to pass in the parameter `tools` of a chat template or a server. */
  readonly tools?: readonly Tool[];
}

/** An action format is unknown, or an environment cannot be played in it. */
export class FormatError extends Error {
  override readonly name = "FormatError";
  readonly code = "FORMAT_INVALID";
}

export interface ActionFormat {
  /** Name of the format in settings. */
  readonly name: string;
  /** Whether the format needs an environment with tools. */
  readonly callsTools: boolean;
  /** Makes the instructions: the environment's prompt, and the reply format if the prompt describes a different one. */
  opening(prompt: string, tools: readonly Tool[]): Instructions;
  /** Parses the action of a reply. */
  read(text: string, tools: readonly Tool[]): Reading;
  /** Writes a reply with this action; undefined if no tool corresponds to the action. */
  write(action: string, tools: readonly Tool[]): string | undefined;
}
