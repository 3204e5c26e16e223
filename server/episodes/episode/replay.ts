/**
 * Plays an episode again in a fresh instance, and compares each result with the log, byte for byte. The replay changes
 * neither the log nor the episode.
 */
import { type ErrorCode, GymError } from "../../errors.js";
import type { Difference, OpenRequest, PlayedStep } from "../../hosts/protocol.js";
import { type Fault, type Slot, UnplayedSlotListener } from "../../hosts/slot.js";
import type { EpisodeRow } from "../../log/records/protocol.js";
import type { LoggedStep } from "../../log/records/step-page.js";
import type { RestoreServices } from "./restore.js";
import { readResetResult } from "./results.js";
import { openRequestOf } from "./settings.js";

/** Outcome of one result of the episode. */
export interface ReplayedResult {
  /** Index of the step, or null for the reset. */
  index: number | null;
  equal: boolean;
  /** JSON text in the log. Present with a difference. */
  logged?: string;
  /** JSON text that the replay gave. Present with a difference. */
  replayed?: string;
  /** Present if the step got answers from services outside the gym. The replay used the answers in the log. */
  recorded?: true;
}

/** Milliseconds that one chunk of steps should take, so that the caller sees progress. */
const chunkMs = 100;
/** Largest number of steps of a chunk. */
const longestChunk = 256;
/** Limit on the characters of a chunk that has more than one step. */
const chunkCharacters = 2 ** 18;

export class Replay {
  private readonly instance: ReplayInstance;
  private readonly deadline: NodeJS.Timeout;

  /**
   * @param steps number of steps to replay
   * @param limitMs milliseconds after which the replay ends with REPLAY_TIMEOUT
   */
  constructor(
    private readonly row: EpisodeRow,
    private readonly steps: number,
    private readonly services: RestoreServices,
    limitMs: number,
  ) {
    this.instance = new ReplayInstance(services);
    this.deadline = setTimeout(() => {
      this.instance.end(GymError.ofState("REPLAY_TIMEOUT", `The replay took longer than ${limitMs / 1_000} seconds.`));
    }, limitMs);
    this.deadline.unref();
  }

  /**
   * Yields the outcome of the reset and of each step, and ends after the first difference.
   *
   * @throws {GymError} REPLAY_TIMEOUT, EPISODE_CLOSED after `cancel`, and the errors of the environment, its host and the log
   */
  async *run(): AsyncGenerator<ReplayedResult> {
    try {
      const logged = await readResetResult(this.services.log, this.row);
      // Without the logged reset result, the host does not compare the new one.
      const replayed = await this.instance.open(openRequestOf(this.row, ""));
      yield outcome(null, logged, replayed, "");
      if (logged === replayed) yield* this.runSteps();
    } finally {
      clearTimeout(this.deadline);
      this.instance.close();
    }
  }

  /** Ends the replay, for example because nobody waits for it any more. */
  cancel(): void {
    this.instance.end(GymError.ofState("EPISODE_CLOSED", "The client disconnected before the replay was over."));
  }

  private async *runSteps(): AsyncGenerator<ReplayedResult> {
    let size = 1;
    for (let at = 0; at < this.steps; ) {
      const history = await this.read(at, Math.min(size, this.steps - at));
      const begun = performance.now();
      const difference = await this.instance.prove(history);
      const tookMs = performance.now() - begun;
      for (const [i, { reply, answers }] of history.entries()) {
        const differs = difference?.index === at + i;
        yield outcome(at + i, reply, differs ? difference.reply : reply, answers);
        if (differs) return;
      }
      at += history.length;
      size = tookMs < chunkMs ? Math.min(longestChunk, size * 2) : Math.max(1, size >> 1);
    }
  }

  /** @throws {GymError} LOG_FAILED */
  private async read(from: number, count: number): Promise<LoggedStep[]> {
    const history = await this.services.log.call("readSteps", this.row.key, from, count, chunkCharacters);
    if (history.length === 0) throw GymError.ofState("LOG_FAILED", `Step ${from} is missing in the log.`);
    return history;
  }
}

function outcome(index: number | null, logged: string, replayed: string, answers: string): ReplayedResult {
  const equal = logged === replayed;
  return { index, equal, ...(!equal && { logged, replayed }), ...(answers !== "" && { recorded: true }) };
}

/** The instance of a replay. It performs one command at a time. */
class ReplayInstance extends UnplayedSlotListener {
  private slot: Slot | null = null;
  private waiter: { resolve(value: string | Difference | undefined): void; reject(error: GymError): void } | null =
    null;
  private failure: GymError | null = null;

  constructor(private readonly services: RestoreServices) {
    super();
  }

  /** Returns the JSON text of the reset result. */
  open(request: OpenRequest): Promise<string> {
    return this.perform(() => {
      this.slot = this.services.open(request, this);
    }) as Promise<string>;
  }

  prove(history: readonly PlayedStep[]): Promise<Difference | undefined> {
    return this.perform(() => this.slot?.prove(history)) as Promise<Difference | undefined>;
  }

  /** Ends the instance. The running command and all later ones fail. */
  end(error: GymError): void {
    this.failure ??= error;
    this.close();
    this.waiter?.reject(this.failure);
    this.waiter = null;
  }

  close(): void {
    this.slot?.close();
    this.slot = null;
  }

  onOpened(resetResult: string): void {
    this.waiter?.resolve(resetResult);
  }

  override onReplayed(difference?: Difference): void {
    this.waiter?.resolve(difference);
  }

  onFailed(code: ErrorCode, detail: string, trace?: string): void {
    this.end(GymError.ofEnvironment(code, "the results in the log", detail, trace));
  }

  onUnlogged(error: GymError): void {
    this.end(error);
  }

  onLost(fault: Fault): void {
    if (fault instanceof GymError) return this.end(fault);
    this.end(GymError.ofState("HOST_FAILED", "The host of the replay ended. Start the replay again."));
  }

  private perform(command: () => void): Promise<string | Difference | undefined> {
    return new Promise((resolve, reject) => {
      if (this.failure) return reject(this.failure);
      this.waiter = { resolve, reject };
      try {
        command();
      } catch (error) {
        reject(error);
      }
    });
  }
}
