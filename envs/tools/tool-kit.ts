/** Tools that any environment can give to its agents. */
import type { AsyncContext, ObservationPart, Requirement, Tool } from "../env.js";

export interface ToolAnswer {
  /** Text for the agent. An error of the tool, such as a wrong argument, is also an answer. */
  text: string;
  /** Pictures in addition to the text. */
  parts?: (ObservationPart & { type: "image" })[];
  /** Whether the answer is an error. */
  isError?: boolean;
}

export type Arguments = Readonly<Record<string, unknown>>;

/** A group of tools, such as those of one server. */
export interface ToolKit {
  readonly tools: readonly Tool[];
  readonly requirements: readonly Requirement[];
  /** Creates a session for one episode. Resources are opened by the first call, not here. */
  open(context: Pick<AsyncContext, "sandboxes">): ToolSession;
}

/** Session in which one episode uses the tools of a kit. */
export interface ToolSession {
  /**
   * @param name name of a tool of the kit
   * @param given arguments that match the tool's schema
   * @throws {ServiceFailed} the tool itself failed, and the agent is not at fault
   * @throws {SandboxError} the sandbox failed
   * @throws the signal's reason
   */
  call(name: string, given: Arguments, signal: AbortSignal): Promise<ToolAnswer>;
  /** Reports a call that was answered from the log, so that later calls can build on it. */
  missed?(name: string, given: Arguments): void;
  /** Frees the resources that the calls opened. A second call of `close` does nothing. */
  close(): Promise<void>;
}

/** Maximum length of an answer for an agent, in UTF-16 units. */
export const mostCharacters = 20_000;

/** Shortens a long text by cutting out the middle, because errors often stand at the end. */
export function bounded(text: string, most = mostCharacters): string {
  if (text.length <= most) return text;
  const half = Math.floor(most / 2);
  const cut = text.length - 2 * half;
  return `${text.slice(0, half).toWellFormed()}\n[... ${cut} characters left out ...]\n${text.slice(-half).toWellFormed()}`;
}
