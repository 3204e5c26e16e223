/** A TCP relay between a gym and its database, which can fail like a network. */
import { type AddressInfo, connect, createServer, type Server, type Socket } from "node:net";

/** `open` passes bytes on, `silent` holds them back, and `closed` ends all connections and refuses new ones. */
export type RelayMode = "open" | "silent" | "closed";

export class Relay {
  private mode: RelayMode = "open";
  private readonly sockets = new Set<Socket>();
  /** Returns whether to hold back a packet from a gym, and all later packets of its connection. */
  stalls: (sent: Buffer) => boolean = () => false;

  private constructor(
    private readonly listener: Server,
    private target: number,
  ) {}

  /** @param target port of the database */
  static async start(target: number): Promise<Relay> {
    const listener = createServer();
    const relay = new Relay(listener, target);
    listener.on("connection", (client) => relay.join(client));
    await new Promise<void>((resolve) => listener.listen(0, "127.0.0.1", resolve));
    return relay;
  }

  get port(): number {
    return (this.listener.address() as AddressInfo).port;
  }

  switchMode(mode: RelayMode): void {
    this.mode = mode;
    if (mode === "closed") return this.cut();
    for (const socket of this.sockets) mode === "silent" ? socket.pause() : socket.resume();
  }

  /** Ends all connections, and connects later ones to another port. */
  switchTarget(port: number): void {
    this.target = port;
    this.cut();
  }

  stop(): void {
    this.listener.close();
    this.cut();
  }

  private cut(): void {
    for (const socket of this.sockets) socket.destroy();
  }

  private join(client: Socket): void {
    if (this.mode === "closed") return void client.destroy();
    const server = connect(this.target, "127.0.0.1");
    for (const [from, to] of [
      [client, server],
      [server, client],
    ] as const) {
      this.sockets.add(from);
      from.setNoDelay(true).on("data", (data) => {
        if (from === client && this.stalls(data)) client.pause();
        else to.write(data);
      });
      from.on("error", () => to.destroy());
      from.on("close", () => {
        this.sockets.delete(from);
        to.destroy();
      });
      if (this.mode === "silent") from.pause();
    }
  }
}
