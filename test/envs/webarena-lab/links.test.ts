/** Checks that no link of the bundled sites is broken. */
import { expect, test } from "vitest";
import { appOf } from "#palestra/envs/webarena-lab/sites/apps.js";
import { labSites } from "#palestra/envs/webarena-lab/sites/index.js";
import type { LabSite } from "#palestra/envs/webarena-lab/sites/site.js";
import { openWorld } from "#palestra/envs/webarena-lab/world.js";

/** Number of visited pages per kind of address. */
const mostAlike = 3;
const mostPages = 250;

/** Returns the kind of an address. Addresses that differ only in names and numbers have the same kind. */
function kindOf({ pathname, search }: URL): string {
  const path = pathname.split("/").map((part) => part.replace(/^(?=.*\d).*$|^.{12,}$/, "*"));
  return `${path.slice(0, 6).join("/")}?${[...new URLSearchParams(search).keys()].sort()}`;
}

/** Returns the link targets of a page. */
function linksOf(html: string, base: string): URL[] {
  return [...html.matchAll(/<a\b[^>]*\shref="([^"]*)"/g)].flatMap(([, href = ""]) => {
    const url = href.replaceAll("&amp;", "&").replaceAll("&#39;", "'").replaceAll("&quot;", '"');
    return URL.canParse(url, base) ? [new URL(url, base)] : [];
  });
}

async function deadLinks({ host, url, login }: LabSite): Promise<{ dead: string[]; visited: number }> {
  const world = openWorld();
  const app = await appOf(host);
  const headers = { cookie: login ? `${login.name}=${login.value}` : "" };
  const waiting = [{ url: new URL(url), from: "the start" }];
  const seen = new Set<string>();
  const alike = new Map<string, number>();
  const dead: string[] = [];
  for (let next = waiting.shift(); next && seen.size < mostPages; next = waiting.shift()) {
    const kind = kindOf(next.url);
    next.url.hash = "";
    if (next.url.host !== host || seen.has(next.url.href) || (alike.get(kind) ?? 0) >= mostAlike) continue;
    seen.add(next.url.href);
    alike.set(kind, (alike.get(kind) ?? 0) + 1);
    const response = await app?.request(next.url.href, { headers }, world);
    const to = response?.headers.get("location");
    if (to) waiting.unshift({ url: new URL(to, next.url), from: next.from });
    if (!response || response.status >= 400) dead.push(`${next.url.href} of ${next.from}: ${response?.status}`);
    const isPage = response?.headers.get("content-type")?.startsWith("text/html");
    // Logging out would end the visit.
    if (isPage && response?.status === 200)
      for (const link of linksOf(await response.text(), next.url.href))
        if (!/logout|sign_out/.test(link.pathname)) waiting.push({ url: link, from: next.url.pathname });
  }
  return { dead, visited: seen.size };
}

test.each(labSites.map((site) => [site.name, site] as const))("%s has no broken links", async (_, site) => {
  const { dead, visited } = await deadLinks(site);
  expect(dead).toEqual([]);
  expect(visited).toBeGreaterThan(20);
});
