/**
 * Network access of a sandbox that has a list of hosts. The sandbox itself has no network. A port in the sandbox is
 * connected to an egress proxy of the gym, which connects only to the listed hosts. Programs find the port through
 * environment variables such as HTTP_PROXY.
 */
import { connect } from "node:net";
import { type Duplex, pipeline } from "node:stream";
import { EgressProxy } from "../egress/egress-proxy.js";
import { HostList } from "../egress/hosts.js";
import type { AgentClient, AgentCommand } from "./agent-client.js";
import { Relay } from "./relay.js";

const port = 3128;
const address = `http://127.0.0.1:${port}`;
/** Milliseconds until a relay is restarted after a program in the sandbox has ended it. */
const restMs = 1_000;
const mostRestMs = 60_000;

export class WayOut {
  /** Proxy variables for every command of the sandbox. */
  static readonly environment: Readonly<Record<string, string>> = {
    ...Object.fromEntries(["http_proxy", "https_proxy", "HTTP_PROXY", "HTTPS_PROXY"].map((name) => [name, address])),
    ...Object.fromEntries(["no_proxy", "NO_PROXY"].map((name) => [name, "localhost,::1"])),
  };

  private relay: Relay | undefined;
  private isClosed = false;

  private constructor(private readonly proxy: EgressProxy) {}

  /** @throws {SandboxError} REFUSED for an invalid entry of the list */
  static async open(hosts: readonly string[]): Promise<WayOut> {
    const list = new HostList(hosts);
    const proxy = await EgressProxy.open();
    proxy.hosts = list;
    return new WayOut(proxy);
  }

  /** Starts the relay, and resolves when programs can use it. @throws {SandboxError} TIMEOUT, LOST */
  async lead(agent: AgentClient, command: AgentCommand, program: string): Promise<void> {
    const relay = new Relay(agent, command, program, { port, onConnection: (connection) => this.pass(connection) });
    this.relay = relay;
    try {
      await relay.whenReady();
    } catch (error) {
      relay.close();
      throw error;
    }
    relay.onceOver(() => this.leadAgain(agent, command, program));
  }

  async close(): Promise<void> {
    this.isClosed = true;
    this.relay?.close();
    await this.proxy.close();
  }

  private leadAgain(agent: AgentClient, command: AgentCommand, program: string, afterMs = restMs): void {
    const again = () => {
      if (this.isClosed || agent.lost.aborted) return;
      const later = Math.min(mostRestMs, 2 * afterMs);
      this.lead(agent, command, program).catch(() => this.leadAgain(agent, command, program, later));
    };
    setTimeout(again, afterMs).unref();
  }

  private pass(connection: Duplex): void {
    if (this.isClosed) return void connection.destroy();
    const socket = connect(this.proxy.port, "127.0.0.1");
    // `pipeline` closes both ends when one fails.
    pipeline(connection, socket, connection, () => socket.destroy());
  }
}
