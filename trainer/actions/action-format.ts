/** The contract of an action format: how a policy is told to write actions, and how a reply is read. */
import type { Tool } from "../gym/gym.js";

/** Result of reading a reply: an action to send, or an answer that replaces the environment's if there is no action. */
export type Reading = { readonly action: string } | { readonly refusal: string };

/** Instructions to a policy, before the first observation. */
export interface Instructions {
  readonly prompt: string;
  /** Tools for the `tools` of a chat template or a server. */
  readonly tools?: readonly Tool[];
}

export interface ActionFormat {
  /** Name in settings. */
  readonly name: string;
  /** Whether the format needs an environment with tools. */
  readonly callsTools: boolean;
  /** Makes the instructions: the environment's prompt, and the reply format where it differs from the prompt's. */
  opening(prompt: string, tools: readonly Tool[]): Instructions;
  /** Reads the action of a reply. */
  read(text: string, tools: readonly Tool[]): Reading;
  /** Writes the reply that states an action; undefined if no tool stands for the action. */
  write(action: string, tools: readonly Tool[]): string | undefined;
}
