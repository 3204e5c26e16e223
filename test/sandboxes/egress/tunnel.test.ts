/** Contents of a proxy tunnel: TLS or a WebSocket that names the tunnel's host. Both sides use real TLS with a shared key. */
import { type AddressInfo, connect, createServer, type Socket } from "node:net";
import { connect as connectTls, createServer as createTlsServer, type TLSSocket } from "node:tls";
import { describe, expect, onTestFinished, test } from "vitest";
import { WebSocket } from "ws";
import { EgressProxy, type EgressProxyOptions } from "#palestra/sandboxes/egress/egress-proxy.js";
import { HostList } from "#palestra/sandboxes/egress/hosts.js";
import { openSite } from "../../support/browsers.js";

const psk = Buffer.alloc(16, 7);
const keyed = { ciphers: "PSK", maxVersion: "TLSv1.2" } as const;

/** A server that answers each connection with the requested server name, and keeps its first bytes. */
async function openTlsHost() {
  const names: unknown[] = [];
  const server = createTlsServer({ ...keyed, pskCallback: () => psk }, (socket) => {
    names.push(socket.servername);
    socket.on("error", () => {});
    socket.end(`hello ${socket.servername}`);
  });
  server.on("tlsClientError", () => {});
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => void server.close());
  return { names, port: (server.address() as AddressInfo).port };
}

/** A server of plain sockets that keeps all received bytes. */
async function openPlainHost(answer = "") {
  const received: Buffer[] = [];
  const server = createServer((socket) => {
    socket.on("error", () => {});
    socket.on("data", (bytes) => {
      received.push(bytes);
      if (answer) socket.write(answer);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => void server.close());
  return { port: (server.address() as AddressInfo).port, text: () => Buffer.concat(received).toString("latin1") };
}

async function openProxy(hosts: string[], options: EgressProxyOptions = {}) {
  const proxy = await EgressProxy.open({ lookup: async () => ["127.0.0.1"], ...options });
  onTestFinished(() => proxy.close());
  proxy.hosts = new HostList(hosts);
  const refused: [string, string][] = [];
  proxy.onRefused = (url, reason) => refused.push([url, reason]);
  return { proxy, refused };
}

/** Opens a tunnel. */
async function openTunnel(proxy: EgressProxy, authority: string): Promise<Socket> {
  const socket = connect(proxy.port, "127.0.0.1");
  onTestFinished(() => void socket.destroy());
  socket.on("error", () => {});
  socket.write(`CONNECT ${authority} HTTP/1.1\r\nHost: ${authority}\r\n\r\n`);
  const answer = await new Promise<Buffer>((resolve) => socket.once("data", resolve));
  // The socket is paused, so that no byte is lost before the test reads.
  socket.pause();
  expect(answer.toString()).toMatch(/^HTTP\/1\.1 200 /);
  return socket;
}

/** Returns all bytes of a socket until its end. */
async function readAll(socket: Socket | TLSSocket): Promise<string> {
  let received = "";
  socket.resume().on("data", (bytes: Buffer) => {
    received += bytes.toString("latin1");
  });
  return new Promise((resolve) => {
    socket.on("error", (error: Error & { reason?: string }) => resolve(`error ${error.reason ?? error.message}`));
    socket.on("close", () => resolve(received));
  });
}

async function overTls(socket: Socket, servername: string | undefined): Promise<string> {
  const client = connectTls({
    ...keyed,
    ...(servername === undefined ? {} : { servername }),
    socket,
    pskCallback: () => ({ psk, identity: "a" }),
    checkServerIdentity: () => undefined,
  });
  return readAll(client);
}

/** Returns the bytes of a real ClientHello. */
async function helloFor(servername: string | undefined): Promise<Buffer> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  const socket = connect(port, "127.0.0.1");
  const accepted = await new Promise<Socket>((resolve) => server.once("connection", resolve));
  const client = connectTls({ socket, ...(servername === undefined ? {} : { servername }), rejectUnauthorized: false });
  client.on("error", () => {});
  const hello = await new Promise<Buffer>((resolve) => accepted.once("data", resolve));
  client.destroy();
  accepted.destroy();
  server.close();
  return hello;
}

/** Returns the record's ClientHello with one more extension. */
function withExtension(record: Buffer, kind: number, content: Buffer): Buffer {
  const head = Buffer.alloc(4);
  head.writeUInt16BE(kind, 0);
  head.writeUInt16BE(content.length, 2);
  const longer = Buffer.concat([record, head, content]);
  const more = 4 + content.length;
  // Lengths of the record, of the message, and of the extensions after session, ciphers and compression.
  longer.writeUInt16BE(longer.readUInt16BE(3) + more, 3);
  longer.writeUIntBE(longer.readUIntBE(6, 3) + more, 6, 3);
  let at = 5 + 4 + 2 + 32;
  at += 1 + (longer[at] as number);
  at += 2 + longer.readUInt16BE(at);
  at += 1 + (longer[at] as number);
  longer.writeUInt16BE(longer.readUInt16BE(at) + more, at);
  return longer;
}

/** Splits a message into records of `size` bytes. */
function inRecords(record: Buffer, bytes: number): Buffer {
  const parts: Buffer[] = [];
  for (let at = 5; at < record.length; at += bytes) {
    const part = record.subarray(at, at + bytes);
    parts.push(Buffer.from([22, 3, 1, part.length >> 8, part.length & 255]), part);
  }
  return Buffer.concat(parts);
}

const accessDenied = Buffer.from([21, 3, 1, 0, 2, 2, 49]).toString("latin1");

describe("TLS in a tunnel", () => {
  test("TLS that names the tunnel's host passes unchanged", async () => {
    const host = await openTlsHost();
    const { proxy, refused } = await openProxy([`*.example:${host.port}`, `a.example:${host.port}`]);
    const socket = await openTunnel(proxy, `A.example:${host.port}`);
    expect(await overTls(socket, "a.example")).toBe("hello a.example");
    expect(refused).toEqual([]);
  });

  test.each(["b.example", "secret.cdn.test", "a.example.b.test", "example"])(
    "TLS that names another host is refused, listed or not: %s",
    async (servername) => {
      const host = await openTlsHost();
      const { proxy, refused } = await openProxy([`a.example:${host.port}`, `b.example:${host.port}`]);
      const authority = `a.example:${host.port}`;
      expect(await overTls(await openTunnel(proxy, authority), servername)).toMatch(/^error .*access denied/);
      expect(host.names).toEqual([]);
      expect(refused).toEqual([[authority, `a tunnel to a.example carries TLS for ${servername}`]]);
    },
  );

  test("TLS without a server name passes only in a tunnel to an address", async () => {
    const host = await openTlsHost();
    const { proxy, refused } = await openProxy([`a.example:${host.port}`, `127.0.0.1:${host.port}`]);
    expect(await overTls(await openTunnel(proxy, `127.0.0.1:${host.port}`), undefined)).toBe("hello false");
    expect(await overTls(await openTunnel(proxy, `127.0.0.1:${host.port}`), "a.example")).toMatch(/access denied/);
    expect(await overTls(await openTunnel(proxy, `a.example:${host.port}`), undefined)).toMatch(/access denied/);
    expect(refused.map(([, reason]) => reason)).toEqual([
      "a tunnel to 127.0.0.1 carries TLS for a.example",
      "a tunnel to a.example carries TLS for no name",
    ]);
  });

  test.each([1, 40, 1_000])("a ClientHello is read from records of %d bytes", async (bytes) => {
    const host = await openPlainHost();
    const { proxy, refused } = await openProxy([`a.example:${host.port}`]);
    for (const name of ["a.example", "b.example"]) {
      const socket = await openTunnel(proxy, `a.example:${host.port}`);
      const hello = inRecords(await helloFor(name), bytes);
      for (let at = 0; at < hello.length; at += 500) {
        socket.write(hello.subarray(at, at + 500));
        await new Promise((resolve) => setTimeout(resolve, 2));
      }
      if (name === "b.example") expect(await readAll(socket)).toBe(accessDenied);
      else await expect.poll(() => host.text()).toBe(hello.toString("latin1"));
    }
    expect(refused).toHaveLength(1);
  });

  test("an encrypted ClientHello is refused, except from clients that send only decoys", async () => {
    const host = await openPlainHost();
    const hello = withExtension(await helloFor("a.example"), 0xfe0d, Buffer.alloc(200));
    const { proxy, refused } = await openProxy([`a.example:${host.port}`]);
    const socket = await openTunnel(proxy, `a.example:${host.port}`);
    socket.write(hello);
    expect(await readAll(socket)).toBe(accessDenied);
    expect(host.text()).toBe("");
    expect(refused[0]?.[1]).toMatch(/cannot carry an encrypted ClientHello/);
    const other = await openProxy([`a.example:${host.port}`], { mayEncryptHello: true });
    (await openTunnel(other.proxy, `a.example:${host.port}`)).write(hello);
    await expect.poll(() => host.text()).toBe(hello.toString("latin1"));
  });

  test("a ClientHello that is malformed or names two hosts is refused", async () => {
    const host = await openPlainHost();
    const { proxy, refused } = await openProxy([`a.example:${host.port}`]);
    const hello = await helloFor("a.example");
    const second = Buffer.from("\0\x0c\0\0\x09b.example", "latin1");
    const twice = withExtension(hello, 0, second);
    const cut = Buffer.from(hello);
    cut.writeUInt16BE(60_000, 3);
    const other = Buffer.from(hello);
    other[5] = 2;
    const long = Buffer.from(hello);
    long.writeUIntBE(2 ** 20, 6, 3);
    for (const bytes of [twice, cut, other, long, Buffer.from([22, 2, 0, 0, 9, 0])]) {
      const socket = await openTunnel(proxy, `a.example:${host.port}`);
      socket.write(bytes);
      expect(await readAll(socket)).toBe(accessDenied);
    }
    expect(host.text()).toBe("");
    expect(refused).toHaveLength(5);
  });
});

describe("a tunnel without TLS", () => {
  const handshake = (host: string, more = "") =>
    `GET /socket HTTP/1.1\r\nHost: ${host}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n${more}\r\n`;

  test("a tunnel without TLS carries a WebSocket for its host", async () => {
    const site = await openSite();
    const { proxy, refused } = await openProxy([`a.example:${site.port}`]);
    const socket = await openTunnel(proxy, `a.example:${site.port}`);
    socket.resume();
    const client = new WebSocket(`ws://a.example:${site.port}/socket`, { createConnection: () => socket });
    await new Promise((resolve) => client.once("open", resolve));
    client.send("on");
    expect(`${await new Promise((resolve) => client.once("message", resolve))}`).toBe("echo on");
    client.terminate();
    expect(refused).toEqual([]);
  });

  test("a tunnel to a host without WebSockets carries only the host's answer", async () => {
    const host = await openPlainHost("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok");
    const { proxy } = await openProxy([`a.example:${host.port}`]);
    const socket = await openTunnel(proxy, `a.example:${host.port}`);
    socket.write(handshake(`a.example:${host.port}`));
    const answer = await new Promise<Buffer>((resolve) => socket.resume().once("data", resolve));
    expect(answer.toString()).toMatch(/^HTTP\/1\.1 200 OK/);
    socket.write("GET / HTTP/1.1\r\nHost: secret.cdn.test\r\n\r\n");
    await new Promise((resolve) => setTimeout(resolve, 200));
    expect(host.text()).not.toContain("secret");
  });

  test.each([
    ["a request for its host", (host: string) => `GET / HTTP/1.1\r\nHost: ${host}\r\n\r\n`],
    ["a handshake for another host", () => handshake("secret.cdn.test")],
    ["a handshake for two hosts", (host: string) => handshake(host, "Host: secret.cdn.test\r\n")],
    [
      "a handshake with a whole address",
      (host: string) => handshake(host).replace("/socket", "http://secret.cdn.test/"),
    ],
    ["a handshake with a request behind it", (host: string) => `${handshake(host)}GET / HTTP/1.1\r\n\r\n`],
    ["a handshake with a body", (host: string) => handshake(host, "Content-Length: 50\r\n")],
    ["a handshake with a line that is no field", (host: string) => handshake(host, " folded\r\n")],
    ["a handshake with a bare line feed", (host: string) => handshake(host, "A: b\nHost: secret.cdn.test\r\n")],
    ["anything else", () => "SSH-2.0-client\r\n"],
  ])("a tunnel without TLS refuses any other opening: %s", async (_, opening) => {
    const host = await openPlainHost();
    const { proxy, refused } = await openProxy([`a.example:${host.port}`]);
    const socket = await openTunnel(proxy, `a.example:${host.port}`);
    socket.write(opening(`a.example:${host.port}`));
    expect(await readAll(socket)).toMatch(/^HTTP\/1\.1 403 Forbidden/);
    expect(host.text()).toBe("");
    expect(refused).toHaveLength(1);
  });
});
