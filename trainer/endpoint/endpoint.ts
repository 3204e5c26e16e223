/**
 * A server over the native engine with the APIs of OpenAI and Anthropic. Each rollout has its own base URL, so an agent framework can be
 * trained or evaluated without a change to its code.
 */

import type { FastifyInstance } from "fastify";
import { TrainerError } from "../errors.js";
import { buildApp } from "./app.js";
import type { RewardedFiles } from "./rewarded-files.js";
import { Rollouts, type RolloutsOptions } from "./rollouts.js";
import { Traffic } from "./traffic.js";

export interface EndpointOptions extends RolloutsOptions {
  readonly host: string;
  /** TCP port; 0 selects a free port. */
  readonly port: number;
  /** Milliseconds that a conversation without a claimed rollout waits for a reward. */
  readonly rewardMs: number;
  /** Files of rewarded conversations; undefined if they are not kept. */
  readonly files?: RewardedFiles | undefined;
  /**
   * Returns whether tokens of a policy version would be too old for the train step that uses the next group.
   *
   * @param freeSeats number of seats that no group has
   */
  isTooOld(version: number, freeSeats: number): boolean;
}

/** Milliseconds that callers have to read their last replies when the endpoint closes. */
const closingMs = 5_000;

export class Endpoint {
  readonly rollouts: Rollouts;
  /** Calls without a claimed rollout; undefined if the run compares several rollouts of a task. */
  readonly traffic: Traffic | undefined;
  private readonly app: FastifyInstance;
  private closing: Promise<void> | undefined;

  constructor(private readonly options: EndpointOptions) {
    this.rollouts = new Rollouts(options);
    this.traffic = options.groupSize === 1 ? this.openTraffic() : undefined;
    this.app = buildApp(this.rollouts, this.traffic ?? options, options.apiKey);
  }

  /** Starts to listen. @returns the URL of the endpoint @throws {TrainerError} ADDRESS_UNUSABLE */
  async listen(): Promise<string> {
    const { host, port } = this.options;
    try {
      this.rollouts.url = await this.app.listen({ host, port });
    } catch (error) {
      throw new TrainerError(
        "ADDRESS_UNUSABLE",
        `expected to listen at ${host}, port ${port}, but received: ${(error as Error).message}`,
      );
    }
    return this.rollouts.url;
  }

  /** Ends all rollouts, sends the last replies and closes the server. */
  close(): Promise<void> {
    this.closing ??= this.shutDown();
    return this.closing;
  }

  private async shutDown(): Promise<void> {
    this.rollouts.close();
    this.traffic?.close();
    // A connection closes after its last reply. A caller that does not read its reply is disconnected after `closingMs`.
    const idle = setInterval(() => this.app.server.closeIdleConnections(), 20);
    const impatient = setTimeout(() => this.app.server.closeAllConnections(), closingMs);
    await this.app.close();
    clearInterval(idle);
    clearTimeout(impatient);
  }

  private openTraffic(): Traffic {
    const { rollouts, options } = this;
    const traffic = new Traffic({
      ...options,
      files: options.files,
      isTooOld: (version) => options.isTooOld(version, rollouts.freeSeats),
      fill: (task, rows) => rollouts.fill(task, rows),
    });
    rollouts.onFree = () => traffic.deliver();
    return traffic;
  }
}
