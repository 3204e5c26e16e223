import { once } from "node:events";
import { createServer } from "node:net";

/** Ports below those that Linux gives to outgoing connections: such a connection would keep a server from starting again. */
const [firstPort, endOfPorts] = [20_000, 32_768];

/** Returns a port of this machine that no program listens on. */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = firstPort + Math.floor(Math.random() * (endOfPorts - firstPort));
    const server = createServer().listen(port, "127.0.0.1");
    try {
      await once(server, "listening");
    } catch {
      continue;
    }
    server.close();
    await once(server, "close");
    return port;
  }
}
