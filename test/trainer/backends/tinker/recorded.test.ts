/** What public servers of the Tinker API said, replayed: the client sends the recorded requests, and reads the replies. */
import { once } from "node:events";
import { readdirSync, readFileSync } from "node:fs";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, onTestFinished, test } from "vitest";
import { temporaryFolder } from "../../../native/tiny-models.js";
import { bodyOf, dialogue, type Recorded } from "../../../support/tinker-dialogue.js";

const fixtures = fileURLToPath(new URL("../../../fixtures/trainer/tinker", import.meta.url));
const folder = temporaryFolder();
const names = readdirSync(fixtures);

test("a server that takes JSON and one that takes protobuf are recorded", () => {
  expect(names.sort()).toEqual(["skyrl-0.4.0.json", "skyrl-tx-0.3.0.json"]);
});

test.each(names)("%s: the client sends the recorded requests, and reads the recorded replies", async (name) => {
  const { exchanges, result } = JSON.parse(readFileSync(join(fixtures, name), "utf8")) as Recorded;
  const rest = [...exchanges];
  const wrong: unknown[] = [];
  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const parts: Buffer[] = [];
    for await (const part of request) parts.push(part as Buffer);
    const type = request.headers["content-type"] ?? "";
    const sent = { path: request.url, type, body: bodyOf(type, Buffer.concat(parts)) };
    const expected = rest.shift();
    const { path, type: itsType, body } = expected ?? {};
    if (JSON.stringify(sent) !== JSON.stringify({ path, type: itsType, body }))
      wrong.push({ sent, expected: { path, body } });
    const { status = 500, replyType = "", reply = null } = expected ?? {};
    const written = typeof reply === "string" ? Buffer.from(reply, "base64") : JSON.stringify(reply);
    response.writeHead(status, { "content-type": replyType }).end(written);
  }
  const server = createServer((request, response) => void answer(request, response)).listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const told = await dialogue(`http://127.0.0.1:${(server.address() as AddressInfo).port}`, folder);
  expect(wrong).toEqual([]);
  expect(rest).toEqual([]);
  expect(told).toEqual(result);
});
