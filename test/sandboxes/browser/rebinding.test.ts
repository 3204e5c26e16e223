/**
 * DNS rebinding in the browser: a host name first resolves to an outside server, and later to this machine. In these
 * tests, 127.0.0.9 counts as a public address, since a test reaches no other machine.
 */
import { createSocket } from "node:dgram";
import { createServer } from "node:http";
import { type AddressInfo, BlockList, createServer as createTcpServer } from "node:net";
import { networkInterfaces } from "node:os";
import { expect, onTestFinished, vi } from "vitest";
import { WebSocketServer } from "ws";
import { waysOut } from "#palestra/sandboxes/check-browser/egress.js";
import { attempt } from "#palestra/sandboxes/check-browser/subject.js";
import { openPage, openSite, provide, testBrowser } from "../../support/browsers.js";
import { eventually } from "../../support/gym.js";

const outsideAddress = "127.0.0.9";

const { check } = BlockList.prototype;
vi.spyOn(BlockList.prototype, "check").mockImplementation(function (this: BlockList, ...asked) {
  return asked[0] !== outsideAddress && check.apply(this, asked as never);
});

/** Listens at an address of this machine, and records the requests and WebSockets. */
async function listenAt(host: string, port = 0) {
  const asked: string[] = [];
  const server = createServer(({ url = "" }, reply) => {
    asked.push(url);
    reply.setHeader("content-type", "text/html").end("<title>page</title><body>");
  });
  new WebSocketServer({ server }).on("connection", (_, { url }) => void asked.push(`ws ${url}`));
  await new Promise<void>((resolve) => server.listen(port, host, resolve));
  const close = () => {
    server.close();
    server.closeAllConnections();
  };
  onTestFinished(close);
  return { asked, port: (server.address() as AddressInfo).port, close };
}

/** Opens a page of `http://a.example:port`, whose name then resolves to the given addresses. */
async function rebound(...later: string[]) {
  const outside = await listenAt(outsideAddress);
  const inside = await listenAt("127.0.0.1", outside.port);
  let addresses = [outsideAddress];
  const provider = provide({ lookup: async () => addresses });
  const request = { hosts: [`*.example:${outside.port}`], mostPages: 100 };
  const { session, page } = await openPage(request, provider);
  const home = `http://a.example:${outside.port}`;
  const load = async () => {
    addresses = [outsideAddress];
    // Requests of the previous attempt may interrupt the navigation.
    await eventually(() =>
      session.goto(page, `${home}/`).then(
        () => true,
        () => false,
      ),
    );
    addresses = later;
  };
  await load();
  expect([outside.asked.includes("/"), inside.asked]).toEqual([true, []]);
  return { outside, inside, session, page, home, load };
}

testBrowser(
  "no kind of request of a page reaches this machine when the page's own name later resolves to it",
  async () => {
    const { inside, session, page, home, load } = await rebound("127.0.0.1");
    for (const [way, script] of Object.entries(waysOut)) {
      await load();
      await attempt(page, script(`${home}/${way}`)).catch(() => {});
      await new Promise((resolve) => setTimeout(resolve, 200));
    }
    await page.reload().catch(() => {});
    expect(inside.asked).toEqual([]);
    expect(session.refusals.map(({ reason }) => reason)).toContainEqual(
      expect.stringMatching(/^a\.example leads to 127\.0\.0\.1, which is no public address/),
    );
  },
  180_000,
);

testBrowser("a name with an outside address and one of this machine does not reach this machine", async () => {
  const { outside, inside, session, page, home } = await rebound(outsideAddress, "127.0.0.1");
  outside.close();
  // The proxy tries all permitted addresses for a tunnel, and the first for a request.
  await attempt(page, waysOut.socket?.(`${home}/later`) ?? "");
  await session.goto(page, `${home}/later`).catch(() => {});
  expect(inside.asked).toEqual([]);
});

testBrowser("a name cannot reach a link-local address later, even if the name is listed with its port", async () => {
  const site = await openSite();
  let addresses = ["127.0.0.1"];
  const provider = provide({ lookup: async () => addresses });
  const { session, page } = await openPage({ hosts: [`shop.example:${site.port}`] }, provider);
  await session.goto(page, `http://shop.example:${site.port}/`);
  addresses = ["169.254.169.254"];
  expect(await attempt(page, `return (await fetch("/latest/meta-data/")).status`)).toBe("done 403");
  addresses = ["127.0.0.1"];
  expect(await attempt(page, `return (await fetch("/again")).status`)).toBe("done 200");
  const elsewhere = await openSite();
  const received = await attempt(page, `return (await fetch("http://shop.example:${elsewhere.port}/")).status`);
  expect([received, elsewhere.asked]).toEqual([expect.stringMatching(/^failed/), []]);
});

testBrowser(
  "WebRTC reaches nothing by TCP, UDP or multicast DNS, whatever servers and candidates a page names",
  async () => {
    const reached: string[] = [];
    const server = createTcpServer((socket) => {
      reached.push("a TCP connection");
      socket.destroy();
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    onTestFinished(() => void server.close());
    const { port } = server.address() as AddressInfo;
    const udp = createSocket("udp4").on("message", () => reached.push("a UDP packet"));
    await new Promise<void>((resolve) => udp.bind(port, "127.0.0.1", resolve));
    const multicast = createSocket({ type: "udp4", reuseAddr: true });
    multicast.on("message", (packet) => {
      // Chromium replaces the name before the query.
      if (/NOTFOUND|secret-data/.test(packet.toString("latin1"))) reached.push("a query by multicast DNS");
    });
    await new Promise<void>((resolve) => multicast.bind(5353, resolve));
    for (const { address, family } of Object.values(networkInterfaces()).flatMap((all) => all ?? []))
      if (family === "IPv4") multicast.addMembership("224.0.0.251", address);
    onTestFinished(() => {
      udp.close();
      multicast.close();
    });
    const site = await openSite();
    const { session, page } = await openPage({ hosts: [`localhost:${site.port}`] });
    await session.goto(page, `http://localhost:${site.port}/`);
    const hosts = ["127.0.0.1", "localhost", "[::1]"];
    const servers = ["turn", "turns"].flatMap((scheme) =>
      hosts.map((host) => `${scheme}:${host}:${port}?transport=tcp`),
    );
    servers.push(...hosts.map((host) => `turn:${host}:${port}`));
    const ice = JSON.stringify({ iceServers: [{ urls: servers, username: "a", credential: "b" }] });
    const names = ["127.0.0.1", "localhost", "secret-data.local", "0f5a7b3c-2222-3333-4444-555555555555.local"];
    const candidates = names.flatMap((name) => [
      `candidate:1 1 udp 2113937151 ${name} ${port} typ host generation 0`,
      `candidate:2 1 tcp 1518280447 ${name} ${port} typ host tcptype passive generation 0`,
    ]);
    const received = await attempt(
      page,
      `const [one, other] = [new RTCPeerConnection(${ice}), new RTCPeerConnection()];
     one.createDataChannel("a"); await one.setLocalDescription(await one.createOffer());
     await other.setRemoteDescription(one.localDescription);
     await other.setLocalDescription(await other.createAnswer());
     await one.setRemoteDescription(other.localDescription);
     for (const candidate of ${JSON.stringify(candidates)})
       await one.addIceCandidate({ candidate, sdpMid: "0", sdpMLineIndex: 0 });
     await new Promise((resolve) => setTimeout(resolve, 4_000));
     return one.localDescription.sdp.includes("a=candidate");`,
    );
    expect([received, reached]).toEqual(["done false", []]);
  },
);
