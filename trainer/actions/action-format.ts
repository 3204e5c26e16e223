/** The contract of an action format: how a policy is told to write actions, and how a reply is read. */
import type { Tool } from "../gym/gym.js";

/** An action to send, or an answer in the environment's place where nothing is to be sent. */
export type Reading = { readonly action: string } | { readonly refusal: string };

/** What a policy is told before the first observation. */
export interface Instructions {
  readonly prompt: string;
  /** To be shown to a model in its own way: a chat template's or a server's `tools`. */
  readonly tools?: readonly Tool[];
}

export interface ActionFormat {
  /** As settings name it. */
  readonly name: string;
  /** Whether it can be played only with an environment that has tools. */
  readonly callsTools: boolean;
  /** The environment's prompt, and how to reply where that is in another way than the prompt says. */
  opening(prompt: string, tools: readonly Tool[]): Instructions;
  read(text: string, tools: readonly Tool[]): Reading;
  /** What a policy that wants this action writes; undefined where no tool stands for it. */
  write(action: string, tools: readonly Tool[]): string | undefined;
}
