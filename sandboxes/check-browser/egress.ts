import { createSocket } from "node:dgram";
import type { AddressInfo } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { expectCode, expectEqual, expectThat, within } from "../check-sandbox/expect.js";
import { attempt, type BrowserChecks } from "./subject.js";

/** Addresses of this machine and of private networks. */
const inside = ["127.0.0.1", "localhost", "a.localhost", "[::1]", "0.0.0.0", "10.0.0.1", "192.168.0.1", "172.17.0.1"];
/** Addresses of cloud metadata services. */
const metadata = ["169.254.169.254", "100.100.100.200", "[fd00:ec2::254]"];

const isDone = () => true;
const isNotDone = () => false;

/**
 * Scripts with which a page can request an address. Each entry returns the body of an async function that runs in the
 * page.
 */
export const waysOut: Readonly<Record<string, (url: string) => string>> = {
  fetch: (url) => `return (await fetch("${url}", { mode: "no-cors" })).type`,
  image: (url) => `return new Promise((resolve) => { const image = new Image(); image.onload = image.onerror = resolve;
    image.src = "${url}"; }).then(({ type }) => type)`,
  frame: (url) => `const frame = document.createElement("iframe"); frame.src = "${url}"; document.body.append(frame);`,
  form: (url) => `const form = document.createElement("form"); form.method = "post"; form.action = "${url}";
    document.body.append(form); form.submit();`,
  link: (url) =>
    `const link = document.createElement("a"); link.href = "${url}"; document.body.append(link); link.click();`,
  popup: (url) => `window.open("${url}");`,
  beacon: (url) => `navigator.sendBeacon("${url}", "secret");`,
  socket: (url) => `return new Promise((resolve) => { const socket = new WebSocket("${url.replace("http", "ws")}");
    socket.onopen = () => resolve("open"); socket.onclose = () => resolve("closed"); });`,
  worker: (url) => `const code = "fetch('${url}').then(() => postMessage('done'), () => postMessage('failed'))";
    const worker = new Worker(URL.createObjectURL(new Blob([code])));
    return new Promise((resolve) => { worker.onmessage = ({ data }) => resolve(data); });`,
  prefetch: (url) => `for (const rel of ["prefetch", "preconnect", "dns-prefetch", "preload", "prerender"]) {
    const link = document.createElement("link"); link.rel = rel; link.href = "${url}"; document.head.append(link); }`,
  event: (url) => `const source = new EventSource("${url}");
    return new Promise((resolve) => { source.onopen = () => resolve("open"); source.onerror = () => resolve("closed"); });`,
  import: (url) => `return import("${url}");`,
  style: (url) => `const style = document.createElement("style"); style.textContent = \`@import "${url}";
    body { background: url("${url}"); }\`; document.body.append(style);`,
  media: (url) => `for (const [name, key] of [["video", "src"], ["embed", "src"], ["object", "data"]]) {
    const element = document.createElement(name); element[key] = "${url}"; document.body.append(element); }`,
  shared: (url) => `const code = "onconnect = ({ ports: [port] }) => fetch('${url}')" +
      ".then(() => port.postMessage('done'), () => port.postMessage('failed'))";
    const worker = new SharedWorker(URL.createObjectURL(new Blob([code])));
    return new Promise((resolve) => { worker.port.onmessage = ({ data }) => resolve(data);
      setTimeout(resolve, 3_000, "silent"); });`,
  speculation: (url) => `const rules = document.createElement("script"); rules.type = "speculationrules";
    const rule = { source: "list", urls: ["${url}"], eagerness: "immediate" };
    rules.textContent = JSON.stringify({ prefetch: [rule], prerender: [rule] }); document.head.append(rules);`,
  download: (url) => `const link = document.createElement("a"); link.href = "${url}"; link.download = "a";
    link.ping = "${url}"; document.body.append(link); link.click();`,
};

/** Tries every script on an address, and returns the names of the scripts that report success. */
export async function openWays(
  attemptAt: (script: string) => Promise<string>,
  url: (way: string) => string,
): Promise<string[]> {
  const open: string[] = [];
  for (const [way, script] of Object.entries(waysOut)) {
    const received = await attemptAt(script(url(way))).catch((error: Error) => error.message);
    if (/^done (open|done|load|\[object Module\])/.test(received)) open.push(`${way}: ${received}`);
  }
  return open;
}

export const egressChecks: BrowserChecks = {
  async "a listed host is reached by pages, fetch, forms, frames, WebSockets and popups"({ open, serve }) {
    const site = await serve({
      "/": `<form method="post" action="/form"><input name="a" value="1"><button>Send</button></form><iframe src="/frame"></iframe>`,
    });
    const { session, page } = await open({ hosts: [site.host] });
    await session.goto(page, site.url());
    expectEqual(await attempt(page, `return (await fetch("/data")).status`), "done 200");
    const socket = `new Promise((resolve) => { const socket = new WebSocket("ws://${site.host}/socket");
      socket.onopen = () => socket.send("hi"); socket.onmessage = ({ data }) => resolve(data); })`;
    expectEqual(await attempt(page, `return ${socket}`), "done echo hi");
    const [popup] = await Promise.all([page.waitForEvent("popup"), page.evaluate(`void window.open("/popup")`)]);
    await popup.waitForLoadState();
    await popup.close();
    await page.click("button");
    const paths = ["/", "/frame", "/data", "ws /socket", "/popup", "/form"];
    await within(30_000, `requests for ${paths}`, async () => paths.every((path) => site.asked.includes(path)));
    expectEqual(session.refusals, []);
  },
  async "a name below localhost reaches this machine if it is listed with its port"({ open, serve }) {
    const site = await serve({ "/": "<h1>shop</h1>" });
    const { session, page } = await open({ hosts: [`shop.localhost:${site.port}`] });
    await session.goto(page, `http://shop.localhost:${site.port}/`);
    expectEqual(await page.textContent("h1"), "shop");
    await expectCode("REFUSED", () => session.goto(page, site.url()));
  },
  async "`addresses` leads two sessions with the same host name to two servers"({ open, serve }) {
    const [one, two] = [await serve({ "/": "<h1>one</h1>" }), await serve({ "/": "<h1>two</h1>" })];
    for (const [site, text] of [[one, "one"] as const, [two, "two"] as const]) {
      const { session, page } = await open({ hosts: ["shop.test"], addresses: { "shop.test": site.host } });
      await session.goto(page, "http://shop.test/");
      expectEqual(await page.textContent("h1"), text);
      await expectCode("REFUSED", () => session.goto(page, site.url()));
    }
    const addresses = { "shop.test": one.host };
    await expectCode("REFUSED", () => open({ hosts: ["forum.test"], addresses }));
    await expectCode("REFUSED", () => open({ hosts: ["shop.test"], addresses: { "shop.test": "elsewhere.test:80" } }));
  },
  async "an unlisted host is not reached by any kind of request of a page"({ open, serve }) {
    const [site, outside] = [await serve(), await serve()];
    const { session, page } = await open({ hosts: [site.host], mostPages: 100 });
    for (const host of [outside.host, `2130706433:${outside.port}`, `localhost:${outside.port}`]) {
      const attemptAt = async (script: string) => {
        // Requests of the previous attempt may interrupt the navigation.
        await within(30_000, "a load of the site's page", () => session.goto(page, site.url()).then(isDone, isNotDone));
        return attempt(page, script);
      };
      expectEqual(await openWays(attemptAt, (way) => `http://${host}/${way}`), []);
    }
    await sleep(500);
    expectEqual(outside.asked, []);
    expectThat(session.refusals.length > 0, "refusals", "none");
  },
  async "private addresses and metadata services are refused"({ open, serve }) {
    const site = await serve();
    const { session, page } = await open({ hosts: [site.host, "*.example"] });
    for (const host of [...inside, ...metadata])
      for (const port of ["", ":8080"])
        await expectCode("REFUSED", () => session.goto(page, `http://${host}${port}/latest/meta-data`));
    await session.goto(page, site.url());
    for (const host of metadata) {
      const received = await attempt(page, `return (await fetch("http://${host}/", { mode: "no-cors" })).type`);
      expectThat(received.startsWith("failed"), `no answer from ${host}`, received);
    }
  },
  async "a redirect to an unlisted host does not reach it"({ open, serve }) {
    const outside = await serve();
    const site = await serve({ "/": (_, reply) => void reply.writeHead(302, { location: outside.url("/in") }).end() });
    const { session, page } = await open({ hosts: [site.host] });
    await session.goto(page, site.url()).catch(() => {});
    expectEqual(outside.asked, []);
    expectThat(
      session.refusals.some(({ url }) => url === outside.url("/in")),
      "a refusal",
      session.refusals,
    );
  },
  async "local files, browser pages and page sources are not shown"({ open, serve }) {
    const site = await serve();
    const { session, page } = await open({ hosts: [site.host] });
    const forbidden = [
      "file:///etc/passwd",
      "chrome://version",
      "view-source:http://a",
      "data:text/html,a",
      "javascript:1",
    ];
    for (const url of forbidden) {
      await expectCode("REFUSED", () => session.goto(page, url));
      await session.goto(page, site.url());
      const leave = `location.href = "${url}"; await new Promise((resolve) => setTimeout(resolve, 200));`;
      await attempt(page, leave).catch(() => {});
      const isBack = async () => page.url() === site.url() || page.url() === "about:blank";
      await within(30_000, `no page at ${url}`, isBack);
    }
    // The check calls Playwright's `goto` instead of the session's `goto`.
    await page.goto("file:///etc/passwd").catch(() => {});
    const isHidden = async () => !(await page.content().catch(() => "root:")).includes("root:");
    await within(30_000, "no content of a file", isHidden);
    await page.goto("chrome://version").catch(() => {});
    await within(30_000, "about:blank", async () => page.url() === "about:blank");
    const refused = session.refusals.map(({ url }) => url);
    for (const url of ["file:///etc/passwd", "chrome://version/"])
      expectThat(refused.includes(url), `a refusal of ${url}`, refused);
    expectThat(
      /^failed/.test(await attempt(page, `return (await fetch("file:///etc/passwd")).text()`)),
      "a failed fetch of a file",
      "its text",
    );
  },
  async "a service worker cannot be registered"({ open, serve }) {
    const site = await serve({
      "/worker.js": (_, reply) => void reply.setHeader("content-type", "text/javascript").end("onfetch = () => {}"),
    });
    const { session, page } = await open({ hosts: [`localhost:${site.port}`] });
    await session.goto(page, `http://localhost:${site.port}/`);
    const register = `navigator.serviceWorker.register("/worker.js")`;
    await attempt(page, `await Promise.race([${register}, new Promise((r) => setTimeout(r, 500))])`);
    expectThat(!site.asked.includes("/worker.js"), "no request for /worker.js", site.asked);
    expectEqual(session.context.serviceWorkers().length, 0);
  },
  async "WebRTC and WebTransport cannot bypass the proxy"({ open, serve }) {
    const socket = createSocket("udp4");
    let packets = 0;
    socket.on("message", () => packets++);
    await new Promise<void>((resolve) => socket.bind(0, "127.0.0.1", resolve));
    try {
      const { port } = socket.address() as AddressInfo;
      const site = await serve();
      const { session, page } = await open({ hosts: [`localhost:${site.port}`] });
      await session.goto(page, `http://localhost:${site.port}/`);
      await attempt(
        page,
        `const peer = new RTCPeerConnection({ iceServers: [{ urls: "stun:127.0.0.1:${port}" },
           { urls: "turn:127.0.0.1:${port}", username: "a", credential: "b" }] });
         peer.createDataChannel("a"); await peer.setLocalDescription(await peer.createOffer());
         const transport = new WebTransport("https://127.0.0.1:${port}/");
         transport.ready.catch(() => {}); transport.closed.catch(() => {});
         await new Promise((resolve) => setTimeout(resolve, 2_000));`,
      );
      expectEqual(packets, 0);
    } finally {
      socket.close();
    }
  },
};
