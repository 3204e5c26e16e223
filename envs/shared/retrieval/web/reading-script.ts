/**
 * The script that runs in a web page and converts it to text: Readability extracts the article, and Turndown converts
 * it to Markdown.
 */
import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import type { PageLink } from "../source.js";

/** Result of the script. */
export interface Read {
  title: string;
  text: string;
  links: PageLink[];
}

const limits = { mostCharacters: 1_000_000, mostLinkTitle: 200 };
const { resolve } = createRequire(import.meta.url);
let script: Promise<string> | undefined;

/** Returns a JavaScript expression. Its value in a page is a `Read`, or null if the page has no text. */
export function readingScript(): Promise<string> {
  script ??= write();
  return script;
}

async function write(): Promise<string> {
  const [readability, turndown, plugin, readPage] = await Promise.all([
    moduleOf("@mozilla/readability/Readability.js"),
    moduleOf("turndown/lib/turndown.browser.cjs.js"),
    moduleOf("@joplin/turndown-plugin-gfm"),
    readFile(new URL("../data/read-page.js", import.meta.url), "utf8"),
  ]);
  const parts = `{ Readability: ${readability}, TurndownService: ${turndown}, gfm: ${plugin}.gfm }`;
  return `(${readPage.trim().replace(/;$/, "")})(${parts}, ${JSON.stringify(limits)})`;
}

/** Converts a CommonJS module without imports to a JavaScript expression. */
async function moduleOf(name: string): Promise<string> {
  const source = await readFile(resolve(name), "utf8");
  return `(() => { const module = { exports: {} }; const { exports } = module;\n${source}\nreturn module.exports; })()`;
}
