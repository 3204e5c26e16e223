import type { AsyncEnvironment, ResetRequest, ResetResult, StepResult } from "../env.js";
import { ServiceFailed } from "../errors.js";
import { TooLate, within } from "../shared/tools/deadline.js";
import type { Facts, RemoteEpisode } from "./remote.js";

export interface Source {
  readonly name: string;
  /** Time limit of a call in milliseconds. */
  readonly timeoutMs: number;
  /** Returns the facts about the remote, and asks the remote for them if it has not answered yet. */
  facts(signal: AbortSignal): Promise<Facts>;
  open(facts: Facts): RemoteEpisode;
}

/** An episode that another server or process plays. */
export class MountedEnvironment implements AsyncEnvironment {
  private remote: RemoteEpisode | undefined;

  constructor(private readonly source: Source) {}

  reset(request: ResetRequest, signal: AbortSignal): Promise<ResetResult> {
    return this.bounded(signal, async (inner) => {
      const facts = await this.source.facts(inner);
      this.remote ??= this.source.open(facts);
      return this.remote.reset(request, inner);
    });
  }

  step(action: string, signal: AbortSignal): Promise<StepResult> {
    // Half of a surrogate pair has no form in UTF-8, and many servers fail on it. It is sent as U+FFFD.
    const sendable = Buffer.from(action).toString();
    return this.bounded(signal, (inner) => (this.remote as RemoteEpisode).step(sendable, inner));
  }

  async close(): Promise<void> {
    await this.remote?.close();
  }

  /** Runs a call with the time limit of the mount. A remote that does not answer in time has failed. */
  private async bounded<T>(signal: AbortSignal, call: (signal: AbortSignal) => Promise<T>): Promise<T> {
    const { name, timeoutMs } = this.source;
    try {
      return await within(timeoutMs, signal, call);
    } catch (error) {
      if (!(error instanceof TooLate)) throw error;
      throw new ServiceFailed(`an answer of the remote of ${name}`, error.message, error);
    }
  }
}
