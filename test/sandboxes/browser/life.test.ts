/** The start, sharing and end of browser sessions and browsers. */
import { readdirSync } from "node:fs";
import { tmpdir } from "node:os";
import { isDeepStrictEqual } from "node:util";
import type { Browser, BrowserContext } from "playwright";
import { expect, test } from "vitest";
import { defaultOptions } from "#palestra/sandboxes/browser/chromium.js";
import { GuardedContext } from "#palestra/sandboxes/browser/guarded-context.js";
import type { BrowserSession } from "#palestra/sandboxes/browser.js";
import { firstPage, lossOf, openPage, openSite, provide, testBrowser, unusedFolders } from "../../support/browsers.js";
import { eventually } from "../../support/gym.js";
import { processesWith } from "../../support/processes.js";

/** The warm contexts of a browser, which are private to it. */
interface WithWarm {
  warm: { key: string; context: { context: BrowserContext } }[];
}

const folders = () => readdirSync(tmpdir()).filter((name) => name.startsWith(`palestra-browsers-${process.pid}-`));
const processes = () => processesWith(`palestra-browsers-${process.pid}-`);

/** Returns the pid of the main process of each browser of this process. */
function browserPids(): number[] {
  const inside = [...processesWith("--type="), ...processesWith("chrome_crashpad_handler")];
  return processesWith("--remote-debugging-pipe").filter((pid) => processes().includes(pid) && !inside.includes(pid));
}

async function outcomeOf(opening: Promise<BrowserSession>): Promise<string> {
  return opening.then(
    () => "open",
    (error) => error.code ?? error.message,
  );
}

test("a context whose browser never answers, as in a crash, leaves no proxy behind", async () => {
  const proxies = () => process.getActiveResourcesInfo().filter((name) => name === "TCPServerWrap").length;
  const before = proxies();
  const silent = { newContext: () => new Promise(() => {}) } as unknown as Browser;
  const gone = new AbortController();
  const opening = GuardedContext.open(silent, defaultOptions, { signals: [gone.signal] });
  await eventually(() => proxies() === before + 1);
  gone.abort(new Error("the end of its browser"));
  await expect(opening).rejects.toThrow("the end of its browser");
  await eventually(() => proxies() === before);
});

test("a context that cannot be set up is closed", async () => {
  let isClosed = false;
  const context = {
    on() {},
    grantPermissions: () => Promise.reject(new Error("no permissions")),
    route: async () => {},
    routeWebSocket: async () => {},
    async close() {
      isClosed = true;
    },
  };
  const browser = { newContext: async () => context } as unknown as Browser;
  await expect(GuardedContext.open(browser, defaultOptions, { signals: [] })).rejects.toThrow("no permissions");
  expect(isClosed).toBe(true);
});

testBrowser("no process runs before the first session or after the close", async () => {
  const provider = provide({ browsers: 2, warmContexts: 2 });
  const before = unusedFolders();
  expect([processes(), folders()]).toEqual([[], []]);
  const sessions = await Promise.all([provider.open({ hosts: [] }), provider.open({ hosts: [] })]);
  expect(folders()).toHaveLength(1);
  await Promise.all([provider.close(), provider.close()]);
  await Promise.all(sessions.map(({ ended }) => ended));
  await eventually(() => processes().length === 0 && folders().length === 0);
  await eventually(() => unusedFolders().every((name) => before.includes(name)));
  await expect(provider.open({ hosts: [] })).rejects.toMatchObject({ code: "REFUSED" });
  for (const session of sessions) {
    await expect(session.storageState()).rejects.toMatchObject({ code: "LOST" });
    expect(session.lost.aborted).toBe(false);
  }
});

testBrowser("sessions share neither cookies nor storage, and a storage state restores a login", async () => {
  const site = await openSite({
    "/login": (_, reply) => void reply.setHeader("set-cookie", "login=ada; HttpOnly").end("<title>in</title>"),
    "/who": ({ headers }, reply) => void reply.end(headers.cookie ?? "nobody"),
  });
  const provider = provide({ warmContexts: 2 });
  const request = { hosts: [site.host] };
  const { session, page } = await openPage(request, provider);
  await session.goto(page, site.url("/login"));
  await page.evaluate("localStorage.setItem('cart', 'full'); sessionStorage.setItem('a', 'b')");
  const storageState = await session.storageState();
  const other = await openPage(request, provider);
  await other.session.goto(other.page, site.url("/who"));
  expect(await other.page.textContent("body")).toBe("nobody");
  expect(await other.page.evaluate("localStorage.length + sessionStorage.length")).toBe(0);
  await session.close();
  for (const hosts of [[site.host], [site.host, "example.com"]]) {
    const again = await openPage({ hosts, storageState }, provider);
    expect(again.session.context.pages()).toHaveLength(1);
    await again.session.goto(again.page, site.url("/who"));
    expect(await again.page.textContent("body")).toBe("login=ada");
    expect(await again.page.evaluate("localStorage.getItem('cart')")).toBe("full");
    expect(again.session.refusals).toEqual([]);
  }
});

testBrowser("a session has the options of its request", async () => {
  const viewport = { width: 500, height: 1_200 };
  const request = { hosts: [], viewport, locale: "de-DE", timezone: "Europe/Berlin", userAgent: "Agent/1" };
  const { page, session } = await openPage(request);
  const facts = `[innerWidth, innerHeight, navigator.language, navigator.userAgent,
    Intl.DateTimeFormat().resolvedOptions().timeZone]`;
  expect(await page.evaluate(facts)).toEqual([500, 1_200, "de-DE", "Agent/1", "Europe/Berlin"]);
  await session.close();
  const site = await openSite({ "/": `<h1>off</h1><script>document.querySelector("h1").textContent = "on"</script>` });
  const still = await openPage({ hosts: [site.host], javaScript: false });
  await still.session.goto(still.page, site.url());
  expect(await still.page.textContent("h1")).toBe("off");
});

testBrowser("a killed browser loses only its own sessions and is replaced", async () => {
  const provider = provide({ browsers: 2, contextsPerBrowser: 1 });
  const first = await provider.open({ hosts: [] });
  const [pid] = browserPids();
  const second = await provider.open({ hosts: [] });
  const waiting = provider.open({ hosts: [] });
  process.kill(pid as number, "SIGKILL");
  expect(await lossOf(first)).toMatchObject({ code: "LOST" });
  await first.ended;
  expect(await second.call(() => firstPage(second).evaluate("1"))).toBe(1);
  const third = await waiting;
  expect(await third.call(() => firstPage(third).evaluate("1"))).toBe(1);
  expect(browserPids()).not.toContain(pid);
  expect(second.lost.aborted).toBe(false);
});

testBrowser("a stopped browser is ended with its provider", async () => {
  const provider = provide();
  await provider.open({ hosts: [] });
  for (const pid of browserPids()) process.kill(pid, "SIGSTOP");
  await provider.close();
  await eventually(() => processes().length === 0 && folders().length === 0);
});

testBrowser(
  "with all places taken, the longest waiter is next, and a call that waits too long fails with FULL",
  async () => {
    const provider = provide({ contextsPerBrowser: 2, waitMs: 5_000 });
    const [one, two] = await Promise.all([provider.open({ hosts: [] }), provider.open({ hosts: [] })]);
    const order: string[] = [];
    const stop = new AbortController();
    const waiting = ["a", "b", "c"].map((name) =>
      outcomeOf(provider.open({ hosts: [] }, name === "b" ? stop.signal : undefined)).then((outcome) =>
        order.push(`${name} ${outcome}`),
      ),
    );
    stop.abort(new Error("given up"));
    await waiting[1];
    await one?.close();
    await waiting[0];
    await waiting[2];
    expect(order).toEqual(["b given up", "a open", "c FULL"]);
    await two?.close();
    expect(await outcomeOf(provider.open({ hosts: [] }))).toBe("open");
  },
);

testBrowser("an aborted call takes no place", async () => {
  const provider = provide({ contextsPerBrowser: 1, waitMs: 20_000 });
  const reason = new Error("given up");
  await expect(provider.open({ hosts: [] }, AbortSignal.abort(reason))).rejects.toBe(reason);
  for (const ms of [0, 5, 20, 50, 100, 300]) {
    const stop = new AbortController();
    setTimeout(() => stop.abort(reason), ms);
    const outcome = await provider.open({ hosts: [] }, stop.signal).catch((error) => error);
    if (outcome === reason) continue;
    await outcome.close();
  }
  const session = await provider.open({ hosts: [] });
  expect(await session.call(() => firstPage(session).evaluate("1"))).toBe(1);
});

testBrowser("a browser is replaced by sessions served, age or memory, after its last session has ended", async () => {
  // A browser with two sessions uses more than 250 MiB, and less than twice the limit, at which it would be ended at
  // once.
  for (const limits of [{ mostServed: 1 }, { maxAgeMs: 1 }, { memoryMb: 250 }]) {
    const provider = provide({ ...limits, contextsPerBrowser: 2 });
    const session = await provider.open({ hosts: [] });
    const [pid] = browserPids();
    const beside = await provider.open({ hosts: [] });
    await session.close();
    expect(await beside.call(() => firstPage(beside).evaluate("1"))).toBe(1);
    // Memory is measured in the background. Once another browser gets a session, this one gets no more.
    await eventually(async () => {
      const other = await provider.open({ hosts: [] });
      const isElsewhere = browserPids().length === 2;
      await other.close();
      return isElsewhere;
    });
    await beside.close();
    await eventually(() => !browserPids().includes(pid as number));
    const next = await provider.open({ hosts: [] });
    expect(browserPids()).not.toContain(pid);
    await next.close();
    await provider.close();
  }
});

testBrowser("a browser without sessions is ended after its idle time", async () => {
  const provider = provide({ warmMs: 200 });
  const session = await provider.open({ hosts: [] });
  await new Promise((resolve) => setTimeout(resolve, 500));
  expect(browserPids()).toHaveLength(1);
  await session.close();
  await eventually(() => browserPids().length === 0);
  expect(await outcomeOf(provider.open({ hosts: [] }))).toBe("open");
});

testBrowser("a warm context has the options of the last request, and serves the next one like it", async () => {
  const provider = provide({ warmContexts: 1 });
  const open = async (width: number) => {
    const session = await provider.open({ hosts: [], viewport: { width, height: 400 } });
    expect(firstPage(session).viewportSize()).toEqual({ width, height: 400 });
    await session.close();
    return session.context;
  };
  await open(600);
  await open(601);
  const [browser] = [...(Reflect.get(provider, "browsers") as Set<WithWarm>)];
  const warm = () => browser?.warm.map(({ key }) => key);
  const keyOf = (width: number) => JSON.stringify([width, 400, "en-US", "UTC", true, undefined]);
  await eventually(() => isDeepStrictEqual(warm(), [keyOf(601)]));
  const context = browser?.warm[0]?.context.context;
  expect(await open(602)).not.toBe(context);
  await eventually(() => isDeepStrictEqual(warm(), [keyOf(602)]));
  const next = browser?.warm[0]?.context.context;
  expect(await open(602)).toBe(next);
});

testBrowser("a warm context is fresh: one blank page, no refusals, no storage, no history", async () => {
  const site = await openSite({ "/": ({ headers }, reply) => void reply.end(headers.cookie ?? "none") });
  const provider = provide({ warmContexts: 1 });
  const request = { hosts: [site.host], viewport: { width: 610, height: 400 } };
  await (await provider.open(request)).close();
  const [browser] = [...(Reflect.get(provider, "browsers") as Set<WithWarm>)];
  const key = JSON.stringify([610, 400, "en-US", "UTC", true, undefined]);
  await eventually(() => browser?.warm[0]?.key === key);
  const { session, page } = await openPage(request, provider);
  expect(session.context.pages().map((each) => each.url())).toEqual(["about:blank"]);
  expect(session.refusals).toEqual([]);
  expect(await page.evaluate("[history.length, performance.getEntriesByType('resource').length]")).toEqual([1, 0]);
  await session.goto(page, site.url());
  expect(await page.textContent("body")).toBe("none");
  await expect(session.goto(page, "http://elsewhere.invalid/")).rejects.toMatchObject({ code: "REFUSED" });
  const failed = await page.evaluate(`fetch("http://elsewhere.invalid/").then(() => "reached", () => "failed")`);
  expect(failed).toBe("failed");
  // The context refuses it, and so does the proxy if Chromium preconnects or requests an icon.
  const refusedHosts = session.refusals.map(({ url }) => new URL(url).host);
  expect(new Set(refusedHosts)).toEqual(new Set(["elsewhere.invalid"]));
});

testBrowser("a failed context affects neither its browser nor other sessions", async () => {
  const provider = provide();
  const { session, page } = await openPage({ hosts: [] }, provider);
  const pids = browserPids();
  const browser = session.context.browser() as Browser;
  const { newContext } = browser;
  browser.newContext = () => Promise.reject(new Error("no context"));
  const other = { hosts: [], viewport: { width: 300, height: 300 } };
  await expect(provider.open(other)).rejects.toMatchObject({ code: "START", received: "no context" });
  browser.newContext = newContext;
  const next = await provider.open(other);
  expect(next.context.browser()).toBe(browser);
  expect(browserPids()).toEqual(pids);
  expect(await session.call(() => page.evaluate("1"))).toBe(1);
});

testBrowser("a browser gets no more sessions if its contexts fail or it does not answer", async () => {
  const provider = provide();
  const { session } = await openPage({ hosts: [] }, provider);
  const browser = session.context.browser() as Browser;
  browser.newContext = () => Promise.reject(new Error("no context"));
  const other = { hosts: [], viewport: { width: 300, height: 300 } };
  for (let at = 0; at < 3; at++) await expect(provider.open(other)).rejects.toMatchObject({ received: "no context" });
  const second = await provider.open(other);
  expect(second.context.browser()).not.toBe(browser);
  const silent = second.context.browser() as Browser;
  silent.newContext = () => Promise.reject(new Error("no context"));
  silent.newBrowserCDPSession = () => new Promise(() => {});
  const third = { hosts: [], viewport: { width: 400, height: 300 } };
  await expect(provider.open(third)).rejects.toMatchObject({ received: "no context" });
  await second.close();
  expect((await provider.open(third)).context.browser()).not.toBe(silent);
});

testBrowser(
  "a page that logs a huge message loses its session, and the error names the cause",
  async () => {
    const { session, page } = await openPage({ hosts: [] });
    const before = process.memoryUsage().rss;
    page.evaluate("console.log('x'.repeat(140 * 2 ** 20))").catch(() => {});
    expect(await lossOf(session)).toMatchObject({
      code: "LOST",
      received: "a message of more than 134217728 bytes from the browser",
    });
    expect(process.memoryUsage().rss - before).toBeLessThan(300 * 2 ** 20);
  },
  180_000,
);
