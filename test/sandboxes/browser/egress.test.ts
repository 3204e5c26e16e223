/** What a session reaches and what it is kept from, at the browser and at the proxy. */
import { createSocket } from "node:dgram";
import type { AddressInfo } from "node:net";
import { chromium, type Page } from "playwright";
import { describe, expect, onTestFinished } from "vitest";
import { defaultOptions } from "#palestra/sandboxes/browser/chromium.js";
import { findBrowser } from "#palestra/sandboxes/browser/executable.js";
import { GuardedContext } from "#palestra/sandboxes/browser/guarded-context.js";
import type { EgressProxy } from "#palestra/sandboxes/egress/egress-proxy.js";
import { HostList } from "#palestra/sandboxes/egress/hosts.js";
import { openPage, openSite, provide, testBrowser } from "../../support/browsers.js";
import { eventually } from "../../support/gym.js";

const atContext = "its host is not among the session's hosts";

const isDone = () => true;
const isNotDone = () => false;

/** Runs a script that may fail in the page, and gives its error's text. */
function attempt(page: Page, script: string): Promise<string> {
  return page.evaluate(`(async () => { ${script} })().then((done) => "done " + done, (error) => "failed " + error)`);
}

testBrowser("a host of the list is reached: page, fetch, form, frame, socket and popup", async () => {
  const site = await openSite({
    "/": `<form method="post" action="/form"><input name="a" value="1"><button>Send</button></form><iframe src="/frame"></iframe>`,
  });
  const { session, page } = await openPage({ hosts: [site.host] });
  await session.goto(page, site.url());
  expect(await attempt(page, `return (await fetch("/data")).status`)).toBe("done 200");
  const socket = `new Promise((resolve) => { const socket = new WebSocket("ws://${site.host}/socket");
    socket.onopen = () => socket.send("hi"); socket.onmessage = ({ data }) => resolve(data); })`;
  expect(await attempt(page, `return ${socket}`)).toBe("done echo hi");
  const [popup] = await Promise.all([page.waitForEvent("popup"), page.evaluate(`void window.open("/popup")`)]);
  await popup.waitForLoadState();
  await popup.close();
  await page.click("button");
  await eventually(() => site.asked.includes("/form"));
  expect(site.asked).toEqual(expect.arrayContaining(["/", "/frame", "/data", "ws /socket", "/popup", "/form"]));
  expect(session.refusals).toEqual([]);
});

testBrowser("a name below localhost is this machine, where it is named with its port", async () => {
  const site = await openSite({ "/": "<h1>shop</h1>" });
  const { session, page } = await openPage({ hosts: [`shop.localhost:${site.port}`] });
  await session.goto(page, `http://shop.localhost:${site.port}/`);
  expect(await page.textContent("h1")).toBe("shop");
  await expect(session.goto(page, site.url())).rejects.toMatchObject({ code: "REFUSED" });
});

/** Each leaves the page of a site for the address. */
const ways: Record<string, (url: string) => string> = {
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
};

describe.each(["the browser and the proxy", "the proxy alone"])("by %s", (layers) => {
  testBrowser(
    "a host beside the list is not reached, in whatever way a page goes there",
    async () => {
      const outside = await openSite();
      const site = await openSite();
      const { session, page } = await openPage({ hosts: [site.host], mostPages: 100 });
      if (layers === "the proxy alone") await session.context.unrouteAll();
      for (const [name, script] of Object.entries(ways)) {
        for (const host of [outside.host, `2130706433:${outside.port}`, `localhost:${outside.port}`]) {
          // What the last way has begun may come between.
          await eventually(() => session.goto(page, site.url()).then(isDone, isNotDone));
          const received = await attempt(page, script(`http://${host}/${name}`)).catch((error: Error) => error.message);
          expect(`${name}: ${received}`).not.toMatch(/: done (open|done|load|\[object Module\])/);
        }
      }
      await new Promise((resolve) => setTimeout(resolve, 500));
      expect(outside.asked).toEqual([]);
      const isAtContext = session.refusals.map(({ reason }) => reason === atContext);
      expect(isAtContext).toContain(layers !== "the proxy alone");
    },
    120_000,
  );
});

testBrowser(
  "the browser alone keeps a page from a host beside the list, where the proxy would let it through",
  async () => {
    const outside = await openSite();
    const site = await openSite();
    const program = await chromium.launch({ executablePath: await findBrowser() });
    onTestFinished(() => program.close());
    const guarded = await GuardedContext.open(program, defaultOptions);
    onTestFinished(async () => void (await guarded.close()));
    guarded.admit({ hosts: new HostList([site.host]), mostPages: 100, mostDialogs: 1, dialogMs: 1 });
    (Reflect.get(guarded, "proxy") as EgressProxy).hosts = new HostList([site.host, outside.host]);
    const page = guarded.context.pages()[0] as Page;
    for (const [name, script] of Object.entries(ways)) {
      await eventually(() => page.goto(site.url()).then(isDone, isNotDone));
      await attempt(page, script(outside.url(`/${name}`))).catch(() => {});
      await new Promise((resolve) => setTimeout(resolve, 200));
    }
    expect(outside.asked).toEqual([]);
    expect(new Set(guarded.refusals.map(({ reason }) => reason))).toEqual(new Set([atContext]));
    await guarded.context.unrouteAll();
    await page.goto(outside.url("/through"));
    expect(outside.asked).toContain("/through");
  },
);

testBrowser("a redirect to a host beside the list ends at the proxy", async () => {
  const outside = await openSite();
  const site = await openSite({ "/": (_, reply) => void reply.writeHead(302, { location: outside.url("/in") }).end() });
  const { session, page } = await openPage({ hosts: [site.host] });
  await session.goto(page, site.url());
  expect(await page.textContent("body")).toContain("is not among the session's hosts");
  expect(outside.asked).toEqual([]);
  expect(session.refusals).toContainEqual({ url: outside.url("/in"), reason: expect.stringContaining("not among") });
});

testBrowser("a name that leads to a private address is refused by the proxy", async () => {
  const inside = await openSite();
  const provider = provide({ lookup: async () => ["127.0.0.1"] });
  const { session, page } = await openPage({ hosts: ["*.example", `*.other.example:${inside.port}`] }, provider);
  await session.goto(page, "http://rebound.example/");
  expect(await page.textContent("body")).toContain("no public address");
  await session.goto(page, `http://a.other.example:${inside.port}/`);
  expect(inside.asked).toEqual([]);
});

testBrowser("a service worker cannot be registered", async () => {
  const site = await openSite({
    "/": "<title>page</title>",
    "/worker.js": (_, reply) => void reply.setHeader("content-type", "text/javascript").end("onfetch = () => {}"),
  });
  const { session, page } = await openPage({ hosts: [`localhost:${site.port}`] });
  await session.goto(page, `http://localhost:${site.port}/`);
  await attempt(
    page,
    `await Promise.race([navigator.serviceWorker.register("/worker.js"), new Promise((r) => setTimeout(r, 500))])`,
  );
  expect(site.asked).not.toContain("/worker.js");
  expect(session.context.serviceWorkers()).toEqual([]);
});

testBrowser("WebRTC and WebTransport send no packet past the proxy", async () => {
  const socket = createSocket("udp4");
  onTestFinished(() => void socket.close());
  let packets = 0;
  socket.on("message", () => packets++);
  await new Promise<void>((resolve) => socket.bind(0, "127.0.0.1", resolve));
  const { port } = socket.address() as AddressInfo;
  const site = await openSite();
  const { session, page } = await openPage({ hosts: [`localhost:${site.port}`] });
  await session.goto(page, `http://localhost:${site.port}/`);
  await attempt(
    page,
    `const peer = new RTCPeerConnection({ iceServers: [{ urls: "stun:127.0.0.1:${port}" },
       { urls: "turn:127.0.0.1:${port}", username: "a", credential: "b" }] });
     peer.createDataChannel("a"); await peer.setLocalDescription(await peer.createOffer());
     const transport = new WebTransport("https://127.0.0.1:${port}/"); transport.ready.catch(() => {}); transport.closed.catch(() => {});
     await new Promise((resolve) => setTimeout(resolve, 2_000));`,
  );
  expect(packets).toBe(0);
});

testBrowser("files, the browser's own pages and sources are shown to nobody", async () => {
  const site = await openSite();
  const { session, page } = await openPage({ hosts: [site.host] });
  const forbidden = [
    "file:///etc/passwd",
    "chrome://version",
    "view-source:http://a",
    "data:text/html,a",
    "javascript:1",
  ];
  for (const url of forbidden) {
    await expect(session.goto(page, url)).rejects.toMatchObject({ code: "REFUSED" });
    await session.goto(page, site.url());
    await attempt(page, `location.href = "${url}"; await new Promise((resolve) => setTimeout(resolve, 200));`).catch(
      () => {},
    );
    await eventually(() => page.url() === site.url() || page.url() === "about:blank");
  }
  // As an environment does that has not heard of `goto`.
  await page.goto("file:///etc/passwd").catch(() => {});
  await eventually(async () => !(await page.content().catch(() => "root:")).includes("root:"));
  await page.goto("chrome://version").catch(() => {});
  await eventually(() => page.url() === "about:blank");
  expect(session.refusals.map(({ url }) => url)).toEqual(
    expect.arrayContaining(["file:///etc/passwd", "chrome://version/"]),
  );
  expect(await attempt(page, `return (await fetch("file:///etc/passwd")).text()`)).toMatch(/^failed/);
});
