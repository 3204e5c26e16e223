/** Pages that open windows, dialogs and downloads without end, that hang, crash, or grow. */
import type { Dialog } from "playwright";
import { expect } from "vitest";
import { firstPage, lossOf, openPage, openSite, provide, testBrowser } from "../../support/browsers.js";
import { eventually } from "../../support/gym.js";

testBrowser("windows without end are closed as they open, and the page goes on", async () => {
  const site = await openSite({ "/": `<button onclick="for (;;) if (!window.open('/popup')) break">Go</button>` });
  const { session, page } = await openPage({ hosts: [site.host], mostPages: 3 });
  await session.goto(page, site.url());
  await page.evaluate("for (let at = 0; at < 100; at++) setTimeout(() => window.open('/popup'))");
  await page.click("button");
  // Each counts as a person's own gesture, which may open one.
  for (let at = 0; at < 6; at++) await page.evaluate("void window.open('/popup')").catch(() => {});
  await eventually(() => session.refusals.some(({ reason }) => reason === "more than 3 pages at once"));
  await eventually(() => session.context.pages().length <= 3);
  expect(await session.call(() => page.evaluate("1 + 1"))).toBe(2);
  expect(session.lost.aborted).toBe(false);
});

testBrowser(
  "a dialog waits for its handler, is dismissed when it waits too long, and at once without a handler",
  async () => {
    const { session, page } = await openPage({ hosts: [], dialogMs: 300 });
    expect(await page.evaluate("prompt('a')")).toBe(null);
    session.onDialog((dialog) => dialog.accept("answer"));
    expect(await page.evaluate("prompt('a')")).toBe("answer");
    const dialogs: Dialog[] = [];
    session.onDialog((dialog) => void dialogs.push(dialog));
    const begunAt = performance.now();
    expect(await page.evaluate("confirm('a')")).toBe(false);
    expect(performance.now() - begunAt).toBeGreaterThan(290);
    const later = page.evaluate("confirm('b')");
    await eventually(() => dialogs.length === 2);
    await dialogs[1]?.accept();
    expect(await later).toBe(true);
    session.onDialog(() => {
      throw new Error("a handler's bug");
    });
    expect(await page.evaluate("confirm('c')")).toBe(false);
  },
);

testBrowser("alerts without end close their page, not the session", async () => {
  const { session, page } = await openPage({ hosts: [], mostDialogs: 20 });
  const other = await session.context.newPage();
  page.evaluate("(() => { for (;;) alert('again'); })()").catch(() => {});
  await eventually(() => page.isClosed());
  expect(await session.call(() => other.evaluate("2"))).toBe(2);
  expect(session.refusals.at(-1)?.reason).toBe("more than 20 dialogs");
});

testBrowser("a question whether to leave a page holds nobody back", async () => {
  const site = await openSite({ "/": `<body onbeforeunload="event.preventDefault(); return 'stay'"><input>` });
  const { session, page } = await openPage({ hosts: [site.host] });
  await session.goto(page, site.url());
  await page.fill("input", "changed");
  await session.goto(page, site.url("/next"));
  expect(page.url()).toBe(site.url("/next"));
});

testBrowser("a download is refused", async () => {
  const site = await openSite({
    "/file": (_, reply) => void reply.setHeader("content-disposition", "attachment").end("data"),
  });
  const { session, page } = await openPage({ hosts: [site.host] });
  await session.goto(page, site.url());
  const [download] = await Promise.all([
    page.waitForEvent("download"),
    page.evaluate(`void (location.href = "/file")`),
  ]);
  await expect(download.path()).rejects.toThrow(/acceptDownloads|canceled/);
});

testBrowser("permissions are denied without a question", async () => {
  const site = await openSite();
  const { session, page } = await openPage({ hosts: [`localhost:${site.port}`] });
  await session.goto(page, `http://localhost:${site.port}/`);
  for (const name of ["geolocation", "notifications", "camera", "microphone", "clipboard-read"]) {
    const state = await page.evaluate(`navigator.permissions.query({ name: "${name}" }).then(({ state }) => state)`);
    expect(`${name} ${state}`).toBe(`${name} denied`);
  }
});

testBrowser("a call that a page does not answer is bounded, and the session can be closed", async () => {
  const { session, page } = await openPage({ hosts: [], callMs: 500 });
  const hang = session.call(() => page.evaluate("(() => { for (;;); })()"));
  await expect(hang).rejects.toMatchObject({ code: "TIMEOUT" });
  const stop = new AbortController();
  const aborted = session.call(() => page.evaluate("1"), { timeoutMs: 5_000, signal: stop.signal });
  stop.abort(new Error("given up"));
  await expect(aborted).rejects.toThrow("given up");
  await expect(session.screenshot(page)).rejects.toMatchObject({ code: "TIMEOUT" });
  const begunAt = performance.now();
  await session.close();
  expect(performance.now() - begunAt).toBeLessThan(6_000);
});

testBrowser("a page of any size gives a picture of bounded size", async () => {
  const { session, page } = await openPage({ hosts: [] });
  await page.evaluate("document.body.innerHTML = '<div style=\"height: 1000000px; width: 99999px\">a</div>'");
  const picture = Buffer.from(await session.screenshot(page, { isFullPage: true, type: "jpeg", quality: 10 }));
  expect(picture.subarray(0, 2)).toEqual(Buffer.from([0xff, 0xd8]));
  const viewport = Buffer.from(await session.screenshot(page));
  expect([viewport.readUInt32BE(16), viewport.readUInt32BE(20)]).toEqual([1_280, 720]);
  await expect(session.screenshot(page, { maxBytes: 100 })).rejects.toMatchObject({ code: "TOO_LARGE" });
});

testBrowser("the crash of a page is told as LOST, and other sessions of the browser go on", async () => {
  const provider = provide();
  const { session, page } = await openPage({ hosts: [] }, provider);
  const other = await provider.open({ hosts: [] });
  const cdp = await session.cdp(page);
  void cdp.send("Page.crash").catch(() => {});
  expect(await lossOf(session)).toMatchObject({ code: "LOST", received: "the crash of a page" });
  await session.ended;
  await expect(session.call(() => page.evaluate("1"))).rejects.toMatchObject({ code: "LOST" });
  expect(await other.call(() => firstPage(other).evaluate("1"))).toBe(1);
});

testBrowser("each page has one session of the DevTools protocol", async () => {
  const { session, page } = await openPage({ hosts: [] });
  const cdp = await session.cdp(page);
  expect(await session.cdp(page)).toBe(cdp);
  const { nodes } = await cdp.send("Accessibility.getFullAXTree");
  expect(nodes.length).toBeGreaterThan(0);
  const { documents } = await cdp.send("DOMSnapshot.captureSnapshot", { computedStyles: [] });
  expect(documents).toHaveLength(1);
});
