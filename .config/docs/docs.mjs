/**
 * Renders the Markdown pages of the repository as a web site in .palestra/docs/site, with llms.txt: `npm run docs`.
 *
 * `npm run docs -- --dev` serves the site instead, and follows changes of the pages. The site generator is installed on demand,
 * from the lock file of this folder.
 *
 * DOCS_BASE: path of the site on its host, by default `/`.
 * DOCS_REPOSITORY: URL of the source files on the web, such as `https://example.org/palestra/blob/main`. Without it, links to
 * source files are shown as paths.
 * DOCS_URL: URL of the site, for the links of llms.txt. Without it, they are paths.
 */
import { cpSync, existsSync, mkdirSync, readFileSync, rmSync, watch, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { isProgram, lastLines, main, root, run, SetupError, say, step } from "../step.mjs";
import { brokenLinks } from "./links.mjs";
import { llmsFullText, llmsText } from "./llms.mjs";
import { addressOf, downloadOf, filesOfRepository, pagesOfRepository, readPage, siteFile } from "./pages.mjs";
import { referencePages } from "./reference.mjs";
import { sectionsOf } from "./sidebar.mjs";

const folder = join(root, ".config/docs");
const output = join(root, ".palestra/docs");
const pagesFolder = join(output, "pages");
const siteFolder = join(output, "site");

/** Builds the site. @returns its folder */
export async function buildDocs() {
  await installGenerator();
  rmSync(pagesFolder, { recursive: true, force: true });
  const { base } = writePages();
  await step("Building the site", async () => {
    const { code, output: text } = await vitepress(["build", folder]);
    if (code !== 0) throw new SetupError(`The site cannot be built. VitePress reports:\n${lastLines(text, 30)}`);
  });
  const broken = brokenLinks(siteFolder, base);
  if (broken.length > 0) throw new SetupError(`The site has links that lead nowhere:\n${broken.join("\n")}`);
  return siteFolder;
}

async function installGenerator() {
  const lock = readFileSync(join(folder, "package-lock.json"), "utf8");
  const installed = join(folder, "node_modules/.installed-lock.json");
  if (existsSync(installed) && readFileSync(installed, "utf8") === lock) return;
  await step("Installing VitePress", async () => {
    const args = ["ci", "--prefix", folder, "--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error"];
    const { code, output: text } = await run("npm", args, { shell: process.platform === "win32" });
    if (code !== 0) throw new SetupError(`npm could not install VitePress:\n${lastLines(text, 15)}`);
    writeFileSync(installed, lock);
  });
}

/** Runs VitePress, which is not a package of the gym. */
function vitepress(args, options) {
  const require = createRequire(join(folder, "package.json"));
  const program = join(dirname(require.resolve("vitepress/package.json")), "bin/vitepress.js");
  return run(process.execPath, [program, ...args], options);
}

/** Writes the pages, the files to download, llms.txt and the sidebar to the folder that VitePress reads. */
function writePages() {
  const base = process.env.DOCS_BASE || "/";
  const files = filesOfRepository();
  const sections = sectionsOf(pagesOfRepository(files));
  const listed = sections.flatMap((section) => section.pages.map(([page]) => page));
  const pages = new Map(listed.map((page) => [page, readPage(page, files, process.env.DOCS_REPOSITORY)]));
  const reference = referencePages();
  for (const { page, text, title, summary } of pages.values()) write(siteFile(page), withFacts(text, title, summary));
  for (const { file, text, title, summary } of reference) write(file, withFacts(text, title, summary));
  for (const file of new Set([...pages.values()].flatMap(({ downloads }) => downloads))) {
    const target = join(pagesFolder, "public", downloadOf(file));
    mkdirSync(dirname(target), { recursive: true });
    cpSync(join(root, file), target);
  }
  const outline = sections.map((section) => ({ title: section.title, entries: entriesOf(section, pages, reference) }));
  writeForModels(outline, base);
  write("sidebar.json", JSON.stringify(sidebarOf(outline)));
  return { base };
}

/** Writes a file, unless it has this text: VitePress loads a page again that is written. */
function write(file, text) {
  const path = join(pagesFolder, file);
  if (existsSync(path) && readFileSync(path, "utf8") === text) return;
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
}

function withFacts(text, title, summary) {
  const facts = { title, description: summary };
  const lines = Object.entries(facts).map(([key, value]) => `${key}: ${JSON.stringify(value)}`);
  return `---\n${lines.join("\n")}\n---\n\n${text}`;
}

/** @returns the pages of a section: `{ name, file, link, summary, text, group }` */
function entriesOf({ pages: listed, hasReference = false }, pages, reference) {
  const own = listed.map(([page, name]) => {
    const { title, summary, text } = pages.get(page);
    return { name: name ?? title, file: siteFile(page), link: addressOf(page), summary, text };
  });
  if (!hasReference) return own;
  const more = reference.map(({ file, title, summary, text }) => ({
    ...{ name: title, file, link: `/${file.replace(/\.md$/, ".html")}`, summary, text },
    group: "Reference",
  }));
  return [...own, ...more];
}

/** Writes llms.txt, llms-full.txt and the Markdown of each page, which llms.txt links to. */
function writeForModels(pages, base) {
  const site = (process.env.DOCS_URL ?? "").replace(/\/$/, "") + base.replace(/\/$/, "");
  const outline = pages.map(({ title, entries }) => ({
    title,
    entries: entries.map((entry) => ({ ...entry, text: entry.text.replaceAll("](/", `](${site}/`) })),
  }));
  write("public/llms.txt", llmsText(outline, site));
  write("public/llms-full.txt", llmsFullText(outline, site));
  for (const { file, text } of outline.flatMap(({ entries }) => entries)) write(`public/${file}`, text);
}

function sidebarOf(outline) {
  return outline.map(({ title, entries }, at) => {
    const items = entries.filter(({ group }) => group === undefined).map(({ name, link }) => ({ text: name, link }));
    const grouped = entries.filter(({ group }) => group !== undefined);
    const more = grouped.map(({ name, link }) => ({ text: name, link }));
    if (more.length > 0) items.push({ text: grouped[0].group, items: more, collapsed: true });
    return { text: title, items, ...(at > 0 && { collapsed: false }) };
  });
}

/** Serves the site on a port of its own, and writes the pages again when one changes. */
async function serveDocs(args) {
  await installGenerator();
  rmSync(pagesFolder, { recursive: true, force: true });
  writePages();
  let timer;
  watch(root, { recursive: true }, (_, name) => {
    if (!name?.endsWith(".md") || name.startsWith(".palestra") || name.includes("node_modules")) return;
    clearTimeout(timer);
    timer = setTimeout(rewritePages, 100);
  });
  const { code } = await vitepress(["dev", folder, ...args], { onOutput: (text) => process.stderr.write(text) });
  process.exit(code);
}

function rewritePages() {
  try {
    writePages();
  } catch (error) {
    say(`error: ${error.message}`);
  }
}

if (isProgram(import.meta.url)) {
  const [mode, ...args] = process.argv.slice(2);
  main(async () => {
    if (mode === "--dev") return serveDocs(args);
    if (mode !== undefined) throw new SetupError(`expected no argument or --dev, but received ${mode}`);
    say(`The site is in ${await buildDocs()}.`);
  });
}
