/** The sites of the benchmark, their addresses, and the public addresses that a model sees. */

export const siteNames = ["shopping", "shopping_admin", "reddit", "gitlab", "wikipedia", "map", "homepage"] as const;
export type SiteName = (typeof siteNames)[number];

/** Addresses of the available sites, without a trailing slash. */
export type SiteUrls = Readonly<Partial<Record<SiteName, string>>>;

/** Addresses that a model sees and writes instead of the real addresses. */
export const publicUrls: Readonly<Record<SiteName, string>> = {
  reddit: "http://reddit.com",
  shopping: "http://onestopmarket.com",
  shopping_admin: "http://luma.com/admin",
  gitlab: "http://gitlab.com",
  wikipedia: "http://wikipedia.org",
  map: "http://openstreetmap.org",
  homepage: "http://homepage.com",
};

/** Returns the placeholder of a site's address in task files. */
export function placeholderOf(site: SiteName): string {
  return `__${site.toUpperCase()}__`;
}

/** Returns the sites whose placeholders an entry of a task file contains. */
export function sitesNamedIn(entry: unknown): SiteName[] {
  const text = JSON.stringify(entry);
  return siteNames.filter((name) => text.includes(placeholderOf(name)));
}

/**
 * Reads addresses from environment variables: WebArena's `SHOPPING` or BrowserGym's `WA_SHOPPING`, which takes
 * precedence.
 *
 * @throws {Error} a variable is not an address
 */
export function sitesOf(environment: Readonly<Record<string, string | undefined>>): SiteUrls {
  const urls: Partial<Record<SiteName, string>> = {};
  for (const site of siteNames) {
    const name = [`WA_${site.toUpperCase()}`, site.toUpperCase()].find((one) => environment[one]);
    const url = name === undefined ? undefined : environment[name]?.trim().replace(/\/+$/, "");
    // BrowserGym's guide uses `todo`, and WebArena's uses `PASS`, for a missing site.
    if (!url || url === "todo" || url === "PASS") continue;
    if (!/^https?:\/\/[^/]/.test(url))
      throw new Error(`expected ${name} to be an http:// or https:// address, but received ${url}`);
    urls[site] = url;
  }
  return urls;
}

/** Replaces the real addresses in a text by the public addresses. */
export function toPublic(text: string, sites: SiteUrls): string {
  return known(sites).reduce((masked, [site, url]) => masked.replaceAll(url, publicUrls[site]), text);
}

/** Replaces the public addresses in a text, with `http` or `https`, by the real addresses. */
export function toReal(text: string, sites: SiteUrls): string {
  return known(sites).reduce((real, [site, url]) => {
    const name = publicUrls[site];
    return real.replaceAll(name, url).replaceAll(name.replace("http://", "https://"), url);
  }, text);
}

/**
 * Returns the sites with the longest address first, because the shop's address may be a prefix of its administration's
 * address.
 */
function known(sites: SiteUrls): [SiteName, string][] {
  return (Object.entries(sites) as [SiteName, string][]).sort(([, one], [, other]) => other.length - one.length);
}
