/** Forwards ports of this machine's loopback address to ports of programs in a sandbox. */
import { type AddressInfo, createServer, type Server, type Socket } from "node:net";
import { pipeline } from "node:stream";
import { setTimeout as sleep } from "node:timers/promises";
import { type Address, SandboxError } from "../sandbox.js";
import type { Relay } from "./relay.js";

const host = "127.0.0.1";
const mostListeningMs = 5_000;

export class Ports {
  private readonly opened = new Map<number, Promise<Address>>();
  private readonly servers = new Set<Server>();
  private readonly sockets = new Set<Socket>();
  private relay: Relay | undefined;
  private isClosed = false;

  constructor(private readonly startRelay: () => Relay) {}

  /**
   * Waits until a program listens on the port, and returns the port's address on this machine. @throws {SandboxError}
   * REFUSED, TIMEOUT, LOST
   */
  open(port: number | undefined): Promise<Address> {
    if (port === undefined || !Number.isInteger(port) || port < 1 || port > 65_535)
      return Promise.reject(new SandboxError("REFUSED", "a port from 1 to 65535", `${port}`));
    const known = this.opened.get(port);
    if (known) return known;
    const opening = this.openNew(port).catch((error) => {
      this.opened.delete(port);
      throw error;
    });
    this.opened.set(port, opening);
    return opening;
  }

  close(): void {
    this.isClosed = true;
    this.relay?.close();
    for (const server of this.servers) server.close();
    for (const socket of this.sockets) socket.destroy();
  }

  private async openNew(port: number): Promise<Address> {
    await this.whenListening(port);
    const server = createServer({ allowHalfOpen: true }, (socket) => void this.serve(socket, port));
    this.servers.add(server);
    await new Promise<void>((resolve, reject) => {
      server.once("error", reject);
      server.listen(0, host, resolve);
    });
    if (this.isClosed) server.close();
    return { host, port: (server.address() as AddressInfo).port };
  }

  private async whenListening(port: number): Promise<void> {
    for (const until = performance.now() + mostListeningMs; ; ) {
      try {
        (await this.running().connect(port)).destroy();
        return;
      } catch (error) {
        if ((error as SandboxError).code !== "REFUSED") throw error;
        if (performance.now() > until)
          throw SandboxError.ofState("TIMEOUT", `No program listened on port ${port} within ${mostListeningMs} ms.`);
      }
      await sleep(50);
    }
  }

  /** Returns a running relay. A program in the sandbox may have ended the previous relay. */
  private running(): Relay {
    if (!this.relay || this.relay.isOver) this.relay = this.startRelay();
    return this.relay;
  }

  private async serve(socket: Socket, port: number): Promise<void> {
    this.sockets.add(socket);
    socket.once("close", () => this.sockets.delete(socket));
    socket.on("error", () => {});
    try {
      const connection = await this.running().connect(port);
      // `pipeline` closes both ends when one fails.
      pipeline(socket, connection, socket, () => {});
    } catch {
      socket.destroy();
    }
  }
}
