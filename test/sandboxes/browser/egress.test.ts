/** The list of hosts of a session, enforced by the browser and by the proxy. */
import { chromium, type Page } from "playwright";
import { describe, expect, onTestFinished } from "vitest";
import { defaultOptions } from "#palestra/sandboxes/browser/chromium.js";
import { findBrowser } from "#palestra/sandboxes/browser/executable.js";
import { GuardedContext } from "#palestra/sandboxes/browser/guarded-context.js";
import { openWays, waysOut } from "#palestra/sandboxes/check-browser/egress.js";
import { attempt } from "#palestra/sandboxes/check-browser/subject.js";
import { AddressBook } from "#palestra/sandboxes/egress/address-book.js";
import type { EgressProxy } from "#palestra/sandboxes/egress/egress-proxy.js";
import { HostList } from "#palestra/sandboxes/egress/hosts.js";
import { openPage, openSite, provide, testBrowser } from "../../support/browsers.js";
import { eventually, scratchDir } from "../../support/gym.js";

const atContext = "its host is not among the session's hosts";

const isDone = () => true;
const isNotDone = () => false;

describe("by the proxy alone", () => {
  testBrowser(
    "an unlisted host is not reached by any kind of request of a page",
    async () => {
      const outside = await openSite();
      const site = await openSite();
      const { session, page } = await openPage({ hosts: [site.host], mostPages: 100 });
      await session.context.unrouteAll();
      for (const host of [outside.host, `2130706433:${outside.port}`, `localhost:${outside.port}`]) {
        const attemptAt = async (script: string) => {
          // Requests of the previous attempt may interrupt the navigation.
          await eventually(() => session.goto(page, site.url()).then(isDone, isNotDone));
          return attempt(page, script);
        };
        expect(await openWays(attemptAt, (way) => `http://${host}/${way}`)).toEqual([]);
      }
      await new Promise((resolve) => setTimeout(resolve, 500));
      expect(outside.asked).toEqual([]);
      expect(session.refusals.filter(({ reason }) => reason !== atContext)).not.toEqual([]);
    },
    120_000,
  );
});

testBrowser("the browser alone keeps a page from an unlisted host that the proxy would allow", async () => {
  const outside = await openSite();
  const site = await openSite();
  const program = await chromium.launch({ executablePath: await findBrowser(), artifactsDir: scratchDir() });
  onTestFinished(() => program.close());
  const guarded = await GuardedContext.open(program, defaultOptions, { signals: [] });
  onTestFinished(async () => void (await guarded.close()));
  const hosts = new HostList([site.host]);
  guarded.admit({ hosts, addresses: new AddressBook({}, hosts), mostPages: 100, mostDialogs: 1, dialogMs: 1 });
  (Reflect.get(guarded, "proxy") as EgressProxy).hosts = new HostList([site.host, outside.host]);
  const page = guarded.context.pages()[0] as Page;
  // Playwright does not intercept requests of shared workers. Only the proxy checks them.
  const { shared: _, ...intercepted } = waysOut;
  for (const [name, script] of Object.entries(intercepted)) {
    await eventually(() => page.goto(site.url()).then(isDone, isNotDone));
    await attempt(page, script(outside.url(`/${name}`))).catch(() => {});
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
  expect(outside.asked).toEqual([]);
  expect(new Set(guarded.refusals.map(({ reason }) => reason))).toEqual(new Set([atContext]));
  await guarded.context.unrouteAll();
  await page.goto(outside.url("/through"));
  expect(outside.asked).toContain("/through");
});

testBrowser("the proxy refuses a redirect to an unlisted host", async () => {
  const outside = await openSite();
  const site = await openSite({ "/": (_, reply) => void reply.writeHead(302, { location: outside.url("/in") }).end() });
  const { session, page } = await openPage({ hosts: [site.host] });
  await session.goto(page, site.url());
  expect(await page.textContent("body")).toContain("is not among the session's hosts");
  expect(outside.asked).toEqual([]);
  expect(session.refusals).toContainEqual({ url: outside.url("/in"), reason: expect.stringContaining("not among") });
});

testBrowser("the proxy refuses a name that resolves to a private address", async () => {
  const inside = await openSite();
  const provider = provide({ lookup: async () => ["127.0.0.1"] });
  const { session, page } = await openPage({ hosts: ["*.example", `*.other.example:${inside.port}`] }, provider);
  await session.goto(page, "http://rebound.example/");
  expect(await page.textContent("body")).toContain("no public address");
  await session.goto(page, `http://a.other.example:${inside.port}/`);
  expect(inside.asked).toEqual([]);
});
