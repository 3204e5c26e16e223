/**
 * Records the dialogue of test/support/tinker-dialogue.ts with a public server of the Tinker API.
 *
 *     python -m tx.tinker.api --base-model tiny --backend jax --port 8901      (skyrl-tx 0.3.0: JSON)
 *     python -m skyrl.tinker.api --base-model tiny --backend jax --port 8901   (skyrl 0.4.0: protobuf)
 *     node --import tsx test/peers/record-tinker.ts http://127.0.0.1:8901 "skyrl-tx 0.3.0" FILE
 *
 * `tiny` is a folder with a model of 262 tokens, hidden size 64 and two layers, as `writeDefaultModel` writes it.
 */
import { once } from "node:events";
import { mkdtempSync, writeFileSync } from "node:fs";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { bodyOf, dialogue, type Exchange } from "../support/tinker-dialogue.js";

const [url = "", name = "", file = ""] = process.argv.slice(2);
const exchanges: Exchange[] = [];

async function relay(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const parts: Buffer[] = [];
  for await (const part of request) parts.push(part as Buffer);
  const [type, body] = [request.headers["content-type"] ?? "", Buffer.concat(parts)];
  const headers = { accept: request.headers.accept ?? "*/*", ...(body.length > 0 && { "content-type": type }) };
  const { method = "GET" } = request;
  const sent = await fetch(`${url}${request.url}`, { method, headers, ...(body.length > 0 && { body }) });
  const replyType = sent.headers.get("content-type") ?? "";
  const reply = Buffer.from(await sent.arrayBuffer());
  const path = request.url ?? "";
  if (!path.endsWith("/session_heartbeat"))
    exchanges.push({
      path,
      type,
      body: bodyOf(type, body),
      status: sent.status,
      replyType,
      reply: bodyOf(replyType, reply),
    });
  response.writeHead(sent.status, { "content-type": replyType }).end(reply);
}

const proxy = createServer((request, response) => void relay(request, response)).listen(0, "127.0.0.1");
await once(proxy, "listening");
const address = `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`;
const result = await dialogue(address, mkdtempSync(join(tmpdir(), "record-tinker-")));
writeFileSync(file, `${JSON.stringify({ server: name, exchanges, result }, null, 1)}\n`);
proxy.closeAllConnections();
proxy.close();
