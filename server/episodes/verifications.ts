/** Scores answers without an episode. The environment's verifier runs on the hosts where episodes run. */
import type { AnyEnvironmentSpec, Options, Submission } from "../../envs/env.js";
import { type Registry, versionedId } from "../../envs/registry.js";
import { type ErrorCode, GymError } from "../errors.js";
import type { HostPool } from "../hosts/pool.js";
import { type Fault, type Slot, UnplayedSlotListener } from "../hosts/slot.js";
import type { Availability } from "./episode/availability.js";
import type { Client } from "./episode/client.js";
import { Losses } from "./episode/losses.js";
import { optionsOf, specOf, taskOf } from "./episode/tasks.js";
import type { Caller } from "./questions.js";
import { FairQueue } from "./quotas/fair-queue.js";
import { Shares } from "./quotas/shares.js";

export interface RewardRequest {
  /** `id` or `id@version` */
  environment: string;
  /** Options that are not given have the environment's defaults. */
  options?: Options | undefined;
  answers: readonly AnswerToScore[];
}

export interface AnswerToScore {
  /** Task to score. Default split: that of the environment. */
  task: { split?: string | undefined; index: number };
  answer: string;
  steps?: number | undefined;
  tokens?: number | undefined;
}

export interface VerificationLimits {
  /** Limit on the UTF-16 code units of an answer. */
  maxActionLength: number;
  /** Limit on the number of answers of all callers that wait for their verdict. Callers share it, see `Places`. */
  maxInFlightSteps: number;
}

/** Largest number of answers in one command. A step that is queued after the command waits for all of its verdicts. */
const answersPerCommand = 16;

/** Largest number of commands that the process handles at the same time for one async environment. */
const asyncAtOnce = 16;

/** Number of hosts that may end during a command before the gym stops trying the command. */
const mostLosses = 3;

interface Place {
  at: number;
  submission: Submission;
}

export class Verifications {
  private readonly inThreads: FairQueue;
  /** Queues by async environment. A slow verifier therefore delays no other environment. */
  private readonly inProcess = new Map<string, FairQueue>();
  /** Places of the answers that wait for their verdict. */
  private readonly shares: Shares;

  constructor(
    private readonly parts: {
      registry: Registry;
      availability: Availability;
      hosts: Pick<HostPool, "verify">;
      /** Number of worker threads. */
      threads: number;
      limits: VerificationLimits;
      onScored(environment: string, count: number): void;
      /** Called when the environment failed while it scored an answer. */
      onThrown(environment: string, error: GymError): void;
    },
  ) {
    this.shares = new Shares(parts.limits.maxInFlightSteps);
    // Each thread gets two commands, so that it has work while its next command is on its way.
    this.inThreads = new FairQueue(2 * parts.threads);
  }

  /**
   * Scores answers. Returns one outcome per answer, in the order of the request. An outcome is the JSON text of a
   * verdict, or an error if the answer has no task, is too long, or makes the verifier fail.
   *
   * @param caller owner of the answers. With the expert's right, the verdicts tell the right answers.
   * @param client client that waits. Answers that are not scored when it has gone are dropped.
   * @throws {GymError} ENVIRONMENT_UNKNOWN, ENVIRONMENT_UNAVAILABLE, VERIFIER_MISSING, OPTION_UNKNOWN, LIMIT_IN_FLIGHT
   */
  async score(
    { owner, mayAskExpert }: Caller,
    request: RewardRequest,
    client: Client,
  ): Promise<{ environment: string; outcomes: (string | GymError)[] }> {
    const spec = specOf(this.parts.registry, request.environment);
    if (!spec.verify) throw GymError.ofState("VERIFIER_MISSING", `The environment ${spec.id} has no verifier.`);
    const options = optionsOf(spec, request.options ?? {});
    await this.parts.availability.check(spec);
    const environment = versionedId(spec);
    const { answers } = request;
    this.admit(owner, answers.length);
    const batch = new Batch(owner, environment, mayAskExpert);
    const removeListener = client.onGone(() => batch.drop());
    try {
      const outcomes = await this.outcomesOf(batch, spec, options, answers);
      if (!batch.isDropped) this.parts.onScored(environment, answers.length);
      return { environment, outcomes };
    } finally {
      removeListener();
      this.shares.give(owner, answers.length);
    }
  }

  /** @throws {GymError} LIMIT_IN_FLIGHT */
  private admit(owner: string, wanted: number): void {
    const { shares } = this;
    if (shares.take(owner, wanted)) return;
    const received = `${wanted} answers while ${shares.taken} are in flight, ${shares.of(owner)} of them of this caller`;
    throw new GymError("LIMIT_IN_FLIGHT", `a share of ${shares.count} answers in flight`, received);
  }

  private async outcomesOf(
    batch: Batch,
    spec: AnyEnvironmentSpec,
    options: Options,
    answers: readonly AnswerToScore[],
  ): Promise<(string | GymError)[]> {
    const outcomes: (string | GymError)[] = [];
    const places: Place[] = [];
    for (const [at, answer] of answers.entries()) {
      const submission = this.submissionOf(spec, options, answer);
      if (submission instanceof GymError) outcomes[at] = submission;
      else places.push({ at, submission });
    }
    const queue = spec.isAsync ? this.queueOf(batch.environment) : this.inThreads;
    // Async verifiers mostly wait for external services, so their answers are spread over as many commands as may run at
    // once.
    const size = spec.isAsync ? Math.ceil(places.length / asyncAtOnce) : answersPerCommand;
    const verified = commandsOf(places, Math.min(size, answersPerCommand)).map(async (command) => {
      const submissions = command.map(({ submission }) => submission);
      const verdicts = await queue.run(batch.owner, () => this.verdictsOn(batch, submissions));
      for (const [i, { at }] of command.entries()) outcomes[at] = verdicts[i] as string | GymError;
    });
    await Promise.all(verified);
    if (places.length > 1) await this.scoreLostAgain(batch, queue, places, outcomes);
    return outcomes;
  }

  private queueOf(environment: string): FairQueue {
    const queue = this.inProcess.get(environment) ?? new FairQueue(asyncAtOnce);
    this.inProcess.set(environment, queue);
    return queue;
  }

  /**
   * Scores again, one at a time, the answers whose host ended. An answer that ends its host also ends the commands of
   * other answers on that host.
   */
  private async scoreLostAgain(
    batch: Batch,
    queue: FairQueue,
    places: readonly Place[],
    outcomes: (string | GymError)[],
  ): Promise<void> {
    for (const { at, submission } of places) {
      const outcome = outcomes[at];
      if (!(outcome instanceof GymError) || outcome.code !== "HOST_FAILED") continue;
      const [again] = await queue.run(batch.owner, () => this.verdictsOn(batch, [submission]));
      outcomes[at] = again as string | GymError;
    }
  }

  private submissionOf(spec: AnyEnvironmentSpec, options: Options, asked: AnswerToScore): Submission | GymError {
    const { answer, steps, tokens } = asked;
    const most = this.parts.limits.maxActionLength;
    if (answer.length > most)
      return new GymError("ACTION_TOO_LARGE", `an answer of at most ${most} characters`, `${answer.length}`);
    try {
      const counts = { ...(steps !== undefined && { steps }), ...(tokens !== undefined && { tokens }) };
      return { task: taskOf(spec, asked.task), options, answer: answer.toWellFormed(), ...counts };
    } catch (error) {
      if (error instanceof GymError) return error;
      throw error;
    }
  }

  /**
   * Sends one command. If an answer makes the command fail, every answer of the command is scored again in a separate
   * command.
   */
  private async verdictsOn(batch: Batch, submissions: readonly Submission[]): Promise<(string | GymError)[]> {
    if (batch.isDropped) return submissions.map(unheard);
    const { environment, tellsExpected } = batch;
    try {
      return await new Promise<string[]>((resolve, reject) => {
        const send = (listener: Verification) =>
          this.parts.hosts.verify({ environment, submissions, tellsExpected }, listener);
        new Verification(send, resolve, reject, batch.running);
      });
    } catch (error) {
      if (!(error instanceof GymError)) throw error;
      if (submissions.length === 1) {
        if (error.failureClass === "environment") this.parts.onThrown(environment, error);
        return [error];
      }
      const outcomes: (string | GymError)[] = [];
      // The answers are scored one at a time, since an answer that ends its host must not lose the other answers again.
      for (const submission of submissions) outcomes.push(...(await this.verdictsOn(batch, [submission])));
      return outcomes;
    }
  }
}

/** @param size number of answers per command; 0 is allowed only for an empty list */
function commandsOf(places: readonly Place[], size: number): Place[][] {
  const count = places.length === 0 ? 0 : Math.ceil(places.length / size);
  return Array.from({ length: count }, (_, i) => places.slice(i * size, (i + 1) * size));
}

/** The running commands of one request. */
class Batch {
  readonly running = new Set<Verification>();
  isDropped = false;

  constructor(
    readonly owner: string,
    readonly environment: string,
    readonly tellsExpected: boolean,
  ) {}

  /** Called when the caller has disconnected. */
  drop(): void {
    this.isDropped = true;
    for (const verification of [...this.running]) verification.drop();
  }
}

/** Outcome of a dropped answer, which no caller receives. */
function unheard(): GymError {
  return GymError.ofState("EPISODE_CLOSED", "The client disconnected before the verdict was ready.");
}

/** One command to score answers. The command is sent again if its host ends because of another slot. */
class Verification extends UnplayedSlotListener {
  private readonly losses = new Losses(mostLosses, "scoring the answer");
  private slot: Slot | undefined;

  /** @param running set that contains the command while it runs */
  constructor(
    private readonly send: (listener: Verification) => Slot,
    private readonly resolve: (verdicts: string[]) => void,
    private readonly fail: (error: GymError) => void,
    private readonly running: Set<Verification>,
  ) {
    super();
    running.add(this);
    this.begin();
  }

  /** Drops the command and aborts its work on the host. */
  drop(): void {
    this.slot?.close();
    this.reject(unheard());
  }

  override onAnswered(verdicts: string | null): void {
    this.running.delete(this);
    this.resolve((verdicts as string).split("\n"));
  }

  onOpened(): void {
    throw new Error("The host opened an episode in a slot for verdicts.");
  }

  onFailed(code: ErrorCode, detail: string, trace?: string): void {
    this.reject(GymError.ofEnvironment(code, "a verdict from the environment", detail, trace));
  }

  onUnlogged(error: GymError): void {
    this.reject(error);
  }

  onLost(fault: Fault): void {
    const verdict = this.losses.verdictOn(fault);
    if (verdict === "again") this.begin();
    else if (verdict instanceof GymError) this.reject(verdict);
    else this.onFailed(verdict.code, verdict.detail);
  }

  private reject(error: GymError): void {
    this.running.delete(this);
    this.fail(error);
  }

  private begin(): void {
    try {
      this.slot = this.send(this);
    } catch (error) {
      this.reject(error as GymError);
    }
  }
}
