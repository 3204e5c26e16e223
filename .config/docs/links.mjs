/**
 * Checks the links and the pictures of the built site: each leads to a file of the site and, with an anchor, to an element
 * with this id.
 */
import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { dirname, join, posix, relative } from "node:path";

/**
 * @param site folder of the site
 * @param base path of the site on its host, with slashes at both ends
 * @returns a line for each link that leads nowhere: `server/index.html: /openapi/no.html`
 */
export function brokenLinks(site, base) {
  const pages = readdirSync(site, { recursive: true }).filter((name) => name.endsWith(".html"));
  const ids = new Map(pages.map((page) => [page, idsOf(readFileSync(join(site, page), "utf8"))]));
  return pages.flatMap((page) => {
    const links = linksOf(readFileSync(join(site, page), "utf8"));
    return links.filter((link) => !leadsSomewhere({ site, base, page, link, ids })).map((link) => `${page}: ${link}`);
  });
}

function linksOf(html) {
  const links = [...html.matchAll(/<(?:a\s[^>]*?href|img\s[^>]*?src)="([^"]*)"/g)].map(([, link]) =>
    link.replaceAll("&amp;", "&"),
  );
  return [...new Set(links)].filter((link) => !/^[a-z]+:/.test(link));
}

function idsOf(html) {
  return new Set([...html.matchAll(/\sid="([^"]*)"/g)].map(([, id]) => id));
}

function leadsSomewhere({ site, base, page, link, ids }) {
  const [path, anchor] = link.split("#");
  const file = path === "" ? page : fileOf(site, base, page, path);
  if (file === undefined) return false;
  return !anchor || !file.endsWith(".html") || ids.get(file).has(decodeURIComponent(anchor));
}

function fileOf(site, base, page, path) {
  const isAbsolute = path.startsWith("/");
  if (isAbsolute && !path.startsWith(base)) return undefined;
  const inSite = isAbsolute ? path.slice(base.length) : posix.join(dirname(page), path);
  const full = join(site, decodeURIComponent(inSite));
  if (!existsSync(full)) return undefined;
  const file = statSync(full).isDirectory() ? join(full, "index.html") : full;
  return existsSync(file) ? relative(site, file) : undefined;
}
