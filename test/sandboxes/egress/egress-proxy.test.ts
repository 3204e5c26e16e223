/** The egress proxy alone, with requests that a compromised browser could send. */
import { createServer, request } from "node:http";
import { syncBuiltinESMExports } from "node:module";
import { type AddressInfo, connect } from "node:net";
import os from "node:os";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { EgressProxy } from "#palestra/sandboxes/egress/egress-proxy.js";
import { HostList } from "#palestra/sandboxes/egress/hosts.js";
import { openSite } from "../../support/browsers.js";

async function openProxy(hosts: string[], names: Record<string, string[]> = {}) {
  const lookups: string[] = [];
  const lookup = async (name: string) => {
    lookups.push(name);
    const addresses = names[name];
    if (!addresses) throw new Error(`${name} is unknown`);
    return addresses;
  };
  const proxy = await EgressProxy.open({ lookup });
  onTestFinished(() => proxy.close());
  proxy.hosts = new HostList(hosts);
  const refused: string[] = [];
  proxy.onRefused = (url) => refused.push(url);
  return { proxy, refused, lookups };
}

/** Sends bytes and returns the bytes that come back within a second, or until the connection ends. */
function raw(port: number, text: string): Promise<string> {
  return new Promise((resolve) => {
    let received = "";
    const socket = connect(port, "127.0.0.1", () => socket.write(text));
    const end = () => {
      socket.destroy();
      resolve(received);
    };
    const timer = setTimeout(end, 1_000);
    socket.on("data", (data) => {
      received += data;
    });
    socket.on("error", () => {});
    socket.on("close", () => {
      clearTimeout(timer);
      end();
    });
  });
}

async function statusOf(port: number, url: string): Promise<string> {
  return (await raw(port, `GET ${url} HTTP/1.1\r\nHost: elsewhere\r\nConnection: close\r\n\r\n`)).slice(9, 12);
}

async function tunnelStatusOf(port: number, authority: string): Promise<string> {
  return (await raw(port, `CONNECT ${authority} HTTP/1.1\r\nHost: elsewhere\r\n\r\n`)).slice(9, 12);
}

test("a listed host is reached by request and by tunnel, whatever the Host header is", async () => {
  const hosts: (string | undefined)[] = [];
  const site = await openSite({ "/": ({ headers }, reply) => void reply.end(`${hosts.push(headers.host)}`) });
  const { proxy, refused } = await openProxy([site.host]);
  expect(await statusOf(proxy.port, site.url())).toBe("200");
  expect(await tunnelStatusOf(proxy.port, site.host)).toBe("200");
  expect(hosts).toEqual([site.host]);
  expect(refused).toEqual([]);
});

test("a request body and its answer pass through the proxy", async () => {
  const site = await openSite({ "/form": (incoming, reply) => void incoming.pipe(reply) });
  const { proxy } = await openProxy([site.host]);
  const body = "x".repeat(3_000_000);
  const received = await new Promise<string>((resolve, reject) => {
    const options = { host: "127.0.0.1", port: proxy.port, path: site.url("/form"), method: "POST" };
    const outgoing = request(options, async (answer) => resolve((await answer.toArray()).join("")));
    outgoing.once("error", reject);
    outgoing.end(body);
  });
  expect(received === body).toBe(true);
});

describe("an address of this machine in any notation", () => {
  const writings = ["127.0.0.1", "2130706433", "0x7f000001", "0177.0.0.1", "127.1", "[::1]", "[::ffff:127.0.0.1]"];
  const others = ["localhost", "a.localhost", "0.0.0.0", "[::]", "[::ffff:7f00:1]", "127.0.0.1.", "LOCALHOST"];
  const more = ["localhost.", "017700000001", "0x7f.0.0.1", "0", "%31%32%37.0.0.1", "[::127.0.0.1]"];

  test.each([...writings, ...others, ...more])("the address is refused in any notation: %s", async (writing) => {
    const site = await openSite();
    const { proxy, refused } = await openProxy(["127.0.0.1:1", "example.com"]);
    expect(await statusOf(proxy.port, `http://${writing}:${site.port}/`)).toBe("403");
    expect(await tunnelStatusOf(proxy.port, `${writing}:${site.port}`)).toBe("403");
    expect(refused).toHaveLength(2);
    expect(site.asked).toEqual([]);
    const { proxy: open } = await openProxy(["*"]);
    expect(await statusOf(open.port, `http://user:password@${writing}/`)).toBe("403");
    expect(await tunnelStatusOf(open.port, `${writing}:443`)).toBe("403");
  });

  test.each(["2130706433", "0x7f.1", "127.0.0.1."])(
    "any notation of a listed address is allowed: %s",
    async (writing) => {
      const site = await openSite();
      const { proxy } = await openProxy([site.host]);
      expect(await statusOf(proxy.port, `http://${writing}:${site.port}/`)).toBe("200");
    },
  );
});

describe("a name", () => {
  const privateAddresses = ["127.0.0.1", "10.1.2.3", "172.16.0.1", "192.168.0.1", "169.254.169.254", "100.64.0.1"];
  const others = [
    "0.0.0.0",
    "::1",
    "fd00::1",
    "fe80::1",
    "::ffff:10.0.0.1",
    "64:ff9b::7f00:1",
    "2002:7f00:1::",
    "ff02::1",
  ];

  test.each([...privateAddresses, ...others])("a listed name that resolves to %s is refused", async (address) => {
    const { proxy } = await openProxy(["site.example", "*.any.example:80"], {
      "site.example": [address],
      "a.any.example": [address],
    });
    expect(await statusOf(proxy.port, "http://site.example/")).toBe("403");
    expect(await tunnelStatusOf(proxy.port, "site.example:443")).toBe("403");
    expect(await statusOf(proxy.port, "http://a.any.example/")).toBe("403");
  });

  test("a name listed with its port may resolve to a private address but not to a link-local one", async () => {
    const site = await openSite();
    const names = { "shop.example": ["127.0.0.1"], "trap.example": ["169.254.169.254"] };
    const { proxy } = await openProxy([`shop.example:${site.port}`, "trap.example:80"], names);
    expect(await statusOf(proxy.port, `http://shop.example:${site.port}/`)).toBe("200");
    expect(await statusOf(proxy.port, "http://trap.example/")).toBe("403");
  });

  test.each(["93.184.216.34", "2606:2800:220:1::1"])(
    "an address of a network interface of this machine is refused like a private one: %s",
    async (address) => {
      const interfaces = vi.spyOn(os, "networkInterfaces").mockReturnValue({ eth0: [{ address } as never] });
      syncBuiltinESMExports();
      onTestFinished(() => {
        interfaces.mockRestore();
        syncBuiltinESMExports();
      });
      const { proxy } = await openProxy(["*"], { "own.example": [address] });
      const literal = address.includes(":") ? `[${address}]` : address;
      for (const host of ["own.example", literal]) {
        expect(await statusOf(proxy.port, `http://${host}/`)).toBe("403");
        expect(await tunnelStatusOf(proxy.port, `${host}:443`)).toBe("403");
      }
    },
  );

  test("a name is resolved once per connection, so that a changed answer has no effect", async () => {
    const site = await openSite();
    const { proxy, lookups } = await openProxy([`shop.example:${site.port}`], { "shop.example": ["127.0.0.1"] });
    expect(await tunnelStatusOf(proxy.port, `shop.example:${site.port}`)).toBe("200");
    expect(lookups).toEqual(["shop.example"]);
  });

  test("an unlisted name is not resolved", async () => {
    const { proxy, lookups } = await openProxy(["*.example"], {});
    for (const name of ["secret-data.attacker.test", "example", "badexample"]) {
      expect(await tunnelStatusOf(proxy.port, `${name}:443`)).toBe("403");
    }
    expect(lookups).toEqual([]);
  });

  test("an entry with `*` allows names below it at ports 80 and 443 only", async () => {
    const { proxy, lookups } = await openProxy(["*.example"], { "a.b.example": [] });
    expect(await tunnelStatusOf(proxy.port, "a.b.example:443")).toBe("403");
    expect(lookups).toEqual(["a.b.example"]);
    expect(await tunnelStatusOf(proxy.port, "a.b.example:8443")).toBe("403");
    expect(lookups).toEqual(["a.b.example"]);
  });
});

test("a proxy of the gym cannot be reached, even if its port is listed", async () => {
  const other = await openProxy([]);
  const { proxy } = await openProxy([`127.0.0.1:${other.proxy.port}`]);
  expect(await tunnelStatusOf(proxy.port, `127.0.0.1:${other.proxy.port}`)).toBe("403");
});

test.each([
  "GET / HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n",
  "GET https://example.com/ HTTP/1.1\r\nHost: example.com\r\n\r\n",
  "GET ftp://example.com/ HTTP/1.1\r\nHost: example.com\r\n\r\n",
  "GET file:///etc/passwd HTTP/1.1\r\nHost: a\r\n\r\n",
  "CONNECT 127.0.0.1 HTTP/1.1\r\nHost: a\r\n\r\n",
  "CONNECT user@127.0.0.1:80 HTTP/1.1\r\nHost: a\r\n\r\n",
])("a request that is not for a proxy is refused: %j", async (text) => {
  const { proxy } = await openProxy(["example.com", "127.0.0.1"]);
  expect((await raw(proxy.port, text)).slice(9, 12)).toBe("403");
});

test.each([
  "GET http://a/ HTTP/1.1\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nHost: a\r\n\r\n",
  "\x16\x03\x01\0\0\r\n\r\n",
])("a connection that does not send HTTP is closed: %j", async (text) => {
  const { proxy } = await openProxy(["a:80"], { a: ["127.0.0.1"] });
  expect(await raw(proxy.port, text)).toBe("");
});

test("a reused connection waits for an answer that takes longer than its idle timeout", async () => {
  const site = await openSite({
    "/slow": (_, reply) => void setTimeout(() => reply.end("slow"), 6_000),
  });
  const { proxy } = await openProxy([site.host]);
  const get = (path: string) =>
    new Promise<string>((resolve, reject) => {
      const asking = request({ port: proxy.port, path: site.url(path), headers: { connection: "close" } }, (reply) => {
        let text = "";
        reply.on("data", (data) => {
          text += data;
        });
        reply.on("end", () => resolve(text));
      });
      asking.once("error", reject);
      asking.end();
    });
  await get("/");
  expect(await get("/slow")).toBe("slow");
});

test("a redirect is passed on and not followed", async () => {
  const inside = await openSite();
  const site = await openSite({ "/": (_, reply) => void reply.writeHead(302, { location: inside.url() }).end() });
  const { proxy } = await openProxy([site.host]);
  expect(await statusOf(proxy.port, site.url())).toBe("302");
  expect(inside.asked).toEqual([]);
});

test("a host that does not answer gives status 502, and the close of the proxy ends every tunnel", async () => {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  const { proxy } = await openProxy([`127.0.0.1:${port}`, "127.0.0.1:1", "no.example:80"]);
  expect(await statusOf(proxy.port, "http://127.0.0.1:1/")).toBe("502");
  expect(await statusOf(proxy.port, "http://no.example/")).toBe("502");
  const socket = connect(proxy.port, "127.0.0.1");
  socket.write(`CONNECT 127.0.0.1:${port} HTTP/1.1\r\nHost: a\r\n\r\n`);
  await new Promise((resolve) => socket.once("data", resolve));
  const ended = new Promise((resolve) => socket.once("close", resolve));
  await proxy.close();
  await ended;
  await new Promise<void>((resolve) => server.close(() => resolve()));
});

test.each([
  ...[
    "http://a",
    "a/b",
    "",
    "**",
    "*:80",
    "*.",
    "a b",
    "a:0",
    "a:65536",
    "a:x",
    "a@b",
    "*.1.2.3.4",
    "a*.b",
    "[::1",
    "a:1:2",
    "%61",
  ],
])("an invalid entry of the list is refused: %j", (entry) => {
  expect(() => new HostList([entry])).toThrow(/^expected a host of the form .*, but received .*Leave out/);
});

test.each([
  ["EXAMPLE.com", "http://example.com/", true],
  ["example.com", "https://example.com/", true],
  ["example.com", "http://example.com:8080/", false],
  ["example.com:8080", "http://example.com:8080/", true],
  ["example.com:8080", "http://example.com/", false],
  ["example.com", "http://sub.example.com/", false],
  ["*.example.com", "wss://sub.example.com/", true],
  ["*.example.com", "http://example.com/", false],
  ["::1", "http://[::1]/", true],
  ["[::1]:8080", "http://[0:0::1]:8080/", true],
  ["bücher.example", "http://xn--bcher-kva.example/", true],
  ["example.com", "http://example.com@evil.test/", false],
  ["example.com", "ftp://example.com/", false],
  ["example.com", "http://example.com./", true],
])("the list [%j] allows %s: %s", (entry, url, isAllowed) => {
  expect(new HostList([entry]).allowsUrl(url)).toBe(isAllowed);
});

test("the entry `*` allows every host at ports 80 and 443 but names none, so that private addresses stay refused", () => {
  const hosts = new HostList(["*", "inside.test:8080"]);
  for (const host of ["example.com", "a.b.c", "93.184.216.34", "127.0.0.1"]) {
    expect(hosts.allows({ host, port: 443 })).toBe(true);
    expect(hosts.allows({ host, port: 22 })).toBe(false);
    expect(hosts.names({ host, port: 443 })).toBe(false);
  }
  expect(hosts.names({ host: "inside.test", port: 8080 })).toBe(true);
});
