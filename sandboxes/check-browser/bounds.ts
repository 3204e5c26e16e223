import type { Dialog } from "playwright";
import { expectCode, expectEqual, expectThat, within } from "../check-sandbox/expect.js";
import { type BrowserChecks, expectAnswering } from "./subject.js";

const jpegMark = Buffer.from([0xff, 0xd8]);

export const boundChecks: BrowserChecks = {
  async "windows beyond `mostPages` are closed as they open, and the page keeps working"({ open, serve }) {
    const site = await serve({ "/": `<button onclick="for (;;) if (!window.open('/popup')) break">Go</button>` });
    const opened = await open({ hosts: [site.host], mostPages: 3 });
    const { session, page } = opened;
    await session.goto(page, site.url());
    await page.evaluate("for (let at = 0; at < 100; at++) setTimeout(() => window.open('/popup'))");
    await page.click("button");
    // Chromium treats each call as a user gesture, which is allowed to open a window.
    for (let at = 0; at < 6; at++) await page.evaluate("void window.open('/popup')").catch(() => {});
    const isRefused = async () => session.refusals.some(({ reason }) => reason === "more than 3 pages at once");
    await within(30_000, "a refusal of pages", isRefused);
    await within(30_000, "at most 3 pages", async () => session.context.pages().length <= 3);
    await expectAnswering(opened);
    expectThat(!session.lost.aborted, "a session that is not lost", session.lost.reason);
  },
  async "a dialog is dismissed if it has no handler or its handler throws"({ open }) {
    const { session, page } = await open();
    expectEqual(await page.evaluate("prompt('a')"), null);
    session.onDialog((dialog) => dialog.accept("answer"));
    expectEqual(await page.evaluate("prompt('a')"), "answer");
    session.onDialog(() => {
      throw new Error("a handler's bug");
    });
    expectEqual(await page.evaluate("confirm('c')"), false);
  },
  async "a dialog that its handler ignores is dismissed after `dialogMs`"({ open }) {
    const { session, page } = await open({ dialogMs: 300 });
    const dialogs: Dialog[] = [];
    session.onDialog((dialog) => void dialogs.push(dialog));
    const begunAt = performance.now();
    expectEqual(await page.evaluate("confirm('a')"), false);
    const ms = performance.now() - begunAt;
    expectThat(ms > 290, "`call` to wait for at least 290 ms", `${ms} ms`);
    const later = page.evaluate("confirm('b')");
    await within(30_000, "a dialog", async () => dialogs.length === 2);
    await dialogs[1]?.accept();
    expectEqual(await later, true);
  },
  async "endless alerts close their page but not the session"({ open }) {
    const { session, page } = await open({ mostDialogs: 20 });
    const other = await session.context.newPage();
    page.evaluate("(() => { for (;;) alert('again'); })()").catch(() => {});
    await within(30_000, "the end of the page", async () => page.isClosed());
    await expectAnswering({ session, page: other });
    expectEqual(session.refusals.at(-1)?.reason, "more than 20 dialogs");
  },
  async "a `beforeunload` dialog does not block navigation"({ open, serve }) {
    const site = await serve({ "/": `<body onbeforeunload="event.preventDefault(); return 'stay'"><input>` });
    const { session, page } = await open({ hosts: [site.host] });
    await session.goto(page, site.url());
    await page.fill("input", "changed");
    await session.goto(page, site.url("/next"));
    expectEqual(page.url(), site.url("/next"));
  },
  async "a download is refused"({ open, serve }) {
    const attachment = "attachment";
    const site = await serve({
      "/file": (_, reply) => void reply.setHeader("content-disposition", attachment).end("data"),
    });
    const { session, page } = await open({ hosts: [site.host] });
    await session.goto(page, site.url());
    const leave = page.evaluate(`void (location.href = "/file")`);
    const [download] = await Promise.all([page.waitForEvent("download"), leave]);
    const received = await download.path().catch((error: Error) => error);
    expectThat(received instanceof Error, "an error instead of a file", received);
  },
  async "permissions are denied without a prompt"({ open, serve }) {
    const site = await serve();
    const { session, page } = await open({ hosts: [`localhost:${site.port}`] });
    await session.goto(page, `http://localhost:${site.port}/`);
    for (const name of ["geolocation", "notifications", "camera", "microphone", "clipboard-read"]) {
      const state = await page.evaluate(`navigator.permissions.query({ name: "${name}" }).then(({ state }) => state)`);
      expectEqual(`${name} ${state}`, `${name} denied`);
    }
  },
  async "a call to a page that hangs times out, and the session can be closed"({ open }) {
    const { session, page } = await open({ callMs: 500 });
    await expectCode("TIMEOUT", () => session.call(() => page.evaluate("(() => { for (;;); })()")));
    const stop = new AbortController();
    const reason = new Error("given up");
    const aborted = session.call(() => page.evaluate("1"), { timeoutMs: 5_000, signal: stop.signal });
    stop.abort(reason);
    const received = await aborted.catch((error: unknown) => error);
    expectThat(received === reason, "the signal's reason", received);
    await expectCode("TIMEOUT", () => session.screenshot(page));
    const begunAt = performance.now();
    await session.close();
    const ms = performance.now() - begunAt;
    expectThat(ms < 60_000, "`close` to end within 60,000 ms", `${ms} ms`);
  },
  async "a page that logs a huge message loses its session, and a new session opens"({ open }) {
    const { session, page } = await open();
    page.evaluate("console.log('x'.repeat(140 * 2 ** 20))").catch(() => {});
    await within(90_000, "an abort of `lost`", async () => session.lost.aborted);
    await session.ended;
    await expectAnswering(await open());
  },
  async "a screenshot has a limited size for a page of any size"({ open }) {
    const { session, page } = await open();
    await page.evaluate("document.body.innerHTML = '<div style=\"height: 1000000px; width: 99999px\">a</div>'");
    const whole = await session.screenshot(page, { isFullPage: true, type: "jpeg", quality: 10 });
    expectThat(Buffer.from(whole).subarray(0, 2).equals(jpegMark), "a JPEG", whole.subarray(0, 2));
    const png = Buffer.from(await session.screenshot(page, { isFullPage: true }));
    expectEqual([png.readUInt32BE(16), png.readUInt32BE(20)], [4_096, 4_096]);
    const viewport = Buffer.from(await session.screenshot(page));
    expectEqual([viewport.readUInt32BE(16), viewport.readUInt32BE(20)], [1_280, 720]);
    await expectCode("TOO_LARGE", () => session.screenshot(page, { maxBytes: 100 }));
  },
};
