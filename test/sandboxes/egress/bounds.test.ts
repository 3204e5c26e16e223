/** Limits on the connections, requests and look-ups of one sandbox and of all sandboxes together. */
import { createServer, request } from "node:http";
import { type AddressInfo, connect, createServer as createNetServer } from "node:net";
import { expect, onTestFinished, test } from "vitest";
import { EgressProxy } from "#palestra/sandboxes/egress/egress-proxy.js";
import { HostList } from "#palestra/sandboxes/egress/hosts.js";
import type { Lookup } from "#palestra/sandboxes/egress/resolve.js";

async function openProxy(hosts: string[], lookup: Lookup = async () => ["127.0.0.1"]) {
  const proxy = await EgressProxy.open({ lookup });
  onTestFinished(() => proxy.close());
  proxy.hosts = new HostList(hosts);
  const refused: string[] = [];
  proxy.onRefused = (_, reason) => refused.push(reason);
  return { proxy, refused };
}

/** A host that answers when the test asks for it. */
async function openSlowHost() {
  const waiting: (() => void)[] = [];
  let most = 0;
  const server = createServer((_, reply) => {
    waiting.push(() => reply.end("answer"));
    most = Math.max(most, waiting.length);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    server.close();
    server.closeAllConnections();
  });
  const { port } = server.address() as AddressInfo;
  return { port, waiting, url: `http://a.example:${port}/`, mostAtOnce: () => most };
}

/** Returns the status of a request, or undefined if the connection is closed. */
function statusOf(proxyPort: number, url: string): Promise<number | undefined> {
  return new Promise((resolve) => {
    const outgoing = request({ host: "127.0.0.1", port: proxyPort, path: url, agent: false }, (answer) => {
      answer.resume();
      resolve(answer.statusCode);
    });
    outgoing.on("error", () => resolve(undefined));
    outgoing.end();
  });
}

/** Returns the status of a request for a tunnel, or undefined if the connection is closed. */
function tunnelStatusOf(proxyPort: number, authority: string): Promise<number | undefined> {
  return new Promise((resolve) => {
    const socket = connect(proxyPort, "127.0.0.1", () =>
      socket.write(`CONNECT ${authority} HTTP/1.1\r\nHost: a\r\n\r\n`),
    );
    socket.on("data", (bytes) => resolve(Number(bytes.toString("latin1", 9, 12))));
    socket.on("error", () => resolve(undefined));
    socket.on("close", () => resolve(undefined));
  });
}

/** A look-up that ends when the test asks for it. */
function slowLookup() {
  const running: (() => void)[] = [];
  let most = 0;
  const lookup = () =>
    new Promise<string[]>((resolve) => {
      const end = () => {
        running.splice(running.indexOf(end), 1);
        resolve(["10.0.0.1"]);
      };
      running.push(end);
      most = Math.max(most, running.length);
    });
  return { lookup, running, mostAtOnce: () => most };
}

/** Time limit of a poll on a busy machine. */
const patiently = { timeout: 240_000 };
const sleep = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

test("hanging look-ups are limited per sandbox and in all, and further ones are refused in time", async () => {
  const names = slowLookup();
  const proxies = await Promise.all(Array.from({ length: 6 }, () => openProxy(["*.example"], names.lookup)));
  const [first] = proxies as [(typeof proxies)[0]];
  const statuses = Array.from({ length: 100 }, (_, at) => tunnelStatusOf(first.proxy.port, `n${at}.example:443`));
  await expect.poll(() => first.refused.length, patiently).toBeGreaterThan(0);
  expect(names.mostAtOnce()).toBe(4);
  const others = proxies
    .slice(1)
    .flatMap(({ proxy }) => Array.from({ length: 10 }, (_, at) => tunnelStatusOf(proxy.port, `n${at}.example:443`)));
  await expect.poll(() => names.mostAtOnce(), patiently).toBe(16);
  await sleep(300);
  expect(names.mostAtOnce()).toBe(16);
  const received = await Promise.all(statuses);
  // Four look-ups run until they time out, 64 wait in vain for a turn, and the others are refused by the full queue.
  expect(received.filter((status) => status === 502)).toHaveLength(4);
  expect(received.filter((status) => status === 503)).toHaveLength(96);
  expect(new Set(await Promise.all(others))).toEqual(new Set([502, 503]));
  // Threads that still run abandoned look-ups stay in use.
  expect(names.running.length).toBe(16);
  while (names.running.length > 0) {
    for (const end of [...names.running]) end();
    await sleep(10);
  }
  const again = statusOf(first.proxy.port, "http://again.example/");
  await expect.poll(() => names.running.length, patiently).toBe(1);
  names.running[0]?.();
  expect(await again).toBe(403);
});

test("requests without an answer are limited, and further ones wait in a queue of limited length", async () => {
  const host = await openSlowHost();
  const { proxy, refused } = await openProxy([`a.example:${host.port}`]);
  // The requests go over a few connections, since a client can pipeline its requests.
  const sockets = Array.from({ length: 8 }, () => connect(proxy.port, "127.0.0.1"));
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
  });
  let answers = "";
  for (const socket of sockets) {
    socket.on("error", () => {});
    socket.on("data", (bytes) => {
      answers += bytes;
    });
    socket.write(`GET ${host.url} HTTP/1.1\r\nHost: a\r\n\r\n`.repeat(25));
  }
  await expect.poll(() => refused.length, patiently).toBe(8 * 25 - 64 - 64);
  await expect.poll(() => host.mostAtOnce(), patiently).toBe(64);
  const answering = setInterval(() => host.waiting.shift()?.(), 2);
  await expect.poll(() => answers.match(/HTTP\/1\.1 200/g)?.length, patiently).toBe(128);
  clearInterval(answering);
  expect(answers.match(/HTTP\/1\.1 503/g)).toHaveLength(8 * 25 - 128);
  expect(host.mostAtOnce()).toBe(64);
});

test("a request that waits too long for its turn is refused with status 503", async () => {
  const host = await openSlowHost();
  const { proxy, refused } = await openProxy([`a.example:${host.port}`]);
  const all = Array.from({ length: 65 }, () => statusOf(proxy.port, host.url));
  expect(await Promise.race(all)).toBe(503);
  expect(refused).toEqual([expect.stringMatching(/has 64 requests at once; more are refused/)]);
});

test("connections of a sandbox are limited, and one that ends frees its place", async () => {
  const host = await openSlowHost();
  const { proxy } = await openProxy([`a.example:${host.port}`]);
  const sockets = Array.from({ length: 128 }, () => connect(proxy.port, "127.0.0.1").on("error", () => {}));
  await Promise.all(sockets.map((socket) => new Promise((resolve) => socket.once("connect", resolve))));
  expect(await statusOf(proxy.port, host.url)).toBe(503);
  sockets.pop()?.destroy();
  // The proxy notices the end a moment later, and refuses requests until then.
  const answering = setInterval(() => host.waiting.shift()?.(), 10);
  await expect.poll(() => statusOf(proxy.port, host.url), patiently).toBe(200);
  clearInterval(answering);
  for (const socket of sockets) socket.destroy();
});

test("a host that does not read a body puts backpressure on the sender", async () => {
  const server = createNetServer({ pauseOnConnect: true });
  server.on("connection", (socket) => onTestFinished(() => void socket.destroy()));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => void server.close());
  const { port } = server.address() as AddressInfo;
  const { proxy } = await openProxy([`a.example:${port}`]);
  const socket = connect(proxy.port, "127.0.0.1").on("error", () => {});
  onTestFinished(() => void socket.destroy());
  const bytes = 256 * 2 ** 20;
  socket.write(`POST http://a.example:${port}/ HTTP/1.1\r\nHost: a\r\nContent-Length: ${bytes}\r\n\r\n`);
  const piece = Buffer.alloc(2 ** 20);
  let sent = 0;
  const send = (): void => {
    if (sent >= bytes) return;
    socket.write(piece, () => {
      sent += piece.length;
      send();
    });
  };
  send();
  await sleep(1_500);
  expect(sent).toBeLessThan(32 * 2 ** 20);
});
