/** Style sheets of the sites. */
import { readFileSync } from "node:fs";
import { raw } from "hono/html";
import type { HtmlEscapedString } from "hono/utils/html";

const folder = new URL("../data/", import.meta.url);
const read = new Map<string, HtmlEscapedString>();

/**
 * Returns a site's style sheet for a `<style>` element. With inline styles, no page is visible before its styles apply.
 */
export function styles(site: string): HtmlEscapedString {
  const known = read.get(site) ?? raw(readFileSync(new URL(`${site}.css`, folder), "utf8"));
  read.set(site, known);
  return known;
}
