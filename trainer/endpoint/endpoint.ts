/**
 * A server over the native engine with the APIs of OpenAI and Anthropic. Each rollout has its own base URL, so an agent framework can be
 * trained or evaluated without a change to its code.
 */

import type { FastifyInstance } from "fastify";
import { TrainerError } from "../errors.js";
import { buildApp } from "./app.js";
import { Rollouts, type RolloutsOptions } from "./rollouts.js";

export interface EndpointOptions extends RolloutsOptions {
  readonly host: string;
  /** TCP port; 0 selects a free port. */
  readonly port: number;
}

/** Milliseconds that callers have to read their last replies when the endpoint closes. */
const closingMs = 5_000;

export class Endpoint {
  readonly rollouts: Rollouts;
  private readonly app: FastifyInstance;
  private closing: Promise<void> | undefined;

  constructor(private readonly options: EndpointOptions) {
    this.rollouts = new Rollouts(options);
    this.app = buildApp(this.rollouts, options.apiKey);
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
    // A connection closes after its last reply. A caller that does not read its reply is disconnected after `closingMs`.
    const idle = setInterval(() => this.app.server.closeIdleConnections(), 20);
    const impatient = setTimeout(() => this.app.server.closeAllConnections(), closingMs);
    await this.app.close();
    clearInterval(idle);
    clearTimeout(impatient);
  }
}
