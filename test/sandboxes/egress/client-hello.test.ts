/** The first message of TLS, from clients and from attackers who change it. */
import { once } from "node:events";
import { type AddressInfo, createServer } from "node:net";
import { connect } from "node:tls";
import { beforeAll, expect, test } from "vitest";
import { BadHello, parseClientHello } from "#palestra/sandboxes/egress/client-hello.js";

const recordHead = 5;
let hello: Buffer;

beforeAll(async () => {
  const server = createServer();
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const client = connect({
    host: "127.0.0.1",
    port: (server.address() as AddressInfo).port,
    servername: "Shop.Example",
  });
  client.on("error", () => {});
  const [socket] = await once(server, "connection");
  [hello] = await once(socket, "data");
  client.destroy();
  socket.destroy();
  server.close();
});

/** Returns the hello with further extensions, each with its type and content. */
function withExtensions(...more: readonly (readonly [kind: number, content: Buffer])[]): Buffer {
  const added = Buffer.concat(
    more.map(([kind, content]) => {
      const head = Buffer.alloc(4);
      head.writeUInt16BE(kind, 0);
      head.writeUInt16BE(content.length, 2);
      return Buffer.concat([head, content]);
    }),
  );
  const bytes = Buffer.concat([hello, added]);
  const grow = (at: number, size: 2 | 3) => bytes.writeUIntBE(bytes.readUIntBE(at, size) + added.length, at, size);
  grow(3, 2);
  grow(recordHead + 1, 3);
  grow(extensionsAt(), 2);
  return bytes;
}

/**
 * Returns the position of the length of the extensions: after version, random, session id, cipher suites and
 * compression.
 */
function extensionsAt(): number {
  let at = recordHead + 4 + 2 + 32;
  at += 1 + hello.readUInt8(at);
  at += 2 + hello.readUInt16BE(at);
  return at + 1 + hello.readUInt8(at);
}

test("a ClientHello gives its server name in lower case", () => {
  expect(parseClientHello(hello)).toEqual({ serverName: "shop.example", hasEncryptedHello: false });
});

test("a ClientHello is incomplete until its last byte", () => {
  for (let length = recordHead; length < hello.length; length++)
    expect(parseClientHello(hello.subarray(0, length)), `${length} bytes`).toBeUndefined();
});

test("a ClientHello shows whether it has an encrypted part", () => {
  expect(parseClientHello(withExtensions([0xfe0d, Buffer.alloc(3)]))?.hasEncryptedHello).toBe(true);
});

test("a ClientHello is refused with a repeated extension or with bytes after its extensions, and so is another message", () => {
  expect(() => parseClientHello(withExtensions([0xaaaa, Buffer.alloc(1)], [0xaaaa, Buffer.alloc(1)]))).toThrow(
    BadHello,
  );
  const longer = withExtensions([0xaaaa, Buffer.alloc(1)]);
  longer.writeUInt16BE(longer.readUInt16BE(extensionsAt()) - 5, extensionsAt());
  expect(() => parseClientHello(longer)).toThrow(BadHello);
  expect(() => parseClientHello(Buffer.from("GET / HTTP/1.1\r\n"))).toThrow(BadHello);
});
