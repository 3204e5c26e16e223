/** Settings of the site. docs.mjs writes the pages and the sidebar that it reads. */
import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { defineConfig } from "vitepress";
import { anchorOf } from "../pages.mjs";

const output = fileURLToPath(new URL("../../../.palestra/docs/", import.meta.url));

/** File types of the files to download, which VitePress otherwise takes for pages. */
const downloads = readdirSync(`${output}pages/public`, { recursive: true }).filter((name) => !name.endsWith(".md"));
const fileTypes = downloads.map((name) => /[^./]+$/.exec(name)[0]);
process.env.VITE_EXTRA_EXTENSIONS = [...new Set(fileTypes)].join();

export default defineConfig({
  lang: "en",
  title: "Palestra",
  titleTemplate: ":title | Palestra",
  base: process.env.DOCS_BASE || "/",
  srcDir: `${output}pages`,
  outDir: `${output}site`,
  cacheDir: `${output}cache`,
  srcExclude: ["public/**"],
  metaChunk: true,
  head: [
    ["meta", { name: "color-scheme", content: "light dark" }],
    ["link", { rel: "icon", href: "data:," }],
  ],
  // HTML in a page is shown as text: `<episodeId>` stands for a value.
  markdown: { html: false, anchor: { slugify: anchorOf }, theme: { light: "github-light", dark: "github-dark" } },
  themeConfig: {
    search: { provider: "local" },
    sidebar: JSON.parse(readFileSync(`${output}pages/sidebar.json`, "utf8")),
    outline: { level: [2, 3] },
    nav: [
      { text: "Environments", link: "/envs/" },
      { text: "API", link: "/openapi/reference/v1.html" },
      { text: "Train", link: "/trainer/" },
      { text: "Changes", link: "/project/changelog.html" },
    ],
    ...(process.env.DOCS_REPOSITORY && {
      socialLinks: [{ icon: "github", link: process.env.DOCS_REPOSITORY.replace(/\/blob\/.*$/, "") }],
    }),
  },
});
