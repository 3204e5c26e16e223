/** Actions in a live session, and the observations after them. */
import type { EventEmitter } from "node:events";
import { setTimeout as sleep } from "node:timers/promises";
import { expect, onTestFinished } from "vitest";
import { parseWebAction, WrongAction } from "#palestra/envs/shared/browser/actions/web-action.js";
import type { ViewKind } from "#palestra/envs/shared/browser/observation/observe.js";
import { WebSession } from "#palestra/envs/shared/browser/web-session.js";
import { openSite, provideForFile, testBrowser } from "../../../support/browsers.js";

const browsers = provideForFile();

const front = `<title>Front</title><h1>Front</h1>
<form action="/found"><input aria-label="Search" name="q"></form>
<a href="/popup" target="_blank">Popup</a> <a href="/slow-popup" target="_blank">Slow popup</a>
<button onclick="fetch('/slow').then((r) => r.text()).then((t) => { document.querySelector('p').textContent = t })">Load</button>
<button onclick="alert('asked')">Ask</button>
<p>nothing</p><div style="height: 3000px"></div><footer>Bottom</footer>`;

const load = "fetch('/slow').then((r) => r.text()).then((t) => { document.querySelector('p').textContent = t })";

const viewport = { width: 1280, height: 720 };
const view = { viewport, isWhole: false, ids: "ordinal", isNoiseDropped: true } as const;

async function openSession(kind: ViewKind = "tree") {
  const site = await openSite({
    "/": front,
    "/found": (incoming, reply) => void reply.end(`<title>Found</title><h1>${incoming.url?.split("=")[1]}</h1>`),
    "/popup": `<title>Popup</title><h1>Popped</h1><button onclick="window.close()">Close</button>`,
    "/slow-popup": (_, reply) => void setTimeout(() => reply.end("<title>Late</title><h1>Late</h1>"), 400),
    "/slow": (_, reply) => void setTimeout(() => reply.end("loaded"), 300),
    "/endless": () => {},
    "/choice": `<title>Choice</title><select aria-label="Sort"><option>Position<option>Product Name<option>Price</select>`,
    "/restless": `<title>Restless</title><h1>Restless</h1>${"<p>text</p>".repeat(3_000)}
      <script>setTimeout(() => location.reload(), 55 + 20 * Math.random())</script>`,
    "/by-script": `<p>nothing</p><script>${load}</script>`,
    "/by-handler": `<p>nothing</p><img alt="" src="/missing.png" onerror="${load}">`,
    "/by-refresh": `<meta http-equiv="refresh" content="0; url=/loaded"><p>nothing</p>`,
    "/loaded": "<p>loaded</p>",
    "/with-workers": `<p>early</p><script>
      new Worker("/worker.js"); new SharedWorker("/worker.js"); setTimeout(() => { document.querySelector("p").textContent = "late" }, 12_000)</script>`,
    "/worker.js": (_, reply) => void reply.setHeader("content-type", "text/javascript").end("onmessage = () => {}"),
    "/by-picture": `<h1>Picture</h1><img alt="high" src="/high.svg"><p>below</p>`,
    "/high.svg": (_, reply) => {
      reply.setHeader("content-type", "image/svg+xml");
      setTimeout(() => reply.end(`<svg xmlns="http://www.w3.org/2000/svg" width="9" height="900"/>`), 300);
    },
    "/boxless": `<title>Boxless</title><p>nothing</p>
      <button style="display: contents" onclick="document.querySelector('p').textContent = 'bought'">Buy</button>
      <div style="height: 3000px"></div><div style="display: contents"><button>Low</button></div>`,
    "/framed": `<title>Framed</title><a href="/popup">Say "a: b"</a><iframe srcdoc="<button onclick='this.textContent = 1'>In</button>"></iframe>
      <div style="height: 3000px"></div><button>Low</button>`,
  });
  const signal = AbortSignal.timeout(60_000);
  const web = await WebSession.open(browsers, { hosts: [site.host], viewport }, { ...view, kind }, signal);
  onTestFinished(() => web.close());
  await web.start([site.url()], signal);
  await web.look(signal);
  /** @param text an action with an element's role and name instead of its number: `click [link 'Popup']` */
  const act = async (text: string) => {
    const written = text.replace(/\[(\w+ '[^']*')\]/, (_, line: string) => {
      const [id] = [...web.shown.places].find(([, { role, name }]) => line === `${role} '${name}'`) ?? [];
      return `[${id}]`;
    });
    const action = parseWebAction(written);
    if (action.kind === "stop") throw new Error("expected an action in a tab, but received stop");
    await web.perform(action, signal);
    return (await web.look(signal)).text;
  };
  return { act, site, web, signal, look: async () => (await web.look(signal)).text };
}

testBrowser(
  "an element without a box of its own is shown and can be clicked, as Playwright's snapshot and by its text",
  async () => {
    for (const [kind, shown, hidden] of [
      ["aria", "button 'Buy'", "Low"],
      ["tree", "StaticText 'Buy'", "Low"],
    ] as const) {
      const { act, site } = await openSession(kind);
      expect(await act(`goto [${site.url("/boxless")}]`)).not.toContain(hidden);
      expect(await act(`click [${shown}]`)).toContain("bought");
    }
  },
);

testBrowser("a model searches, scrolls, goes back and forward, and sees the changes", async () => {
  const { act, site } = await openSession();
  expect(await act("type [textbox 'Search'] [two words] [1]")).toBe(
    "Tab 0 (current): Found\n\n[1] RootWebArea 'Found' focused: True\n\t[2] heading 'two+words'",
  );
  expect(await act("go_back")).toContain("Tab 0 (current): Front");
  expect(await act("go_forward")).toContain("Tab 0 (current): Found");
  expect(await act(`goto [${site.url()}]`)).toContain("button 'Load'");
  expect(await act("scroll [down]")).not.toContain("button 'Load'");
  expect(await act("scroll [up]")).toContain("button 'Load'");
  expect(await act("press [End]")).toContain("Bottom");
});

testBrowser("a page is observed after its requested text has arrived", async () => {
  const { act } = await openSession();
  expect(await act("click [button 'Load']")).toContain("'loaded'");
});

for (const path of ["/by-script", "/by-handler", "/by-refresh"])
  testBrowser(`a page that loads more ${path.slice(1).replace("-", " ")} is shown after this load`, async () => {
    const { look, site, signal, web } = await openSession();
    await web.start([site.url(path)], signal);
    expect(await look()).toContain("'loaded'");
  });

testBrowser(
  "a page that loads more by script is shown after this load, even if the browser reports the request late",
  async () => {
    const { look, site, signal, web } = await openSession();
    const context = web.session.context as unknown as EventEmitter;
    const report = context.emit.bind(context);
    const late: Promise<unknown>[] = [];
    context.emit = (event, ...values) => {
      if (!String(event).startsWith("request")) return report(event, ...values);
      late.push(sleep(1_500).then(() => report(event, ...values)));
      return true;
    };
    await web.start([site.url("/by-script")], signal);
    await sleep(100);
    expect(await look()).toContain("'loaded'");
    await Promise.all(late);
  },
);

testBrowser("a page is shown while its web workers still run", async () => {
  const { look, site, signal, web } = await openSession();
  await web.start([site.url("/with-workers")], signal);
  expect(await look()).toContain("'early'");
});

testBrowser("a page without scripts is shown after its pictures have loaded", async () => {
  const { look, site, signal, web } = await openSession();
  await web.start([site.url("/by-picture")], signal);
  const text = await look();
  expect(text).toContain("'high'");
  expect(text).not.toContain("'below'");
});

testBrowser("popups are tabs that can be shown and closed, and one tab always remains", async () => {
  const { act } = await openSession();
  expect(await act("click [link 'Popup']")).toContain("Tab 0 (current): Front | Tab 1: Popup\n");
  expect(await act("tab_focus [1]")).toMatch(/^Tab 0: Front \| Tab 1 \(current\): Popup\n[\s\S]*Popped/);
  expect(await act("click [button 'Close']")).toMatch(/^Tab 0 \(current\): Front\n/);
  expect(await act("click [link 'Slow popup']")).toContain("Tab 0 (current): Front | Tab 1: Late\n");
  expect(await act("close_tab")).toMatch(/^Tab 0 \(current\): Late\n/);
  expect(await act("new_tab")).toMatch(/^Tab 0: Late \| Tab 1 \(current\): /);
  await act("close_tab");
  expect(await act("close_tab")).toMatch(/^Tab 0 \(current\): \n/);
});

testBrowser("a dialog is dismissed, and the page continues", async () => {
  const { act } = await openSession();
  expect(await act("click [button 'Ask']")).toContain("button 'Ask'");
  expect(await act("type [textbox 'Search'] [after] [0]")).toContain("'after'");
});

testBrowser("an action that cannot be performed is reported and changes nothing", async () => {
  const { act, look } = await openSession();
  const before = await look();
  const wrong = ["click [999]", "tab_focus [7]", "press [NoKey]", "goto [http://127.0.0.1:1/]", "goto [file:///etc]"];
  for (const action of wrong) await expect(act(action)).rejects.toThrow(WrongAction);
  expect(await look()).toBe(before);
});

testBrowser("an address that never responds is reported within the time limit of a page", async () => {
  const { act, site } = await openSession();
  await expect(act(`goto [${site.url("/endless")}]`)).rejects.toThrow(WrongAction);
});

testBrowser("letters choose an entry of a select list", async () => {
  const { act, web, site } = await openSession();
  await act(`goto [${site.url("/choice")}]`);
  for (const entry of ["Price", "Product Name", "Position"]) {
    await act(`type [combobox 'Sort'] [${entry}] [1]`);
    expect(await web.front.evaluate("document.querySelector('select').value")).toBe(entry);
  }
});

testBrowser("a page that keeps reloading is shown at one moment, or reported as such", async () => {
  const { act, web, site, signal } = await openSession();
  await act(`goto [${site.url("/restless")}]`);
  // Between two loads, the page is empty and reported as busy.
  for (let look = 0; look < 2; look++)
    expect((await web.look(signal)).text).toMatch(/heading 'Restless'|busy: 1|The page loads again and again/);
});

const isPng = (picture: Uint8Array | undefined) =>
  Buffer.from(picture ?? [])
    .subarray(1, 4)
    .toString() === "PNG";

testBrowser("Playwright's snapshot numbers elements in the order of the page, and reaches into frames", async () => {
  const { act, site } = await openSession("aria");
  const framed = await act(`goto [${site.url("/framed")}]`);
  expect(framed).toMatch(/\n\n- \[1\] generic \[active\]:\n {2}- \[2\] link "Say \\"a: b\\""/);
  expect(framed).toContain('[4] button "In"');
  expect(framed).not.toContain("Low");
  expect(await act("click [button 'In']")).toContain('button "1"');
  expect(await act("type [textbox 'Search'] [unseen] [1]").catch((error) => error)).toBeInstanceOf(WrongAction);
  expect(await act(`click [link 'Say "a: b"']`)).toContain("Popped");
});

testBrowser("a picture comes with the tree or with marks, and the marks leave no trace", async () => {
  const { web, signal } = await openSession("screenshot");
  expect(isPng(web.shown.picture)).toBe(true);
  expect((await web.look(signal)).picture).toEqual(web.shown.picture);
  const marked = await openSession("marks");
  expect(marked.web.shown.text).toMatch(/\n\n\[\d+\] textbox 'Search' required: False\n\[\d+\] link 'Popup'/);
  expect(marked.web.shown.text).not.toContain("heading");
  expect(isPng(marked.web.shown.picture)).toBe(true);
  expect(Buffer.compare(marked.web.shown.picture as Uint8Array, web.shown.picture as Uint8Array)).not.toBe(0);
  const page = await marked.web.current(signal);
  expect(await page.evaluate("document.documentElement.lastElementChild.localName")).toBe("body");
});
