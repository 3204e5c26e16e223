/** Answers that are scored without an episode, by their environment's verifier, on the hosts where episodes run. */
import type { AnyEnvironmentSpec, Options, Submission } from "../../envs/env.js";
import { type Registry, versionedId } from "../../envs/registry.js";
import { type ErrorCode, GymError } from "../errors.js";
import type { Availability } from "./availability.js";
import { FairQueue } from "./fair-queue.js";
import type { HostPool } from "./host-pool.js";
import { Losses } from "./losses.js";
import { type Fault, UnplayedSlotListener } from "./slot.js";
import { optionsOf, specOf, taskOf } from "./tasks.js";

export interface RewardRequest {
  /** `id` or `id@version` */
  environment: string;
  /** The environment's defaults for what it leaves out. */
  options?: Options | undefined;
  answers: readonly AnswerToScore[];
}

export interface AnswerToScore {
  /** The split defaults to the environment's first. */
  task: { split?: string | undefined; index: number };
  answer: string;
  steps?: number | undefined;
  tokens?: number | undefined;
}

export interface VerificationLimits {
  /** UTF-16 units of an answer. */
  maxActionLength: number;
  /** Answers that wait for their verdict, over all callers. */
  maxInFlightSteps: number;
}

/** Answers that one command holds: a step that comes behind it waits for so many verdicts. */
const answersPerCommand = 16;

/** Commands that an async environment's process has at a time. */
const asyncAtOnce = 16;

/** Hosts that may end under a command, by no known fault of another, before it is given up. */
const mostLosses = 3;

interface Place {
  at: number;
  submission: Submission;
}

export class Verifications {
  private readonly inThreads: FairQueue;
  private readonly inProcess = new FairQueue(asyncAtOnce);
  private waiting = 0;

  constructor(
    private readonly parts: {
      registry: Registry;
      availability: Availability;
      hosts: Pick<HostPool, "verify">;
      /** Worker threads. */
      threads: number;
      limits: VerificationLimits;
      onScored(environment: string, count: number): void;
    },
  ) {
    // Two for each, so that none runs dry while the next is on its way.
    this.inThreads = new FairQueue(2 * parts.threads);
  }

  /**
   * Scores answers. Each has an outcome of its own, in the order of the request: JSON text of a verdict, or the error of
   * one that has no task, is too long, or that the verifier failed at.
   *
   * @throws {GymError} ENVIRONMENT_UNKNOWN, ENVIRONMENT_UNAVAILABLE, VERIFIER_MISSING, OPTION_UNKNOWN, LIMIT_IN_FLIGHT
   */
  async score(
    owner: string,
    request: RewardRequest,
  ): Promise<{ environment: string; outcomes: (string | GymError)[] }> {
    const spec = specOf(this.parts.registry, request.environment);
    if (!spec.verify) throw new GymError("VERIFIER_MISSING", "an environment with a verifier", spec.id);
    const options = optionsOf(spec, request.options ?? {});
    await this.parts.availability.check(spec);
    const environment = versionedId(spec);
    const { answers } = request;
    this.admit(answers.length);
    try {
      const outcomes = await this.outcomesOf(owner, spec, environment, options, answers);
      this.parts.onScored(environment, answers.length);
      return { environment, outcomes };
    } finally {
      this.waiting -= answers.length;
    }
  }

  private admit(count: number): void {
    const most = this.parts.limits.maxInFlightSteps;
    if (this.waiting + count > most)
      throw new GymError("LIMIT_IN_FLIGHT", `at most ${most} answers in flight`, `${count} more than ${this.waiting}`);
    this.waiting += count;
  }

  private async outcomesOf(
    owner: string,
    spec: AnyEnvironmentSpec,
    environment: string,
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
    const queue = spec.isAsync ? this.inProcess : this.inThreads;
    const verified = commandsOf(places).map(async (command) => {
      const submissions = command.map(({ submission }) => submission);
      const verdicts = await queue.run(owner, () => this.verdictsOn(environment, submissions));
      for (const [i, { at }] of command.entries()) outcomes[at] = verdicts[i] as string | GymError;
    });
    await Promise.all(verified);
    return outcomes;
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

  /** Where a command fails by one of its answers, each is scored by itself: the others lose nothing. */
  private async verdictsOn(environment: string, submissions: readonly Submission[]): Promise<(string | GymError)[]> {
    try {
      return await new Promise<string[]>((resolve, reject) => {
        const send = (listener: Verification) => this.parts.hosts.verify({ environment, submissions }, listener);
        new Verification(send, resolve, reject);
      });
    } catch (error) {
      if (!(error instanceof GymError)) throw error;
      if (submissions.length === 1) return [error];
      const outcomes: (string | GymError)[] = [];
      // In turn: one that ends its host must not take the others with it again.
      for (const submission of submissions) outcomes.push(...(await this.verdictsOn(environment, [submission])));
      return outcomes;
    }
  }
}

function commandsOf(places: readonly Place[]): Place[][] {
  const count = Math.ceil(places.length / answersPerCommand);
  return Array.from({ length: count }, (_, i) => places.slice(i * answersPerCommand, (i + 1) * answersPerCommand));
}

/** One command, which is sent again where its host ends by the fault of another. */
class Verification extends UnplayedSlotListener {
  private readonly losses = new Losses(mostLosses, "a host that scores the answer");

  constructor(
    private readonly send: (listener: Verification) => void,
    private readonly resolve: (verdicts: string[]) => void,
    private readonly reject: (error: GymError) => void,
  ) {
    super();
    this.begin();
  }

  override onAnswered(verdicts: string | null): void {
    this.resolve((verdicts as string).split("\n"));
  }

  onOpened(): void {
    throw new Error("expected verdicts, but received an opening");
  }

  onFailed(code: ErrorCode, detail: string): void {
    this.reject(new GymError(code, "the environment to score the answer", detail));
  }

  onUnlogged(error: GymError): void {
    this.reject(error);
  }

  onLost(fault: Fault): void {
    const verdict = this.losses.judge(fault);
    if (verdict === "again") this.begin();
    else if (verdict instanceof GymError) this.reject(verdict);
    else this.onFailed(verdict.code, verdict.detail);
  }

  private begin(): void {
    try {
      this.send(this);
    } catch (error) {
      this.reject(error as GymError);
    }
  }
}
