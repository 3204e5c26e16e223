import { createHash } from "node:crypto";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, onTestFinished, test } from "vitest";
import { WebSocketServer } from "ws";
import type { AsyncEnvironment } from "#palestra/envs/env.js";
import { mountedEnvironment } from "#palestra/envs/mounted/index.js";

const schema = {
  action: { type: "object", properties: { message: { type: "string" } }, required: ["message"] },
  observation: { type: "object" },
};
const full = JSON.stringify({ type: "error", data: { code: "CAPACITY_REACHED", message: "no free session" } });
const signal = new AbortController().signal;

/** Serves OpenEnv's protocol. The first session is refused in the same packet as the handshake. */
async function serveOnceFull(): Promise<{ url: string; sessions: () => number }> {
  let sessions = 0;
  const ready = new WebSocketServer({ noServer: true });
  const http = createServer((request, response) => {
    if (request.url !== "/schema") return void response.writeHead(404).end("{}");
    response.end(JSON.stringify(schema));
  });
  http.on("upgrade", (request, socket, head) => {
    sessions += 1;
    if (sessions > 1) {
      return ready.handleUpgrade(request, socket, head, (session) =>
        session.on("message", () =>
          session.send(JSON.stringify({ type: "observation", data: { observation: { text: "start" }, done: false } })),
        ),
      );
    }
    const key = `${request.headers["sec-websocket-key"]}258EAFA5-E914-47DA-95CA-C5AB0DC85B11`;
    const accept = createHash("sha1").update(key).digest("base64");
    const handshake = `HTTP/1.1 101 Switching Protocols\r\nupgrade: websocket\r\nconnection: Upgrade\r\nsec-websocket-accept: ${accept}\r\n\r\n`;
    const frame = Buffer.concat([Buffer.from([0x81, full.length]), Buffer.from(full), Buffer.from([0x88, 0])]);
    socket.end(Buffer.concat([Buffer.from(handshake), frame]));
  });
  await new Promise<void>((resolve) => http.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    for (const session of ready.clients) session.terminate();
    http.closeAllConnections();
    http.close();
  });
  return { url: `http://127.0.0.1:${(http.address() as AddressInfo).port}`, sessions: () => sessions };
}

test("a server that reports in the packet of its handshake that it is full is tried again", async () => {
  const { url, sessions } = await serveOnceFull();
  const { spec } = await mountedEnvironment(JSON.stringify({ mount: `busy=openenv:${url}` }));
  const environment: AsyncEnvironment = spec.create({} as never);
  onTestFinished(() => environment.close());
  const start = await environment.reset({ task: { split: "seeds", index: 0 }, seed: 0, options: {} }, signal);
  expect(start.observation).toBe("start");
  expect(sessions()).toBe(2);
});
