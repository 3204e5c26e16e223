/** Interfaces for tools that any environment can offer to its agents. */
import type { AsyncContext, ObservationPart, Requirement, Tool } from "../../env.js";

export interface ToolAnswer {
  /** Text for the agent. Errors of the tool, such as a wrong argument, are answers too. */
  text: string;
  /** Images that accompany the text. */
  parts?: (ObservationPart & { type: "image" })[];
  /** Whether the answer reports an error. */
  isError?: boolean;
}

export type Arguments = Readonly<Record<string, unknown>>;

/** A group of tools, such as the tools of one server. */
export interface ToolKit {
  readonly tools: readonly Tool[];
  readonly requirements: readonly Requirement[];
  /** Creates a session for one episode. The session's first call opens resources, not this function. */
  open(context: Pick<AsyncContext, "sandboxes">): ToolSession;
}

/** Session in which one episode uses the tools of a kit. */
export interface ToolSession {
  /**
   * Calls a tool. @param name name of a tool of the kit
   * @param given arguments that match the tool's schema
   * @throws {ServiceFailed} the tool itself failed, without a mistake of the agent
   * @throws {SandboxError} the sandbox failed
   * @throws the signal's reason
   */
  call(name: string, given: Arguments, signal: AbortSignal): Promise<ToolAnswer>;
  /** Called in a replay for a call whose answer was read from the log, so that the session can restore its effects. */
  missed?(name: string, given: Arguments): void;
  /** Frees the resources that the calls opened. Further calls of `close` have no effect. */
  close(): Promise<void>;
}

/** Maximum length of an answer for an agent, in UTF-16 units. */
export const mostCharacters = 20_000;

/** Shortens a long text by removing its middle, since errors are often at the end. */
export function bounded(text: string, most = mostCharacters): string {
  if (text.length <= most) return text;
  const half = Math.floor(most / 2);
  const cut = text.length - 2 * half;
  return `${text.slice(0, half).toWellFormed()}\n[... ${cut} characters left out ...]\n${text.slice(-half).toWellFormed()}`;
}
