/** The pages of the site, which .config/docs renders. test/e2e/docs-site.test.ts builds the site, by a generator of 100 MB. */
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, test } from "vitest";
import { scratch } from "./support/serving.js";

interface Page {
  page: string;
  title: string;
  summary: string;
  text: string;
}

interface Reference {
  file: string;
  title: string;
  text: string;
}

const of = async <T>(name: string): Promise<T> =>
  (await import(new URL(`../.config/docs/${name}.mjs`, import.meta.url).href)) as T;
const { sectionsOf } = await of<{ sectionsOf(pages: string[]): { title: string; pages: [string, string?][] }[] }>(
  "sidebar",
);
const { filesOfRepository, pagesOfRepository, readPage, siteFile, addressOf, anchorOf } = await of<{
  filesOfRepository(): string[];
  pagesOfRepository(files: string[]): string[];
  readPage(page: string, files: string[], repository?: string, source?: string): Page;
  siteFile(page: string): string;
  addressOf(page: string): string;
  anchorOf(title: string): string;
}>("pages");
const { referencePages, typeOf } = await of<{ referencePages(): Reference[]; typeOf(schema: object): string }>(
  "reference",
);
const { brokenLinks } = await of<{ brokenLinks(site: string, base: string): string[] }>("links");
const { llmsText } = await of<{ llmsText(outline: object[], site: string): string }>("llms");

/** Empty outside of a checkout. */
const files = (() => {
  try {
    return filesOfRepository();
  } catch {
    return [];
  }
})();
const pagesOf = (pages: string[]) => sectionsOf(pages).flatMap((section) => section.pages.map(([page]) => page));
const listed = files.length === 0 ? [] : pagesOf(pagesOfRepository(files));

describe.skipIf(files.length === 0)("the pages of the repository", () => {
  test("are each in the sidebar once", () => {
    expect([...listed].sort()).toEqual(pagesOfRepository(files).sort());
  });

  test("follow the pages of their folder if they have no place of their own", () => {
    const more = pagesOf([...listed, "envs/new/README.md", "new/README.md"]);
    expect(more.indexOf("envs/new/README.md")).toBe(more.indexOf("envs/mounted/README.md") + 1);
    expect(more).toContain("new/README.md");
  });

  test.each(listed)("%s has a title, a summary, and links that the site can follow", (page) => {
    const { title, summary, text } = readPage(page, files);
    expect(title).not.toBe("");
    expect(summary).toMatch(/\w/);
    expect(text).not.toMatch(/\]\((?!https?:|\/|#|mailto:)/);
  });

  test("never have the same address", () => {
    expect(new Set(listed.map(addressOf)).size).toBe(listed.length);
  });
});

test("pages have short addresses", () => {
  expect(["README.md", "server/README.md", "openapi/mcp.md", ".github/SECURITY.md"].map(addressOf)).toEqual([
    "/",
    "/server/",
    "/openapi/mcp.html",
    "/project/security.html",
  ]);
  expect(siteFile("trainer/RESULTS.md")).toBe("trainer/results.md");
  expect(anchorOf("`/v1/socket`: how it is used")).toBe("v1socket-how-it-is-used");
});

describe("links of a page", () => {
  const known = [
    ...["envs/README.md", "envs/env.ts", "server/README.md", "server/deploy/nginx.conf", "openapi/gym.d.ts"],
    ...[".github/images/a.svg", ".github/images/b-light.png", ".github/images/b-dark.png"],
  ];
  const picture = (image: string) =>
    `<picture>\n  <source media="(prefers-color-scheme: dark)" srcset="../.github/images/b-dark.png">\n  ${image}\n</picture>`;
  const rewritten = (source: string, repository?: string) =>
    readPage("envs/README.md", known, repository, `# Title\n\n${source}`).text.slice("# Title\n\n".length);

  test.each([
    ["[server](../server/README.md#settings)", "[server](/server/#settings)"],
    ["[server](../server)", "[server](/server/)"],
    ["[here](#below)", "[here](#below)"],
    ["[web](https://example.org/a)", "[web](https://example.org/a)"],
    ["[env.ts](env.ts)", "`env.ts`"],
    ["[`env.ts`](env.ts)", "`env.ts`"],
    ["[the contract](env.ts)", "the contract (`envs/env.ts`)"],
    ["[proxy](../server/deploy/nginx.conf)", "[proxy](/server/deploy/nginx.conf)"],
    ["![a](../.github/images/a.svg)", "![a](/images/a.svg)"],
    [
      picture('<img src="../.github/images/b-light.png" alt="A tree">'),
      "![A tree](/images/b-light.png){.only-light} ![A tree](/images/b-dark.png){.only-dark}",
    ],
    ["```md\n[x](../no.md)\n```", "```md\n[x](../no.md)\n```"],
  ])("%s becomes %s", (link, expected) => {
    expect(rewritten(link)).toBe(expected);
  });

  test("sources are linked if the repository has an address", () => {
    expect(rewritten("[the contract](env.ts)", "https://example.org/blob/main")).toBe(
      "[the contract](https://example.org/blob/main/envs/env.ts)",
    );
  });

  test.each([
    "![a](env.ts)",
    picture('<img src="../.github/images/b-light.png">'),
    '<img src="../.github/images/a.svg" alt="a">',
  ])("the picture %s, which the site cannot show, is refused", (link) => {
    expect(() => rewritten(link)).toThrow(/expected (a picture of|src and alt of|a <picture> in) .*, but received/);
  });

  test.each(["[x](no.md)", "[x](no.ts)", "[x](../no/README.md)", "![x](../.github/images/no.png)"])(
    "the broken link %s is refused",
    (link) => {
      expect(() => rewritten(link)).toThrow(/expected the (page|file) .*no.*, but found none/);
    },
  );
});

describe("the reference of the API", () => {
  const pages = referencePages();

  test("has only links that lead to a heading", () => {
    const anchors = new Set(
      pages.flatMap(({ file, text }) =>
        [...text.matchAll(/^## (.+)$/gm)].map(
          ([, title = ""]) => `/${file.replace(".md", ".html")}#${anchorOf(title)}`,
        ),
      ),
    );
    const links = pages.flatMap(({ file, text }) =>
      [...text.matchAll(/\]\(([^)]*#[^)]+)\)/g)].map(([, link = ""]) =>
        link.startsWith("#") ? `/${file.replace(".md", ".html")}${link}` : link,
      ),
    );
    expect(links.length).toBeGreaterThan(200);
    expect(links.filter((link) => !anchors.has(link))).toEqual([]);
  });

  test("has the parameters, bodies and errors of an operation", () => {
    const [episodes] = pages;
    const [, step = ""] = /## step\n([\s\S]*?)\n## /.exec(episodes?.text ?? "") ?? [];
    expect(step).toContain("`POST /v1/episodes/{episodeId}/step`");
    expect(step).toContain(
      "| request | `application/json` | [StepRequest](/openapi/reference/types.html#steprequest) |",
    );
    expect(step).toContain("`STEP_CONFLICT`");
    expect(step).not.toContain("`REQUEST_MALFORMED`");
  });

  test.each([
    [{ type: "integer", minimum: 1, maximum: 9 }, "integer, 1 to 9"],
    [{ type: "integer", minimum: 0, maximum: Number.MAX_SAFE_INTEGER }, "integer, at least 0"],
    [{ type: "array", items: { type: "string" } }, "list of string"],
    [{ anyOf: [{ type: "string" }, { type: "null" }] }, "string or null"],
    [{ enum: ["a", "b"] }, '`"a"`, `"b"`'],
    [
      { type: "object", properties: { a: { type: "string" }, b: {} }, required: ["a"] },
      "object of `a`: string; `b`?: any value",
    ],
  ])("shows the type %j as %s", (schema, expected) => {
    expect(typeOf(schema)).toBe(expected);
  });
});

test("a broken link, anchor or picture of the built site is found", () => {
  const site = scratch();
  const write = (path: string, html: string) => {
    mkdirSync(dirname(join(site, path)), { recursive: true });
    writeFileSync(join(site, path), html);
  };
  write(
    "index.html",
    '<h1 id="top"></h1><img alt="" src="/docs/no.png"><a href="/docs/a/"></a><a href="/docs/a/#no"></a><a href="/docs/no.html"></a>',
  );
  write(
    "a/index.html",
    '<h2 id="b"></h2><a href="#b"></a><a href="../#top"></a><a href="/outside"></a><a href="https://x.org"></a>',
  );
  expect(brokenLinks(site, "/docs/").sort()).toEqual([
    "a/index.html: /outside",
    "index.html: /docs/a/#no",
    "index.html: /docs/no.html",
    "index.html: /docs/no.png",
  ]);
});

test("llms.txt has a line for each page, with its first sentence", () => {
  const entries = [
    { name: "Introduction", file: "index.md", summary: "A gym. It has environments." },
    { name: "Server", file: "server/index.md", summary: "" },
  ];
  expect(llmsText([{ title: "Start", entries }], "https://example.org")).toBe(`# Palestra

> A gym. It has environments.

## Start

- [Introduction](https://example.org/index.md): A gym.
- [Server](https://example.org/server/index.md)
`);
});
