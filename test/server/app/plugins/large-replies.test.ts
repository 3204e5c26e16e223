/** Large replies that clients have not read yet are limited together. */
import Fastify from "fastify";
import { expect, onTestFinished, test } from "vitest";
import type { Connections } from "#palestra/server/app/plugins/connections.js";
import { registerLargeReplies } from "#palestra/server/app/plugins/large-replies.js";

const limit = 100_000;

/** Opens an app with a large and a small reply. `unsent` is the number of bytes that clients have not read. */
function openApp(unsent: { bytes: number }) {
  const app = Fastify();
  onTestFinished(() => app.close());
  const connections = {
    get unsentBytes() {
      return unsent.bytes;
    },
  } as Connections;
  registerLargeReplies(app, connections, limit);
  app.get("/large", (_, reply) => reply.type("text/plain").send("x".repeat(40_000)));
  app.get("/small", (_, reply) => reply.type("text/plain").send("x".repeat(30_000)));
  const get = async (url: string) => (await app.inject(url)).statusCode;
  return { get };
}

test("a large reply is refused while too much is unsent, and small ones are not", async () => {
  const unsent = { bytes: 80_000 };
  const { get } = openApp(unsent);
  expect([await get("/large"), await get("/large")]).toEqual([200, 200]);
  expect(await get("/large")).not.toBe(200);
  expect(await get("/small")).toBe(200);
  unsent.bytes = 0;
  expect(await get("/large")).toBe(200);
});

test("large replies that are read at once are never refused", async () => {
  const { get } = openApp({ bytes: 0 });
  for (let i = 0; i < 10; i++) expect(await get("/large")).toBe(200);
});
