/** A relay before an engine. It records requests, and can delay them or answer them itself. */
import { createServer, type IncomingMessage, request, type ServerResponse } from "node:http";
import { type AddressInfo, connect, type Socket } from "node:net";
import { onTestFinished } from "vitest";

export interface EngineRelay {
  address: string;
  /** Requests as `METHOD path`, in order of arrival. */
  asked: string[];
  /** Called before a request is passed on. Returns true if it has answered the request. */
  onRequest: (line: string, reply: ServerResponse) => Promise<boolean> | boolean;
}

/** Opens a relay. @param engine address of the form `unix:///path` */
export async function openEngineRelay(engine: string): Promise<EngineRelay> {
  const socketPath = engine.replace(/^unix:\/\//, "");
  const relay: EngineRelay = { address: "", asked: [], onRequest: () => false };
  const pass = async (incoming: IncomingMessage, reply: ServerResponse) => {
    const { method, url: path, headers } = incoming;
    const line = `${method} ${path}`;
    relay.asked.push(line);
    // An engine performs a request that it has read, even if the caller has aborted.
    const body = Buffer.concat(await incoming.toArray());
    if (await relay.onRequest(line, reply)) return;
    const outgoing = request({ socketPath, method, path, headers }, (answer) => {
      reply.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(reply);
    });
    outgoing.on("error", () => reply.destroy());
    outgoing.end(body);
  };
  const server = createServer((incoming, reply) => void pass(incoming, reply));
  const sockets = new Set<Socket>();
  server.on("upgrade", ({ method, url, rawHeaders }, client: Socket, head) => {
    const host = connect(socketPath);
    const fields = rawHeaders.map((text, at) => (at % 2 === 0 ? `${text}: ` : `${text}\r\n`)).join("");
    host.write(`${method} ${url} HTTP/1.1\r\n${fields}\r\n`);
    host.write(head);
    client.pipe(host).pipe(client);
    for (const [one, other] of [
      [client, host],
      [host, client],
    ] as const) {
      sockets.add(one);
      one.on("error", () => {}).on("close", () => other.destroy());
    }
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    server.close();
    server.closeAllConnections();
    for (const socket of sockets) socket.destroy();
  });
  relay.address = `tcp://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return relay;
}
