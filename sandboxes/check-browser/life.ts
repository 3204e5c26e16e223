import { setTimeout as sleep } from "node:timers/promises";
import { abortSoon, expectCode, expectEqual, expectThat, within } from "../check-sandbox/expect.js";
import { SandboxError } from "../sandbox.js";
import { type BrowserChecks, expectAnswering, type Opened } from "./subject.js";

async function expectLost({ session, page }: Opened): Promise<void> {
  await within(30_000, "an abort of `lost`", async () => session.lost.aborted);
  const { reason } = session.lost as { reason: unknown };
  expectThat(
    reason instanceof SandboxError && reason.code === "LOST",
    "a SandboxError with the code LOST as the reason",
    reason,
  );
  await session.ended;
  await expectCode("LOST", () => session.call(() => page.evaluate("1")));
}

export const lifeChecks: BrowserChecks = {
  async "two sessions share neither cookies nor storage"({ open, serve }) {
    const site = await serve({
      "/login": (_, reply) => void reply.setHeader("set-cookie", "login=ada; HttpOnly").end("<title>in</title>"),
      "/who": ({ headers }, reply) => void reply.end(headers.cookie ?? "nobody"),
    });
    const [one, other] = [await open({ hosts: [site.host] }), await open({ hosts: [site.host] })];
    await one.session.goto(one.page, site.url("/login"));
    await one.page.evaluate("localStorage.setItem('cart', 'full'); sessionStorage.setItem('a', 'b')");
    await other.session.goto(other.page, site.url("/who"));
    expectEqual(await other.page.textContent("body"), "nobody");
    expectEqual(await other.page.evaluate("localStorage.length + sessionStorage.length"), 0);
    const storageState = await one.session.storageState();
    const again = await open({ hosts: [site.host], storageState });
    await again.session.goto(again.page, site.url("/who"));
    expectEqual(await again.page.textContent("body"), "login=ada");
    expectEqual(await again.page.evaluate("localStorage.getItem('cart')"), "full");
  },
  async "a session cannot reach the hosts of another session"({ open, serve }) {
    const [one, two] = [await serve(), await serve()];
    const sessions = [await open({ hosts: [one.host] }), await open({ hosts: [two.host] })] as const;
    await expectCode("REFUSED", () => sessions[0].session.goto(sessions[0].page, two.url()));
    await sessions[1].session.goto(sessions[1].page, two.url());
    await sessions[1].page.evaluate(`fetch("${one.url()}", { mode: "no-cors" }).catch(() => {})`);
    expectEqual(one.asked, []);
  },
  async "each page has one DevTools session"({ open }) {
    const { session, page } = await open();
    const cdp = await session.cdp(page);
    expectThat((await session.cdp(page)) === cdp, "the same DevTools session", "a different session");
    const { nodes } = await cdp.send("Accessibility.getFullAXTree");
    expectThat(nodes.length > 0, "an accessibility tree", nodes);
    const { documents } = await cdp.send("DOMSnapshot.captureSnapshot", { computedStyles: [] });
    expectEqual(documents.length, 1);
  },
  async "a picture of a page does not depend on what the page showed before"({ open }) {
    const { session, page } = await open();
    const style = "background: #07f; border: 1px solid #003eff; border-radius: 3px; margin: 3px; padding: 1px";
    const box = `<p style="${style}">some text</p>`;
    const drawn = "new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => done())))";
    await page.evaluate(`document.body.innerHTML = ${JSON.stringify(box.repeat(3))}; ${drawn}`);
    const first = Buffer.from(await session.screenshot(page));
    for (const property of ["visibility: hidden", "outline: 1px solid red", "margin-top: 9px"]) {
      const [name, value] = property.split(": ");
      await page.evaluate(`document.querySelectorAll("p")[1].style.setProperty("${name}", "${value}"); ${drawn}`);
      expectThat(!first.equals(await session.screenshot(page)), "another picture", `the same picture with ${property}`);
      await page.evaluate(`document.querySelectorAll("p")[1].setAttribute("style", "${style}"); ${drawn}`);
      const again = first.equals(await session.screenshot(page));
      expectThat(again, "the same picture as before", `another picture after ${property}`);
    }
  },
  async "the crash of a page loses its session and no other"({ open }) {
    const [one, other] = [await open(), await open()];
    const cdp = await one.session.cdp(one.page);
    void cdp.send("Page.crash").catch(() => {});
    await expectLost(one);
    await expectAnswering(other);
  },
  async "the crash of a browser loses its sessions, and a new browser replaces it"({ open }) {
    const one = await open();
    const cdp = await one.session.context.browser()?.newBrowserCDPSession();
    void cdp?.send("Browser.crash").catch(() => {});
    await expectLost(one);
    await expectAnswering(await open());
  },
  async "every call after a close is refused, and a second close does nothing"({ open }) {
    const { session, page } = await open();
    await Promise.all([session.close(), session.close()]);
    await session.ended;
    await session.close();
    await expectCode("LOST", () => session.goto(page, "about:blank"));
    await expectCode("LOST", () => session.cdp(page));
    await expectCode("LOST", () => session.screenshot(page));
    await expectCode("LOST", () => session.storageState());
    expectThat(!session.lost.aborted, "`lost` not to abort after `close`", session.lost.reason);
  },
  async "a session is lost at the end of its lifetime"({ open }) {
    await expectLost(await open({ lifetimeMs: 500 }));
  },
  async "an aborted signal prevents the opening of a session"({ open }) {
    const reason = new Error("given up");
    for (const signal of [AbortSignal.abort(reason), abortSoon(reason, 2)]) {
      // The request has a new user agent, since a warm context would be lent before the signal aborts.
      const received = await open({ userAgent: `agent/${Math.random()}` }, signal).catch((error: unknown) => error);
      expectThat(received === reason, "the signal's reason", received);
    }
    await sleep(100);
    await expectAnswering(await open());
  },
  async "an invalid request is refused"({ open }) {
    const changes = [
      { hosts: ["https://example.com/"] },
      { viewport: { width: 0, height: 1 } },
      { viewport: { width: 1, height: 100_000 } },
      { locale: "no locale" },
      { timezone: "Nowhere/None" },
      { mostPages: 0 },
      { lifetimeMs: 2 ** 40 },
    ];
    for (const change of changes) await expectCode("REFUSED", () => open(change));
  },
};
