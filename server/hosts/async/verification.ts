import type { AnswerReward, AsyncEnvironmentSpec, Submission } from "../../../envs/env.js";
import type { GymError } from "../../errors.js";
import type { VerifyRequest } from "../protocol.js";
import { SlotFailure, verdictText } from "../reply-text.js";
import { BoundedCall } from "./bounded-call.js";
import { addFailure, type InstanceHost, unwanted } from "./instance.js";

/**
 * Scores answers with the verifier of an async environment, one after another. The environment's deadline applies to
 * each call.
 */
export class AsyncVerification {
  private running: BoundedCall<AnswerReward | undefined> | null = null;
  private readonly done: Promise<void>;
  private isOver = false;

  constructor(
    private readonly slot: number,
    private readonly request: VerifyRequest,
    private readonly spec: AsyncEnvironmentSpec,
    private readonly host: InstanceHost,
  ) {
    this.done = host.running.run(slot, () => this.run());
  }

  /** Aborts the running call. The call fails with `reason`. */
  abort(reason: GymError): void {
    this.running?.abort(reason);
  }

  /** Fails the verification because of an error outside of any call, for example in a timer. */
  fail(error: unknown): void {
    this.end(SlotFailure.thrown(error, "outside of any call: "));
  }

  /** Ends the verification without a result. */
  close(): void {
    if (this.isOver) return;
    this.isOver = true;
    this.running?.abort(unwanted());
    this.host.onOver(this.slot, this.done);
  }

  private async run(): Promise<void> {
    try {
      await this.host.room();
      const verdicts: string[] = [];
      const { submissions, tellsExpected } = this.request;
      for (const submission of submissions) {
        verdicts.push(verdictText(await this.verdictOn(submission), this.host.maxReplyLength, tellsExpected));
        if (this.isOver) return;
      }
      this.host.results.add({ type: "verified", slot: this.slot, verdicts: verdicts.join("\n") });
      this.close();
      this.host.report();
    } catch (error) {
      this.end(error);
    }
  }

  private async verdictOn(submission: Submission): Promise<AnswerReward | undefined> {
    const { spec, host } = this;
    const deadlineMs = Math.max(host.stepDeadlineMs, spec.deadlineMs ?? 0);
    this.running = new BoundedCall(deadlineMs, async (signal) => spec.verify?.(submission, signal));
    try {
      return await this.running.result;
    } finally {
      this.running = null;
    }
  }

  private end(error: unknown): void {
    if (this.isOver) return;
    addFailure(this.host, this.request.environment, this.slot, error);
    this.close();
    this.host.report();
  }
}
