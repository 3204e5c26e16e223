/** The source `web`: the search API and the site are servers of this test, and Chromium opens the pages. */
import { describe, expect, test } from "vitest";
import { ServiceFailed } from "#palestra/envs/errors.js";
import { KeptPages } from "#palestra/envs/shared/retrieval/remote/kept-pages.js";
import { SearchApi } from "#palestra/envs/shared/retrieval/web/search-api.js";
import { webSettings } from "#palestra/envs/shared/retrieval/web/settings.js";
import { WebSource } from "#palestra/envs/shared/retrieval/web/web-source.js";
import { openSite, provide, provideForFile, testBrowser } from "../../../support/browsers.js";

const signal = () => new AbortController().signal;

const json = (value: unknown) => (_: unknown, reply: { end(text: string): void }) => reply.end(JSON.stringify(value));

const browsers = provideForFile();

async function webOf(answers: Parameters<typeof openSite>[0], loadMs?: number) {
  const site = await openSite(answers);
  const settings = webSettings({
    PALESTRA_WEB_SEARCH: `${site.url("/search")}?q={query}&n={count}`,
    PALESTRA_WEB_HOSTS: site.host,
  });
  return { site, source: new WebSource(settings, browsers, new KeptPages(), loadMs) };
}

describe("a page of the web", () => {
  const article = (inner: string) =>
    `<title>Hafnium - Elements</title><nav><a href="/home">Home</a></nav><article><h1>Hafnium</h1>${inner}</article><footer>Imprint</footer>`;
  const long = (words: string) =>
    `<p>${`${words} is a sentence of some length, so that it counts as text. `.repeat(8)}</p>`;

  testBrowser("is returned as Markdown with its links, without the text around the article", async () => {
    const table = "<table><tr><th>Fact</th><th>Value</th></tr><tr><td>Number</td><td>72</td></tr></table>";
    const text = `${long("This")}<h2>Discovery</h2><p>By <a href="/hevesy#life">George de Hevesy</a> in 1923.</p>${table}`;
    const { site, source } = await webOf({ "/hafnium": article(text) });
    const page = await source.open(site.url("/hafnium"), 0, signal());
    expect(page).toMatchObject({ id: site.url("/hafnium"), title: "Hafnium - Elements", offset: 0 });
    expect(page?.text).toContain("## Discovery");
    expect(page?.text).toContain("By George de Hevesy in 1923.");
    expect(page?.text).toMatch(/\| Number \| 72\s+\|/);
    expect(page?.text).not.toMatch(/Imprint|Home/);
    expect(page?.links).toEqual([{ id: site.url("/hevesy"), title: "George de Hevesy" }]);
  });

  testBrowser("has later windows of the same version, even if the site has changed", async () => {
    let told = "first";
    const { site, source } = await webOf({
      "/": (_, reply) => reply.setHeader("content-type", "text/html").end(article(long(told).repeat(20))),
    });
    const begun = await source.open(site.url(), 0, signal());
    told = "second";
    const rest = await source.open(site.url(), 4_000, signal());
    expect([begun?.text.length, rest?.offset, rest?.length]).toEqual([4_000, 4_000, begun?.length]);
    expect([rest?.text.includes("first"), rest?.text.includes("second")]).toEqual([true, false]);
    expect((await source.open(site.url(), 0, signal()))?.text).toContain("second");
  });

  testBrowser("is read after its scripts have run, and plain text is read too", async () => {
    const script = `<script>fetch("/late").then((reply) => reply.text()).then((text) => { document.body.innerHTML = "<p>" + text; })</script>`;
    const { site, source } = await webOf({
      "/script": `<title>s</title><body>${script}`,
      "/late": (_, reply) => void setTimeout(() => reply.end("written late"), 300),
      "/plain": (_, reply) => reply.setHeader("content-type", "text/plain").end("a < b"),
    });
    expect((await source.open(site.url("/script"), 0, signal()))?.text).toBe("written late");
    expect((await source.open(site.url("/plain"), 0, signal()))?.text).toBe("a < b");
  });

  testBrowser("that replaces built-in functions is still read", async () => {
    const lies = `<script>Array.prototype.flatMap = () => { throw 1 }; String.prototype.trim = () => "lies"; document.cloneNode = () => null</script>`;
    const { site, source } = await webOf({ "/": `<title>t</title>${lies}${article(long("Truth"))}` });
    expect((await source.open(site.url(), 0, signal()))?.text).toContain("Truth is a sentence");
  });

  testBrowser("that is missing, unreachable or not text is null", async () => {
    const { site, source } = await webOf({
      "/gone": (_, reply) => reply.writeHead(404, { "content-type": "text/html" }).end("<p>Not here"),
      "/picture": (_, reply) => reply.setHeader("content-type", "image/png").end("none"),
      "/cut": (incoming) => incoming.socket.destroy(),
    });
    const other = await openSite();
    const addresses = ["/gone", "/picture", "/cut"].map((path) => site.url(path));
    for (const address of [...addresses, other.url(), "file:///etc/passwd", "not an address", "javascript:1", ""])
      expect([address, await source.open(address, 0, signal())]).toEqual([address, null]);
    expect(other.asked).toEqual([]);
  });

  testBrowser(
    "inside the gym's machine or network is null, however its address is written",
    async () => {
      const inside = await openSite({ "/": article(long("Inside")) });
      const settings = webSettings({ PALESTRA_WEB_SEARCH: "https://search.example/?q={query}" });
      const rebound = provide({
        lookup: async (name) => (name === "inside.example" ? ["127.0.0.1"] : ["169.254.169.254"]),
      });
      const source = new WebSource(settings, rebound, new KeptPages());
      const { port } = inside;
      const hosts = [
        ...["127.0.0.1", "2130706433", "0x7f000001", "0177.0.0.1", "127.1", "0", "0.0.0.0", "[::1]", "[::]"],
        ...["[::ffff:127.0.0.1]", "[::ffff:7f00:1]", "localhost", "LOCALHOST.", "a.localhost", "127.0.0.1."],
        ...[
          "127\u30020\u30020\u30021",
          "\uff11\uff12\uff17.0.0.1",
          "\u24db\u24de\u24d2\u24d0\u24db\u24d7\u24de\u24e2\u24e3",
        ],
        ...[
          "user:password@127.0.0.1",
          "example.com@127.0.0.1",
          "127.0.0.1\\@example.com",
          "inside.example",
          "inside.example.",
        ],
      ];
      const addresses = [
        ...hosts.map((host) => `http://${host}:${port}/`),
        ...["2130706433", "localhost", "[::ffff:7f00:1]", "inside.example"].map((host) => `http://${host}/`),
        ...["http://169.254.169.254/latest/meta-data/", "http://metadata.example/", "http://[fd00:ec2::254]/"],
        ...["file:///etc/passwd", "data:text/html,<p>a</p>", `view-source:${inside.url()}`, "chrome://version"],
        ...[
          `ftp://127.0.0.1:${port}/`,
          `blob:${inside.url()}`,
          "javascript:1",
          `http:127.0.0.1:${port}/`,
          "http:///etc/passwd",
        ],
        ...[
          ` ${inside.url()}`,
          `ht\ntp://127.0.0.1:${port}/`,
          `http://127.0.0.1\t:${port}/`,
          `http://example.com#@127.0.0.1:${port}/`,
        ],
      ];
      const together = 8;
      for (let at = 0; at < addresses.length; at += together) {
        const some = addresses.slice(at, at + together);
        const pages = await Promise.all(some.map((address) => source.open(address, 0, signal())));
        expect(some.map((address, i) => [address, pages[i]])).toEqual(some.map((address) => [address, null]));
      }
      expect(inside.asked).toEqual([]);
    },
    300_000,
  );

  testBrowser(
    "that redirects to another host contains nothing from that host",
    async () => {
      const inside = await openSite({ "/": article(long("Inside")) });
      const to = inside.url();
      const script = (code: string) => `<title>t</title>${article(long("Outside"))}<script>${code}</script>`;
      const redirect = (status: number) => (_: unknown, reply: { writeHead(...all: unknown[]): { end(): void } }) =>
        reply.writeHead(status, { location: to }).end();
      const ways = {
        ...Object.fromEntries([301, 302, 303, 307, 308].map((status) => [`/${status}`, redirect(status)])),
        "/meta": `<meta http-equiv="refresh" content="0;url=${to}">${article(long("Outside"))}`,
        "/header": (_: unknown, reply: { setHeader(...all: string[]): { end(text: string): void } }) =>
          reply.setHeader("refresh", `0;url=${to}`).end("Outside"),
        "/script": script(`location.replace("${to}")`),
        "/form": `<form id="f" method="post" action="${to}"></form>${script("f.submit()")}`,
        "/frame": `<iframe src="${to}"></iframe>${article(long("Outside"))}`,
        "/fetch": script(
          `fetch("${to}", { mode: "no-cors" }).then((r) => r.text()).then((text) => document.body.append(text))`,
        ),
        "/window": script(`open("${to}")`),
        "/base": `<base href="${to}"><link rel="stylesheet" href="a.css"><img src="b.png">${article(long("Outside"))}`,
      } as Parameters<typeof openSite>[0];
      const { site, source } = await webOf(ways);
      for (const path of Object.keys(ways ?? {})) {
        const page = await source.open(site.url(path), 0, signal());
        expect([path, page?.text.includes("Inside") ?? false]).toEqual([path, false]);
      }
      expect(inside.asked).toEqual([]);
    },
    180_000,
  );

  testBrowser("with an endless script is null, and the next page is read", async () => {
    const pages = { "/busy": "<p>busy<script>for (;;);</script>", "/": article(long("Next")) };
    const { site, source } = await webOf(pages, 10_000);
    expect(await source.open(site.url("/busy"), 0, signal())).toBeNull();
    expect((await source.open(site.url(), 0, signal()))?.text).toContain("Next");
  });

  testBrowser("is closed after an abort", async () => {
    const { site, source } = await webOf({ "/slow": () => {} });
    const stop = new AbortController();
    const opened = source.open(site.url("/slow"), 0, stop.signal);
    setTimeout(() => stop.abort(new Error("nobody waits")), 1_000);
    await expect(opened).rejects.toThrow("nobody waits");
  });
});

describe("a search of the web", () => {
  const results = (base: string) => [
    { url: `${base}/a`, title: "A", description: "About <strong>hafnium</strong>." },
    { url: `${base}/a`, title: "A again", description: "" },
    { url: "ftp://elsewhere/", title: "no page of the web" },
    { link: `${base}/b`, snippet: "B's text" },
    null,
    "text",
  ];

  test.each([
    ["web.results", (list: unknown) => ({ query: {}, web: { results: list } })],
    ["organic", (list: unknown) => ({ organic: list })],
    ["webPages.value", (list: unknown) => ({ webPages: { value: list } })],
    ["results", (list: unknown) => ({ results: list })],
  ])("reads an API with its results in %s", async (_, reply) => {
    const site = await openSite({ "/search": json(reply(results("https://pages.example"))) });
    const api = new SearchApi(webSettings({ PALESTRA_WEB_SEARCH: site.url("/search?q={query}&n={count}") }));
    expect(await api.search('a & b="{count}"', 5, signal())).toEqual([
      { id: "https://pages.example/a", title: "A", text: "About hafnium.", score: 1 },
      { id: "https://pages.example/b", title: "https://pages.example/b", text: "B's text", score: 0.25 },
    ]);
    expect(site.asked).toEqual([`/search?q=${encodeURIComponent('a & b="{count}"')}&n=5`]);
  });

  test("sends the key in a header, the address or a body, as configured", async () => {
    const seen: unknown[] = [];
    const site = await openSite({
      "/search": async (incoming, reply) => {
        let body = "";
        for await (const chunk of incoming) body += chunk;
        const { authorization, "x-key": key } = incoming.headers;
        seen.push([incoming.method, incoming.url, authorization, key, body && JSON.parse(body)]);
        reply.end('{"hits": {"list": []}}');
      },
    });
    const common = { PALESTRA_WEB_SEARCH_KEY: 'se"cret', PALESTRA_WEB_SEARCH_RESULTS: "hits.list" };
    const address = site.url("/search?q={query}");
    const ways = [
      { PALESTRA_WEB_SEARCH: address },
      { PALESTRA_WEB_SEARCH: address, PALESTRA_WEB_SEARCH_HEADER: "X-Key: {key}" },
      { PALESTRA_WEB_SEARCH: `${address}&key={key}` },
      {
        PALESTRA_WEB_SEARCH: site.url("/search"),
        PALESTRA_WEB_SEARCH_BODY: '{"q": "{query}", "num": {count}, "api_key": "{key}"}',
      },
    ];
    for (const way of ways)
      expect(await new SearchApi(webSettings({ ...common, ...way })).search('"x"', 3, signal())).toEqual([]);
    expect(seen).toEqual([
      ["GET", "/search?q=%22x%22", 'Bearer se"cret', undefined, ""],
      ["GET", "/search?q=%22x%22", undefined, 'se"cret', ""],
      ["GET", "/search?q=%22x%22&key=se%22cret", undefined, undefined, ""],
      ["POST", "/search", undefined, undefined, { q: '"x"', num: 3, api_key: 'se"cret' }],
    ]);
  });

  test("fails as a fault of the service, without the key in the error", async () => {
    const site = await openSite({
      "/refusing": (_, reply) => reply.writeHead(401).end("wrong key"),
      "/other": json({ error: "quota" }),
    });
    const failed = async (path: string) => {
      const settings = webSettings({
        PALESTRA_WEB_SEARCH: site.url(`${path}?q={query}`),
        PALESTRA_WEB_SEARCH_KEY: "k3y",
      });
      const error = await new SearchApi(settings).search("x", 3, signal()).catch((thrown: unknown) => thrown);
      expect(error).toBeInstanceOf(ServiceFailed);
      expect((error as Error).message).not.toContain("k3y");
      return (error as Error).message;
    };
    expect(await failed("/refusing")).toMatch(
      /search API at 127\.0\.0\.1:\d+ to answer, but received status 401: wrong key/,
    );
    expect(await failed("/other")).toMatch(
      /results in web\.results, .*, but received error \(set PALESTRA_WEB_SEARCH_RESULTS/,
    );
  });

  test("is retried while the API is overloaded", async () => {
    let asked = 0;
    const site = await openSite({
      "/search": (_, reply) => {
        asked += 1;
        if (asked < 3) reply.writeHead(429, { "retry-after": "0" }).end();
        else reply.end('{"results": []}');
      },
    });
    const api = new SearchApi(webSettings({ PALESTRA_WEB_SEARCH: site.url("/search?q={query}") }));
    expect([await api.search("x", 3, signal()), asked]).toEqual([[], 3]);
  });

  test.each([
    [{}, /PALESTRA_WEB_SEARCH to be the address of a search API.*but received no value/],
    [{ PALESTRA_WEB_SEARCH: "ftp://x/{query}" }, /address of a search API/],
    [{ PALESTRA_WEB_SEARCH: "https://api.example/" }, /the placeholder \{query\}/],
    [{ PALESTRA_WEB_SEARCH: "https://api.example/", PALESTRA_WEB_SEARCH_BODY: "{query}" }, /BODY to be JSON/],
    [{ PALESTRA_WEB_SEARCH: "https://a.example/{query}", PALESTRA_WEB_SEARCH_HEADER: "no header" }, /to be a header/],
  ])("is refused with invalid settings: %o", (environment, message) => {
    expect(() => webSettings(environment as NodeJS.ProcessEnv)).toThrow(message);
  });
});
