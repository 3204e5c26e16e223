/** The sites of the benchmark, their real URLs, and the public URLs that an agent sees. */

export const siteNames = ["shopping", "shopping_admin", "reddit", "gitlab", "wikipedia", "map", "homepage"] as const;
export type SiteName = (typeof siteNames)[number];

/** URLs of the available sites, without a trailing slash. */
export type SiteUrls = Readonly<Partial<Record<SiteName, string>>>;

/** URLs that an agent sees and writes instead of the real URLs. */
export const publicUrls: Readonly<Record<SiteName, string>> = {
  reddit: "http://reddit.com",
  shopping: "http://onestopmarket.com",
  shopping_admin: "http://luma.com/admin",
  gitlab: "http://gitlab.com",
  wikipedia: "http://wikipedia.org",
  map: "http://openstreetmap.org",
  homepage: "http://homepage.com",
};

/** Returns the placeholder that stands for a site's URL in task files. */
export function placeholderOf(site: SiteName): string {
  return `__${site.toUpperCase()}__`;
}

/** Returns the sites whose placeholders occur in an entry of a task file. */
export function sitesNamedIn(entry: unknown): SiteName[] {
  const text = JSON.stringify(entry);
  return siteNames.filter((name) => text.includes(placeholderOf(name)));
}

/**
 * Reads the URLs of sites from environment variables. BrowserGym's variables (`WA_SHOPPING`) take precedence over
 * WebArena's (`SHOPPING`).
 *
 * @throws {Error} the value of a variable is not a URL
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

/** Replaces real URLs in a text with public URLs. */
export function toPublic(text: string, sites: SiteUrls): string {
  return known(sites).reduce((masked, [site, url]) => masked.replaceAll(url, publicUrls[site]), text);
}

/** Replaces public URLs in a text, with the scheme `http` or `https`, with real URLs. */
export function toReal(text: string, sites: SiteUrls): string {
  return known(sites).reduce((real, [site, url]) => {
    const name = publicUrls[site];
    return real.replaceAll(name, url).replaceAll(name.replace("http://", "https://"), url);
  }, text);
}

/**
 * Returns the sites with their URLs, longest URL first, because the shop's URL may be a prefix of the URL of its
 * administration.
 */
function known(sites: SiteUrls): [SiteName, string][] {
  return (Object.entries(sites) as [SiteName, string][]).sort(([, one], [, other]) => other.length - one.length);
}
