/** Tools that an environment gives to its agents, and that other environments can give to theirs. */
import type { AsyncContext, ObservationPart, Requirement, Tool } from "../env.js";

export interface ToolAnswer {
  /** What the agent is shown. What a tool complains of, such as a wrong argument, is an answer, too. */
  text: string;
  /** Pictures beside it. */
  parts?: (ObservationPart & { type: "image" })[];
  /** Whether it is a complaint. */
  isError?: boolean;
}

export type Arguments = Readonly<Record<string, unknown>>;

/** Some tools that belong together, such as those of one server. */
export interface ToolKit {
  readonly tools: readonly Tool[];
  readonly requirements: readonly Requirement[];
  /** For one episode. Opens nothing that would have to be closed before it is called. */
  open(context: Pick<AsyncContext, "sandboxes">): ToolSession;
}

/** The tools of a kit in one episode. */
export interface ToolSession {
  /**
   * @param name of a tool of the kit
   * @param given arguments that fit the tool's schema
   * @throws {ServiceFailed} the tool itself failed, by nobody's fault that could be told to the agent
   * @throws {SandboxError} @throws the signal's reason
   */
  call(name: string, given: Arguments, signal: AbortSignal): Promise<ToolAnswer>;
  /** Told of a call that was answered from the log, where a later call builds on it. */
  missed?(name: string, given: Arguments): void;
  /** Frees what its calls opened. Calling it again does nothing. */
  close(): Promise<void>;
}

/** UTF-16 units of an answer that an agent is shown, at most. */
export const mostCharacters = 20_000;

/** The text, cut in its middle where it is too long: an error often stands at the end. */
export function bounded(text: string, most = mostCharacters): string {
  if (text.length <= most) return text;
  const half = Math.floor(most / 2);
  const cut = text.length - 2 * half;
  return `${text.slice(0, half).toWellFormed()}\n[... ${cut} characters left out ...]\n${text.slice(-half).toWellFormed()}`;
}
